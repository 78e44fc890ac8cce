// SPDX-License-Identifier: Apache-2.0
// The RewardView of an environment's wrappers. A checkpoint stores it with the policy; play and evaluation
// apply it, because their rings contain raw rewards.
#pragma once

#include "core/env/env_registry.hpp"
#include "core/rollout/reward_view.hpp"

namespace seedbed {

// `params` as for EnvEntry::spec. error: config.
inline Result<RewardView> rewardViewOf(const EnvEntry& env, const Json& params) {
    SEEDBED_ASSIGN(const WrapperParams wrap, env.wrapperParams(params));
    return RewardView{static_cast<float>(wrap.reward_scale), static_cast<float>(wrap.reward_clip)};
}

}  // namespace seedbed
