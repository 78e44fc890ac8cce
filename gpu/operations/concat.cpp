// SPDX-License-Identifier: Apache-2.0
// Concatenation.
#include "gpu/operations/shared/copy.hpp"

namespace seedbed::gpu {

namespace {

void forwardConcat(Pass& pass, const PlanOp& op) {
    std::uint32_t begin = 0;
    for (const int x : op.inputs) {
        const std::uint32_t width = pass.size(x);
        copyColumns(pass, {pass.value(x), 0, width}, {pass.value(op.output), begin, pass.size(op.output)},
                    width, pass.rows);
        begin += width;
    }
}

void backwardConcat(Pass& pass, const PlanOp& op) {
    std::uint32_t begin = 0;
    for (const int x : op.inputs) {
        const std::uint32_t width = pass.size(x);
        if (pass.wants(x))
            copyColumns(pass, {pass.gradient(op.output), begin, pass.size(op.output)},
                        {pass.gradient(x), 0, width}, width, pass.rows, pass.adding(x));
        begin += width;
    }
}

[[maybe_unused]] const bool registered_concat = registerGpuOperation({
    .id = "concat",
    .forward = forwardConcat,
    .backward = backwardConcat,
});

}  // namespace

}  // namespace seedbed::gpu
