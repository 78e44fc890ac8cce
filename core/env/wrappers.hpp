// SPDX-License-Identifier: Apache-2.0
// Wrappers that change the task, the same for every environment: described parameters and decorators of
// batches.
#pragma once

#include <memory>

#include "core/env/env.hpp"
#include "core/env/vector_env.hpp"

namespace seedbed {

// Every environment has these as `wrap.*` parameters. All off by default.
struct WrapperParams {
    double sticky_actions =
        0;  // probability that the previously executed action is repeated (Machado et al. 2018, section 5)
    int action_repeat = 1;    // environment steps per decision, rewards summed
    int noop_starts = 0;      // up to this many actions 0 after a reset
    double reward_clip = 0;   // > 0: rewards are clipped to [-reward_clip, reward_clip] for the learner
    double reward_scale = 1;  // applied to what the learner sees, after clipping
    int time_limit = -1;      // decisions; -1: the environment's own horizon, 0: none

    static const Description<WrapperParams>& describe();
};

// What `spec` becomes under the wrappers: frames per step, horizon, reward range.
EnvSpec wrapSpec(EnvSpec spec, const WrapperParams& params);
// Adds sticky actions, action repeat and no-op starts around a batch; returns it unchanged when none is on.
// The result's spec is wrapSpec's.
std::unique_ptr<EnvBatch> wrapBatch(std::unique_ptr<EnvBatch> batch, const WrapperParams& params);
// The wrappers that the vectoriser carries out: time limit (of the wrapped `spec`), reward clip and scale.
// Seed and lanes are the caller's.
VectorEnvOptions vectorOptions(const EnvSpec& spec, const WrapperParams& params);

}  // namespace seedbed
