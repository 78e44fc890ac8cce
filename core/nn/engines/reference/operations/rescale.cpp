// SPDX-License-Identifier: Apache-2.0
// Scales the output of a value head to its targets; see popart.hpp.
#include "core/nn/engines/reference/operations/shared/pass.hpp"

namespace seedbed::reference {

namespace {

void forwardRescale(Pass<Real>& pass, const PlanOp& op) {
    const int size = pass.size(op.output);
    const Real *mean = pass.weight(op, 0), *std = pass.weight(op, 1), *x = pass.x(op);
    Real* y = pass.value(op.output);
    for (int row = 0; row < pass.rows; ++row, x += size, y += size)
        for (int i = 0; i < size; ++i) y[i] = x[i] * std[i] + mean[i];
}

void backwardRescale(Pass<Real>& pass, const PlanOp& op) {
    Real* dx = pass.xGradient(op);
    if (dx == nullptr) return;
    const int size = pass.size(op.output);
    const Real *std = pass.weight(op, 1), *dy = pass.gradient(op.output);
    for (int row = 0; row < pass.rows; ++row, dx += size, dy += size)
        for (int i = 0; i < size; ++i) dx[i] += dy[i] * std[i];
}

[[maybe_unused]] const bool registered_rescale = registerKernels<Real>({
    .id = "rescale",
    .forward = forwardRescale,
    .backward = backwardRescale,
});

}  // namespace

}  // namespace seedbed::reference
