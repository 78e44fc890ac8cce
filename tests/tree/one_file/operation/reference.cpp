// SPDX-License-Identifier: Apache-2.0
// The operation in the reference engine, and in the native engine, which has no kernel for it.
#include "core/nn/engines/reference/operations/shared/pass.hpp"

namespace seedbed::reference {
namespace {

void forwardTwice(Pass<Real>& pass, const PlanOp& op) {
    const Real* x = pass.x(op);
    Real* y = pass.value(op.output);
    for (std::size_t i = 0; i < pass.count(op.output); ++i) y[i] = 2 * x[i];
}

void backwardTwice(Pass<Real>& pass, const PlanOp& op) {
    const Real* dy = pass.gradient(op.output);
    if (Real* dx = pass.xGradient(op))
        for (std::size_t i = 0; i < pass.count(op.output); ++i) dx[i] += 2 * dy[i];
}

[[maybe_unused]] const bool registered_kernels = registerKernels<Real>({
    .id = "one_file_operation",
    .forward = forwardTwice,
    .backward = backwardTwice,
});

}  // namespace
}  // namespace seedbed::reference
