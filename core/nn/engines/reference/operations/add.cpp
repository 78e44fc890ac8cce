// SPDX-License-Identifier: Apache-2.0
// The sum of two values.
#include "core/nn/engines/reference/operations/shared/pass.hpp"

namespace seedbed::reference {

namespace {

void forwardAdd(Pass<Real>& pass, const PlanOp& op) {
    const Real *a = pass.x(op, 0), *b = pass.x(op, 1);
    Real* y = pass.value(op.output);
    for (std::size_t i = 0; i < pass.count(op.output); ++i) y[i] = a[i] + b[i];
}

void backwardAdd(Pass<Real>& pass, const PlanOp& op) {
    const Real* dy = pass.gradient(op.output);
    for (int input = 0; input < 2; ++input)
        if (Real* dx = pass.xGradient(op, input))
            for (std::size_t i = 0; i < pass.count(op.output); ++i) dx[i] += dy[i];
}

[[maybe_unused]] const bool registered_add = registerKernels<Real>({
    .id = "add",
    .forward = forwardAdd,
    .backward = backwardAdd,
});

}  // namespace

}  // namespace seedbed::reference
