// SPDX-License-Identifier: Apache-2.0
// Normalisation with running statistics, with clipping.
#include "gpu/pass.hpp"

namespace seedbed::gpu {

namespace {

void forwardNormalise(Pass& pass, const PlanOp& op) {
    struct Push {
        std::uint32_t count, size, mean, var;
        float clip;
    };
    const Push push{pass.count(op.output), pass.size(op.output), pass.weight(op, 0), pass.weight(op, 1),
                    static_cast<float>(op.clip)};
    pass.dispatch("normalise", {pass.value(Pass::input(op)), pass.blob, pass.value(op.output)}, push,
                  push.count);
}

void backwardNormalise(Pass& pass, const PlanOp& op) {
    const int x = Pass::input(op);
    if (!pass.wants(x)) return;
    struct Push {
        std::uint32_t count, size, var;
        float clip;
        std::uint32_t add;
    };
    const Push push{pass.count(op.output), pass.size(op.output), pass.weight(op, 1),
                    static_cast<float>(op.clip), pass.adding(x)};
    pass.dispatch("normalise_backward",
                  {pass.value(op.output), pass.blob, pass.gradient(op.output), pass.gradient(x)}, push,
                  push.count);
}

[[maybe_unused]] const bool registered_normalise = registerGpuOperation({
    .id = "normalise",
    .forward = forwardNormalise,
    .backward = backwardNormalise,
});

}  // namespace

}  // namespace seedbed::gpu
