// SPDX-License-Identifier: Apache-2.0
// A learned vector, the same for every row.
#include <algorithm>

#include "core/nn/engines/reference/operations/shared/pass.hpp"

namespace seedbed::reference {

namespace {

void forwardParameterRows(Pass<Real>& pass, const PlanOp& op) {
    const int size = pass.size(op.output);
    Real* y = pass.value(op.output);
    for (int row = 0; row < pass.rows; ++row, y += size) std::copy_n(pass.weight(op, 0), size, y);
}

void backwardParameterRows(Pass<Real>& pass, const PlanOp& op) {
    const int size = pass.size(op.output);
    const Real* dy = pass.gradient(op.output);
    Real* gradient = pass.weightGradient(op, 0);
    for (int row = 0; row < pass.rows; ++row, dy += size)
        for (int i = 0; i < size; ++i) gradient[i] += dy[i];
}

[[maybe_unused]] const bool registered_parameter_rows = registerKernels<Real>({
    .id = "parameter_rows",
    .forward = forwardParameterRows,
    .backward = backwardParameterRows,
});

}  // namespace

}  // namespace seedbed::reference
