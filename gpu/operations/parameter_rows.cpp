// SPDX-License-Identifier: Apache-2.0
// A learned vector, the same for every row.
#include "gpu/operations/shared/product.hpp"

namespace seedbed::gpu {

namespace {

void forwardParameterRows(Pass& pass, const PlanOp& op) {
    struct Push {
        std::uint32_t count, size, begin;
    };
    pass.dispatch("parameter_rows", {pass.blob, pass.value(op.output)},
                  Push{pass.count(op.output), pass.size(op.output), pass.weight(op, 0)},
                  pass.count(op.output));
}

void backwardParameterRows(Pass& pass, const PlanOp& op) {
    if (pass.grades(op, 0))
        columnSums(pass, pass.gradient(op.output), pass.size(op.output), 1, pass.weight(op, 0));
}

[[maybe_unused]] const bool registered_parameter_rows = registerGpuOperation({
    .id = "parameter_rows",
    .forward = forwardParameterRows,
    .backward = backwardParameterRows,
});

}  // namespace

}  // namespace seedbed::gpu
