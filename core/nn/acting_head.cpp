// SPDX-License-Identifier: Apache-2.0
#include "core/nn/acting_head.hpp"

#include <algorithm>
#include <cmath>

namespace seedbed {

const PlanHead* actingHead(const NetPlan& plan) {
    if (const PlanHead* policy = plan.head("policy")) return policy;
    const auto q = std::find_if(plan.heads.begin(), plan.heads.end(),
                                [](const PlanHead& head) { return head.kind == "q"; });
    return q == plan.heads.end() ? nullptr : &*q;
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

Result<ActionDistribution> actingDistribution(const NetPlan& plan, bool squash) {
    const PlanHead* head = actingHead(plan);
    if (head == nullptr) return fail(ErrorCode::config, "the network has no head that chooses actions");
    for (const ActionLeaf& leaf : plan.spec.spaces.actions)
        for (std::size_t i = 0; squash && i < leaf.low.size(); ++i)
            if (!std::isfinite(leaf.low[i]) || !std::isfinite(leaf.high[i]) || !(leaf.low[i] <= leaf.high[i]))
                return fail(ErrorCode::config,
                            "action '" + leaf.name + "' is squashed, but its bounds are not finite");
    ActionDistribution distribution(plan.spec.spaces, squash);
    if (head->width != distribution.words())
        return fail(ErrorCode::config, "head '" + head->name + "' does not match the action space");
    return distribution;
}

Result<> checkNumbers(const ParamEntry& entry, const float* values) {
    const float* end = values + entry.count;
    if (!std::all_of(values, end, [](float x) { return std::isfinite(x); }))
        return fail("'" + entry.name + "' contains numbers that are not finite");
    const bool counted =
        entry.role == ParamEntry::Role::buffer &&
        (entry.name.ends_with(".var") || entry.name.ends_with(".std") || entry.name.ends_with(".count"));
    if (counted && std::any_of(values, end, [](float x) { return x < 0; }))
        return fail("'" + entry.name + "' is negative");
    return {};
}

}  // namespace seedbed
