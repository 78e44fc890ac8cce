// SPDX-License-Identifier: Apache-2.0
// Inputs of an exported policy, with one row per decision, all f32:
// - per observation leaf [stack * elements]: vectors unchanged, images and discrete values as numbers
//   (0..high, 0..n-1);
// - mask [choices of all discrete leaves], 1 allowed, 0 forbidden, if the environment has masks;
// - if the core uses it: previous action [A], as fed back by the previous step; at the start of an episode
//   it is -1 for a discrete leaf and 0 for a box leaf;
// - if the core uses it: previous reward [1], as returned by the environment; 0 at the start;
// - recurrent state [S], zeros at the start.
// Outputs: policy [P], the columns of the action distribution; value [V]; greedy action [A], with box words
// within their bounds; new state [S]; words to feed back as the previous action [A] (for a box leaf, before
// clipping).
#include "core/export/policy_model.hpp"

#include <algorithm>

#include "core/nn/acting_head.hpp"

namespace seedbed {

std::size_t PolicyModel::obsWords(std::size_t leaf) const {
    const ObsLeaf& spec = spaces().obs[leaf];
    return spec.elements() * static_cast<std::size_t>(spec.stack);
}

bool PolicyModel::onlyDiscrete() const {
    return std::all_of(spaces().actions.begin(), spaces().actions.end(),
                       [](const ActionLeaf& leaf) { return leaf.kind == ActionLeaf::Kind::discrete; });
}

Result<PolicyModel> makePolicyModel(PolicyBundle bundle) {
    SEEDBED_ASSIGN(NetPlan plan, buildPlan(bundle.network.spec));
    if (bundle.network.params.blob().size() != plan.param_floats)
        return fail(ErrorCode::config,
                    "this policy cannot be exported: its parameters do not match the network");
    PolicyModel model{std::move(bundle), std::move(plan), {}};

    auto distribution = actingDistribution(model.plan, model.bundle.squash);
    if (!distribution)
        return fail(ErrorCode::config, "this policy cannot be exported: " + distribution.error().message);
    const PlanHead* acting = actingHead(model.plan);
    model.distribution = std::move(*distribution);
    model.policy_begin = acting->begin;
    model.policy_words = acting->width;
    for (const PlanHead& head : model.plan.heads) {
        if (head.kind != "value") continue;
        model.value_begin = head.begin;
        model.value_words = head.width;
        break;
    }
    model.wants_previous_action = hasOp(model.plan, "previous_action");
    model.wants_previous_reward = hasOp(model.plan, "previous_reward");
    for (const ParamEntry& entry : model.plan.params)
        if (const auto checked = checkNumbers(entry, model.params().at(entry)); !checked)
            return fail(ErrorCode::config, "this policy cannot be exported: " + checked.error().message +
                                               "; export an earlier checkpoint");
    return model;
}

}  // namespace seedbed
