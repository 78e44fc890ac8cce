// SPDX-License-Identifier: Apache-2.0
// Means of groups.
#include "gpu/pass.hpp"

namespace seedbed::gpu {

namespace {

void forwardGroupMean(Pass& pass, const PlanOp& op) {
    const int x = Pass::input(op);
    struct Push {
        std::uint32_t groups, k;
    };
    pass.dispatch("group_mean", {pass.value(x), pass.value(op.output)},
                  Push{pass.count(op.output), pass.size(x) / pass.size(op.output)}, pass.count(op.output));
}

void backwardGroupMean(Pass& pass, const PlanOp& op) {
    const int x = Pass::input(op);
    if (!pass.wants(x)) return;
    struct Push {
        std::uint32_t count, k, add;
    };
    pass.dispatch("group_mean_backward", {pass.gradient(op.output), pass.gradient(x)},
                  Push{pass.count(x), pass.size(x) / pass.size(op.output), pass.adding(x)}, pass.count(x));
}

[[maybe_unused]] const bool registered_group_mean = registerGpuOperation({
    .id = "group_mean",
    .forward = forwardGroupMean,
    .backward = backwardGroupMean,
});

}  // namespace

}  // namespace seedbed::gpu
