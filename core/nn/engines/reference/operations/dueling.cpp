// SPDX-License-Identifier: Apache-2.0
// Dueling heads.
#include "core/nn/engines/reference/operations/shared/pass.hpp"

namespace seedbed::reference {

namespace {

// Wang et al., "Dueling Network Architectures", arXiv:1511.06581, equation 9, for each of k values per
// action.
void forwardDueling(Pass<Real>& pass, const PlanOp& op) {
    const int size = pass.size(op.output), k = pass.xSize(op, 0), n = size / k;
    const Real *v = pass.x(op, 0), *a = pass.x(op, 1);
    Real* y = pass.value(op.output);
    for (int row = 0; row < pass.rows; ++row, a += size, y += size, v += k)
        for (int j = 0; j < k; ++j) {
            Real mean = 0;
            for (int i = 0; i < n; ++i) mean += a[i * k + j];
            mean /= static_cast<Real>(n);
            for (int i = 0; i < n; ++i) y[i * k + j] = v[j] + (a[i * k + j] - mean);
        }
}

void backwardDueling(Pass<Real>& pass, const PlanOp& op) {
    const int size = pass.size(op.output), k = pass.xSize(op, 0), n = size / k;
    Real *dv = pass.xGradient(op, 0), *da = pass.xGradient(op, 1);
    const Real* dy = pass.gradient(op.output);
    for (int row = 0; row < pass.rows; ++row, dy += size)
        for (int j = 0; j < k; ++j) {
            Real sum = 0;
            for (int i = 0; i < n; ++i) sum += dy[i * k + j];
            if (dv != nullptr) dv[row * k + j] += sum;
            if (da == nullptr) continue;
            for (int i = 0; i < n; ++i)
                da[row * size + i * k + j] += dy[i * k + j] - sum / static_cast<Real>(n);
        }
}

[[maybe_unused]] const bool registered_dueling = registerKernels<Real>({
    .id = "dueling",
    .forward = forwardDueling,
    .backward = backwardDueling,
});

}  // namespace

}  // namespace seedbed::reference
