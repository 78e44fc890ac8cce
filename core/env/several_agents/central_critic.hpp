// SPDX-License-Identifier: Apache-2.0
// The wrapper `wrap.central_critic`: what the other agents observe, as inputs of the value estimate (Yu et
// al. 2022, "The Surprising Effectiveness of PPO in Cooperative Multi-Agent Games", section 5).
#pragma once

#include <memory>

#include "core/env/env.hpp"

namespace seedbed {

// error: config, if the environment has one agent, or an observation has a name that is needed.
Result<> checkCentralCritic(const EnvSpec& spec);
// Adds an observation "others_L" with ObsLeaf::critic_only for each observation L: the observations of the
// other agents in their order, beginning with the next agent. Vectors and choices are concatenated, images
// stacked along their channels.
EnvSpec withCentralCritic(EnvSpec spec);
// A batch whose agents also observe the others. `batch` has the spec without these observations. The
// observation of an agent that has left its episode is zero.
std::unique_ptr<LocalBatch> withCentralCritic(std::unique_ptr<LocalBatch> batch);
std::unique_ptr<EnvBatch> withCentralCritic(std::unique_ptr<EnvBatch> batch);

}  // namespace seedbed
