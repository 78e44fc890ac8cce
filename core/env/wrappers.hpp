// SPDX-License-Identifier: Apache-2.0
// Wrappers that change the task, available for every environment: described parameters and batch decorators.
#pragma once

#include <memory>

#include "core/env/env.hpp"
#include "core/env/vector_env.hpp"

namespace seedbed {

// The `wrap.*` parameters of every environment. All are off by default.
struct WrapperParams {
    // Probability that the previously executed action is repeated (Machado et al. 2018, section 5).
    double sticky_actions = 0;
    int action_repeat = 1;        // environment steps per decision, rewards summed
    int noop_starts = 0;          // maximum number of no-ops (action 0) after a reset
    double reward_clip = 0;       // > 0: clips rewards for the learner to [-reward_clip, reward_clip]
    double reward_scale = 1;      // factor on rewards for the learner, after clipping
    int time_limit = -1;          // limit in decisions; -1: the environment's own horizon, 0: none
    double step_ms = 0;           // additional time of a step of each environment
    bool central_critic = false;  // the value estimate also sees what the other agents observe

    static const Description<WrapperParams>& describe();
};

// error: config, if the wrappers do not fit the environment.
Result<> checkWrappers(const EnvSpec& spec, const WrapperParams& params);
// `spec` with the wrappers applied: frames per step, horizon, reward range, observations of other agents.
EnvSpec wrapSpec(EnvSpec spec, const WrapperParams& params);
// Wraps a batch with a delay, sticky actions, action repeat, no-op starts and a central critic; returns it
// unchanged if all wrappers are off. The result has the spec that wrapSpec() returns.
std::unique_ptr<LocalBatch> wrapBatch(std::unique_ptr<LocalBatch> batch, const WrapperParams& params);
// The wrappers that the vectoriser implements: time limit (from the wrapped `spec`), reward clip and scale.
// The caller sets seed and lanes.
VectorEnvOptions vectorOptions(const EnvSpec& spec, const WrapperParams& params);

}  // namespace seedbed
