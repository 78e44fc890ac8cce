// SPDX-License-Identifier: Apache-2.0
// Scales the output of a value head to its targets; see core/nn/popart.hpp.
#include "gpu/pass.hpp"

namespace seedbed::gpu {

namespace {

void forwardRescale(Pass& pass, const PlanOp& op) {
    struct Push {
        std::uint32_t count, size, mean, std;
    };
    const Push push{pass.count(op.output), pass.size(op.output), pass.weight(op, 0), pass.weight(op, 1)};
    pass.dispatch("rescale", {pass.value(Pass::input(op)), pass.blob, pass.value(op.output)}, push,
                  push.count);
}

void backwardRescale(Pass& pass, const PlanOp& op) {
    const int x = Pass::input(op);
    if (!pass.wants(x)) return;
    struct Push {
        std::uint32_t count, size, std, add;
    };
    const Push push{pass.count(op.output), pass.size(op.output), pass.weight(op, 1), pass.adding(x)};
    pass.dispatch("rescale_backward", {pass.gradient(op.output), pass.blob, pass.gradient(x)}, push,
                  push.count);
}

[[maybe_unused]] const bool registered_rescale = registerGpuOperation({
    .id = "rescale",
    .forward = forwardRescale,
    .backward = backwardRescale,
});

}  // namespace

}  // namespace seedbed::gpu
