// SPDX-License-Identifier: Apache-2.0
// Means of groups.
#include "core/nn/engines/reference/operations/shared/pass.hpp"

namespace seedbed::reference {

namespace {

void forwardGroupMean(Pass<Real>& pass, const PlanOp& op) {
    const int k = pass.xSize(op) / pass.size(op.output);
    const Real* x = pass.x(op);
    Real* y = pass.value(op.output);
    for (std::size_t group = 0; group < pass.count(op.output); ++group, x += k) {
        Real sum = 0;
        for (int j = 0; j < k; ++j) sum += x[j];
        y[group] = sum / static_cast<Real>(k);
    }
}

void backwardGroupMean(Pass<Real>& pass, const PlanOp& op) {
    const int k = pass.xSize(op) / pass.size(op.output);
    const Real* dy = pass.gradient(op.output);
    Real* dx = pass.xGradient(op);
    if (dx == nullptr) return;
    for (std::size_t group = 0; group < pass.count(op.output); ++group, dx += k)
        for (int j = 0; j < k; ++j) dx[j] += dy[group] / static_cast<Real>(k);
}

[[maybe_unused]] const bool registered_group_mean = registerKernels<Real>({
    .id = "group_mean",
    .forward = forwardGroupMean,
    .backward = backwardGroupMean,
});

}  // namespace

}  // namespace seedbed::reference
