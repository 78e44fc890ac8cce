// SPDX-License-Identifier: Apache-2.0
// How rewards look to the learner and to a policy that sees its previous reward: clipped, then scaled.
// Returns are sums of the raw ones.
#pragma once

#include <algorithm>

namespace seedbed {

// A fact of a trained policy: training, evaluation, play and every exported form show it rewards through the
// same view.
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
