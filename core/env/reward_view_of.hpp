// SPDX-License-Identifier: Apache-2.0
// The view of rewards that an environment's wrappers give to learner and policy: what a checkpoint keeps with
// its policy, and what play and evaluation show a network whose ring holds the rewards as the environment
// gave them.
#pragma once

#include "core/env/env_registry.hpp"
#include "core/rollout/reward_view.hpp"

namespace seedbed {

// `params` as EnvEntry::spec takes them. error: config.
inline Result<RewardView> rewardViewOf(const EnvEntry& env, const Json& params) {
    SEEDBED_ASSIGN(const WrapperParams wrap, env.wrapperParams(params));
    return RewardView{static_cast<float>(wrap.reward_scale), static_cast<float>(wrap.reward_clip)};
}

}  // namespace seedbed
