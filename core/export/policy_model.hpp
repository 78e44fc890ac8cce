// SPDX-License-Identifier: Apache-2.0
// A policy to export: bundle, plan, and the interface that all targets share.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/nn/distribution.hpp"
#include "core/nn/net_plan.hpp"
#include "core/policy/bundle.hpp"

namespace seedbed {

// Value of the policy columns of masked choices.
inline constexpr float kForbiddenLogit = -1e9f;

// Interface, one row per decision, all f32.
// Inputs:
// - per observation leaf [stack * elements]: vectors unchanged, images and discrete values as numbers
// (0..high, 0..n-1);
// - mask [choices of all discrete leaves], 1 allowed, 0 forbidden, if the environment has masks;
// - if the core uses them: previous action [A], as fed back by the previous step, at the start of an episode
// -1 for a
//   discrete leaf and 0 for a box; previous reward [1] as returned by the environment, 0 at the start;
// - recurrent state [S], zeros at the start.
// Outputs: policy [P], the columns of the action distribution; value [V]; greedy action [A], box words within
// their bounds; new state [S]; words to feed back as previous action [A] (for a box before clipping).
struct PolicyModel {
    PolicyBundle bundle;
    NetPlan plan;
    ActionDistribution distribution;
    int policy_begin = 0;  // columns of the head panel
    int policy_words = 0;
    int value_begin = 0;
    int value_words = 0;  // 0: no value head
    bool wants_previous_action = false, wants_previous_reward = false;

    const Spaces& spaces() const { return bundle.spaces(); }
    int stateWords() const { return plan.state_words; }
    const Params& params() const { return bundle.network.params; }
    // Floats of one row of leaf `leaf`, all frames.
    std::size_t obsWords(std::size_t leaf) const;
    bool onlyDiscrete() const;
};

// error: config; names the part of the network that cannot be exported.
Result<PolicyModel> makePolicyModel(PolicyBundle bundle);

}  // namespace seedbed
