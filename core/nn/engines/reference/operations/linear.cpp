// SPDX-License-Identifier: Apache-2.0
// Fully connected layers.
#include <algorithm>

#include "core/nn/engines/reference/operations/shared/activation.hpp"
#include "core/nn/engines/reference/operations/shared/gemm.hpp"
#include "core/nn/engines/reference/operations/shared/pass.hpp"

namespace seedbed::reference {

namespace {

void forwardLinear(Pass<Real>& pass, const PlanOp& op) {
    const int in = pass.xSize(op), out = pass.size(op.output);
    const Real* bias = pass.weight(op, 1);
    Real* y = pass.value(op.output);
    for (int row = 0; row < pass.rows; ++row)
        std::copy_n(bias, out, y + static_cast<std::size_t>(row) * static_cast<std::size_t>(out));
    gemm(pass.rows, out, in, Strided<Real>{pass.x(op), in, 1}, pass.weightT(op, 0), out, y, out);
    activate(op.activation, y, static_cast<std::size_t>(pass.rows) * static_cast<std::size_t>(out));
}

void backwardLinear(Pass<Real>& pass, const PlanOp& op) {
    const int in = pass.xSize(op), out = pass.size(op.output);
    Real* dy = pass.gradient(op.output);
    deactivate(op.activation, pass.value(op.output), dy,
               static_cast<std::size_t>(pass.rows) * static_cast<std::size_t>(out));
    if (pass.lane != nullptr) {
        Real* db = pass.weightGradient(op, 1);
        for (int row = 0; row < pass.rows; ++row)
            for (int o = 0; o < out; ++o)
                db[o] += dy[static_cast<std::size_t>(row) * static_cast<std::size_t>(out) +
                            static_cast<std::size_t>(o)];
        gemm(out, in, pass.rows, Strided<Real>{dy, 1, out}, pass.x(op), in, pass.weightGradient(op, 0), in);
    }
    if (Real* dx = pass.xGradient(op))
        gemm(pass.rows, in, out, Strided<Real>{dy, out, 1}, pass.weight(op, 0), in, dx, in);
}

[[maybe_unused]] const bool registered_linear = registerKernels<Real>({
    .id = "linear",
    .forward = forwardLinear,
    .backward = backwardLinear,
    .transposed = 1,
});

}  // namespace

}  // namespace seedbed::reference
