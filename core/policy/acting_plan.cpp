// SPDX-License-Identifier: Apache-2.0
#include "core/policy/acting_plan.hpp"

#include "core/nn/acting_head.hpp"

namespace seedbed {

Result<NetPlan> actingPlan(const NetPlan& plan) {
    const PlanHead* acting = actingHead(plan);
    if (acting == nullptr) return fail(ErrorCode::config, "the network has no head that selects actions");
    NetPlan part = plan;
    part.ops.clear();
    part.values.clear();
    // Engines require an operation for each value.
    const std::vector<char> needed = operationsFor(plan, {acting->value});
    std::vector<int> number(plan.values.size(), -1);
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        if (!needed[i]) continue;
        PlanOp op = plan.ops[i];
        for (int& x : op.inputs) x = number[static_cast<std::size_t>(x)];
        part.values.push_back(plan.values[static_cast<std::size_t>(op.output)]);
        op.output = number[static_cast<std::size_t>(op.output)] = static_cast<int>(part.values.size()) - 1;
        part.ops.push_back(std::move(op));
    }
    part.heads = {*acting};
    part.heads[0].begin = 0;
    part.heads[0].value = number[static_cast<std::size_t>(acting->value)];
    part.head_words = acting->width;
    return part;
}

}  // namespace seedbed
