// SPDX-License-Identifier: Apache-2.0
// Dueling heads.
#include "core/nn/engines/reference/operations/shared/pass.hpp"

namespace seedbed::reference {

namespace {

// Wang et al., "Dueling Network Architectures", arXiv:1511.06581, equation 9.
void forwardDueling(Pass<Real>& pass, const PlanOp& op) {
    const int n = pass.size(op.output);
    const Real *v = pass.x(op, 0), *a = pass.x(op, 1);
    Real* y = pass.value(op.output);
    for (int row = 0; row < pass.rows; ++row, a += n, y += n) {
        Real mean = 0;
        for (int i = 0; i < n; ++i) mean += a[i];
        mean /= static_cast<Real>(n);
        for (int i = 0; i < n; ++i) y[i] = v[row] + (a[i] - mean);
    }
}

void backwardDueling(Pass<Real>& pass, const PlanOp& op) {
    const int n = pass.size(op.output);
    Real *dv = pass.xGradient(op, 0), *da = pass.xGradient(op, 1);
    const Real* dy = pass.gradient(op.output);
    for (int row = 0; row < pass.rows; ++row, dy += n) {
        Real sum = 0;
        for (int i = 0; i < n; ++i) sum += dy[i];
        if (dv != nullptr) dv[row] += sum;
        if (da == nullptr) continue;
        for (int i = 0; i < n; ++i) da[i] += dy[i] - sum / static_cast<Real>(n);
        da += n;
    }
}

[[maybe_unused]] const bool registered_dueling = registerKernels<Real>({
    .id = "dueling",
    .forward = forwardDueling,
    .backward = backwardDueling,
});

}  // namespace

}  // namespace seedbed::reference
