// SPDX-License-Identifier: Apache-2.0
// From a bundle to what is exported: finds the acting head and what the network wants to see.
#include "core/export/policy_model.hpp"

#include <algorithm>
#include <cmath>

namespace seedbed {

std::size_t PolicyModel::obsWords(std::size_t leaf) const {
    const ObsLeaf& spec = spaces().obs[leaf];
    return spec.elements() * static_cast<std::size_t>(spec.stack);
}

bool PolicyModel::onlyDiscrete() const {
    return std::all_of(spaces().actions.begin(), spaces().actions.end(),
                       [](const ActionLeaf& leaf) { return leaf.kind == ActionLeaf::Kind::discrete; });
}

std::vector<char> operationsFor(const NetPlan& plan, const std::vector<int>& wanted) {
    std::vector<char> value_needed(plan.values.size(), 0), op_needed(plan.ops.size(), 0);
    for (const int value : wanted) value_needed[static_cast<std::size_t>(value)] = 1;
    for (std::size_t i = plan.ops.size(); i-- > 0;) {
        const PlanOp& op = plan.ops[i];
        if (!value_needed[static_cast<std::size_t>(op.output)]) continue;
        op_needed[i] = 1;
        for (const int x : op.inputs) value_needed[static_cast<std::size_t>(x)] = 1;
    }
    return op_needed;
}

Result<PolicyModel> makePolicyModel(PolicyBundle bundle) {
    const auto cannot = [](const std::string& part, const std::string& why) {
        return fail(ErrorCode::config, "this policy cannot be exported: " + part + " " + why);
    };
    SEEDBED_ASSIGN(NetPlan plan, buildPlan(bundle.network.spec));
    if (bundle.network.params.blob().size() != plan.param_floats) return cannot("the parameters", "do not fit the network");
    const Spaces spaces = bundle.spaces();
    PolicyModel model{std::move(bundle), std::move(plan), {}};

    // Greedy actions of a Q network are those of a categorical distribution with the values as logits.
    const PlanHead* acting = model.plan.head("policy");
    for (const PlanHead& head : model.plan.heads)
        if (acting == nullptr && head.kind == "q") acting = &head;
    if (acting == nullptr) return cannot("network '" + model.bundle.network.name + "'", "has no head that chooses actions");
    for (const ActionLeaf& leaf : spaces.actions)
        for (std::size_t i = 0; model.bundle.squash && i < leaf.low.size(); ++i)
            if (!std::isfinite(leaf.low[i]) || !std::isfinite(leaf.high[i]))
                return cannot("action '" + leaf.name + "'", "is squashed but has no finite bounds");
    model.distribution = ActionDistribution(spaces, model.bundle.squash);
    model.policy_begin = acting->begin, model.policy_words = acting->width;
    if (acting->width != model.distribution.words()) return cannot("head '" + acting->name + "'", "does not fit the action space");
    for (const PlanHead& head : model.plan.heads) {
        if (head.kind != "value") continue;
        model.value_begin = head.begin, model.value_words = head.width;
        break;
    }
    for (const PlanOp& op : model.plan.ops) {
        model.wants_previous_action |= op.kind == OpKind::previous_action;
        model.wants_previous_reward |= op.kind == OpKind::previous_reward;
    }
    for (const ParamEntry& entry : model.plan.params) {
        const float* values = model.params().at(entry);
        if (!std::all_of(values, values + entry.count, [](float value) { return std::isfinite(value); }))
            return cannot("layer '" + entry.name + "'", "holds numbers that are not finite; export an earlier checkpoint");
    }
    return model;
}

}  // namespace seedbed
