// SPDX-License-Identifier: Apache-2.0
// An activation as a separate operation.
#include <algorithm>

#include "core/nn/engines/reference/operations/shared/activation.hpp"
#include "core/nn/engines/reference/operations/shared/pass.hpp"

namespace seedbed::reference {

namespace {

void forwardActivation(Pass<Real>& pass, const PlanOp& op) {
    std::copy_n(pass.x(op), pass.count(op.output), pass.value(op.output));
    activate(op.activation, pass.value(op.output), pass.count(op.output));
}

void backwardActivation(Pass<Real>& pass, const PlanOp& op) {
    Real *dx = pass.xGradient(op), *dy = pass.gradient(op.output);
    if (dx == nullptr) return;
    deactivate(op.activation, pass.value(op.output), dy, pass.count(op.output));
    for (std::size_t i = 0; i < pass.count(op.output); ++i) dx[i] += dy[i];
}

[[maybe_unused]] const bool registered_activation = registerKernels<Real>({
    .id = "activation",
    .forward = forwardActivation,
    .backward = backwardActivation,
});

}  // namespace

}  // namespace seedbed::reference
