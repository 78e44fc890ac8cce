// SPDX-License-Identifier: Apache-2.0
// Fully connected layers.
#include "gpu/operations/shared/product.hpp"

namespace seedbed::gpu {

namespace {

void forwardLinear(Pass& pass, const PlanOp& op) {
    const int x = Pass::input(op);
    project(pass, op, pass.value(x), pass.size(x), pass.value(op.output), pass.size(op.output), 0, 1, -1,
            op.activation);
}

void backwardLinear(Pass& pass, const PlanOp& op) {
    const int x = Pass::input(op);
    deactivate(pass, op);
    const bool wanted = pass.wants(x);
    projectBackward(pass, op, pass.gradient(op.output), {pass.value(x)}, pass.size(x), pass.size(op.output),
                    0, 1, wanted ? pass.gradient(x) : Slice{}, wanted ? pass.adding(x) : 0);
}

[[maybe_unused]] const bool registered_linear = registerGpuOperation({
    .id = "linear",
    .forward = forwardLinear,
    .backward = backwardLinear,
});

}  // namespace

}  // namespace seedbed::gpu
