// SPDX-License-Identifier: Apache-2.0
// The transformation of rewards for the learner and for policies with the previous reward as an input:
// clipping, then scaling. Reported returns are sums of raw rewards.
#pragma once

#include <algorithm>

namespace seedbed {

// Part of a trained policy: training, evaluation, play and every export use the same view.
struct RewardView {
    float scale = 1;  // applied after clipping
    float clip = 0;   // > 0: to [-clip, clip]; 0: no limit

    float apply(float raw) const {
        if (clip > 0) raw = std::min(std::max(raw, -clip), clip);
        return raw * scale;
    }
    bool isIdentity() const { return scale == 1 && clip <= 0; }
    bool operator==(const RewardView&) const = default;
};

}  // namespace seedbed
