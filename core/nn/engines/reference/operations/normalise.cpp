// SPDX-License-Identifier: Apache-2.0
// Normalisation with running statistics, with clipping.
#include <cmath>

#include "core/nn/engines/reference/operations/shared/pass.hpp"

namespace seedbed::reference {

namespace {

void forwardNormalise(Pass<Real>& pass, const PlanOp& op) {
    const int size = pass.size(op.output);
    const Real *mean = pass.weight(op, 0), *var = pass.weight(op, 1), clip = static_cast<Real>(op.clip);
    Real* scale = Pass<Real>::grown(pass.scratch, static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i) scale[i] = Real(1) / std::sqrt(var[i] + static_cast<Real>(1e-8));
    const Real* x = pass.x(op);
    Real* y = pass.value(op.output);
    for (int row = 0; row < pass.rows; ++row, x += size, y += size) {
        for (int i = 0; i < size; ++i) {
            Real z = (x[i] - mean[i]) * scale[i];
            z = z < -clip ? -clip : z;
            y[i] = z > clip ? clip : z;
        }
    }
}

void backwardNormalise(Pass<Real>& pass, const PlanOp& op) {
    Real* dx = pass.xGradient(op);
    if (dx == nullptr) return;
    const int size = pass.size(op.output);
    const Real *var = pass.weight(op, 1), *y = pass.value(op.output), *dy = pass.gradient(op.output),
               clip = static_cast<Real>(op.clip);
    for (int row = 0; row < pass.rows; ++row, dx += size, y += size, dy += size)
        for (int i = 0; i < size; ++i)
            if (std::abs(y[i]) < clip) dx[i] += dy[i] / std::sqrt(var[i] + static_cast<Real>(1e-8));
}

[[maybe_unused]] const bool registered_normalise = registerKernels<Real>({
    .id = "normalise",
    .forward = forwardNormalise,
    .backward = backwardNormalise,
});

}  // namespace

}  // namespace seedbed::reference
