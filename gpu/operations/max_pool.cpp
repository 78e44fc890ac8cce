// SPDX-License-Identifier: Apache-2.0
// Max pooling.
#include "gpu/operations/shared/window.hpp"

namespace seedbed::gpu {

namespace {

void forwardMaxPool(Pass& pass, const PlanOp& op) {
    const Slice picked = pass.keep(op, pass.count(op.output));
    pass.dispatch("max_pool", {pass.value(Pass::input(op)), pass.value(op.output), picked},
                  windowOf(pass, op), pass.count(op.output));
}

void backwardMaxPool(Pass& pass, const PlanOp& op) {
    const int x = Pass::input(op);
    if (!pass.wants(x)) return;
    WindowPush push = windowOf(pass, op);
    push.add = pass.adding(x);
    pass.dispatch("max_pool_backward", {pass.gradient(op.output), pass.kept(op), pass.gradient(x)}, push,
                  pass.count(x));
}

[[maybe_unused]] const bool registered_max_pool = registerGpuOperation({
    .id = "max_pool",
    .forward = forwardMaxPool,
    .backward = backwardMaxPool,
});

}  // namespace

}  // namespace seedbed::gpu
