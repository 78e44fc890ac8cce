// SPDX-License-Identifier: Apache-2.0
// The sum of two values.
#include "gpu/operations/shared/copy.hpp"

namespace seedbed::gpu {

namespace {

void forwardAdd(Pass& pass, const PlanOp& op) {
    struct Push {
        std::uint32_t count;
    };
    pass.dispatch("add",
                  {pass.value(Pass::input(op, 0)), pass.value(Pass::input(op, 1)), pass.value(op.output)},
                  Push{pass.count(op.output)}, pass.count(op.output));
}

void backwardAdd(Pass& pass, const PlanOp& op) {
    const std::uint32_t size = pass.size(op.output);
    for (const int x : op.inputs)
        if (pass.wants(x))
            copyColumns(pass, {pass.gradient(op.output), 0, size}, {pass.gradient(x), 0, size}, size,
                        pass.rows, pass.adding(x));
}

[[maybe_unused]] const bool registered_add = registerGpuOperation({
    .id = "add",
    .forward = forwardAdd,
    .backward = backwardAdd,
});

}  // namespace

}  // namespace seedbed::gpu
