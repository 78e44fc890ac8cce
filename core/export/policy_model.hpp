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

// The value that policy columns have for masked choices.
inline constexpr float kForbiddenLogit = -1e9f;

// A policy with the layout of its interface; policy_model.cpp describes inputs and outputs.
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
    // Number of floats in one row of leaf `leaf`, including all frames.
    std::size_t obsWords(std::size_t leaf) const;
    bool onlyDiscrete() const;
};

// error: config; names the part of the network that cannot be exported.
Result<PolicyModel> makePolicyModel(PolicyBundle bundle);

}  // namespace seedbed
