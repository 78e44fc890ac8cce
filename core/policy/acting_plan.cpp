// SPDX-License-Identifier: Apache-2.0
// Backwards from the acting head to the operations that it needs.
#include "core/policy/acting_plan.hpp"

namespace seedbed {

Result<NetPlan> actingPlan(const NetPlan& plan) {
    const PlanHead* acting = plan.head("policy");
    for (const PlanHead& head : plan.heads)
        if (acting == nullptr && head.kind == "q") acting = &head;
    if (acting == nullptr) return fail(ErrorCode::config, "the network has no head that chooses actions");
    NetPlan part = plan;
    part.heads = {*acting};
    part.heads[0].begin = 0;
    part.head_words = acting->width;
    std::vector<char> needed(plan.values.size(), 0);
    needed[static_cast<std::size_t>(acting->value)] = 1;
    part.ops.clear();
    for (auto op = plan.ops.rbegin(); op != plan.ops.rend(); ++op) {
        if (!needed[static_cast<std::size_t>(op->output)]) continue;
        for (const int x : op->inputs) needed[static_cast<std::size_t>(x)] = 1;
        part.ops.insert(part.ops.begin(), *op);
    }
    return part;
}

}  // namespace seedbed
