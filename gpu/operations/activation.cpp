// SPDX-License-Identifier: Apache-2.0
// An activation as a separate operation.
#include "gpu/pass.hpp"

namespace seedbed::gpu {

namespace {

void forwardActivation(Pass& pass, const PlanOp& op) {
    struct Push {
        std::uint32_t count, activation;
    };
    pass.dispatch("activation", {pass.value(Pass::input(op)), pass.value(op.output)},
                  Push{pass.count(op.output), static_cast<std::uint32_t>(op.activation)},
                  pass.count(op.output));
}

void backwardActivation(Pass& pass, const PlanOp& op) {
    const int x = Pass::input(op);
    if (!pass.wants(x)) return;
    struct Push {
        std::uint32_t count, activation, add;
    };
    pass.dispatch("activation_backward", {pass.value(op.output), pass.gradient(op.output), pass.gradient(x)},
                  Push{pass.count(op.output), static_cast<std::uint32_t>(op.activation), pass.adding(x)},
                  pass.count(op.output));
}

[[maybe_unused]] const bool registered_activation = registerGpuOperation({
    .id = "activation",
    .forward = forwardActivation,
    .backward = backwardActivation,
});

}  // namespace

}  // namespace seedbed::gpu
