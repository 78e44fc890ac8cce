// SPDX-License-Identifier: Apache-2.0
// Concatenation.
#include <algorithm>

#include "core/nn/engines/reference/operations/shared/pass.hpp"

namespace seedbed::reference {

namespace {

void forwardConcat(Pass<Real>& pass, const PlanOp& op) {
    const int size = pass.size(op.output);
    int begin = 0;
    for (int input = 0; input < static_cast<int>(op.inputs.size()); ++input) {
        const int width = pass.xSize(op, input);
        const Real* x = pass.x(op, input);
        Real* y = pass.value(op.output) + begin;
        for (int row = 0; row < pass.rows; ++row, x += width, y += size) std::copy_n(x, width, y);
        begin += width;
    }
}

void backwardConcat(Pass<Real>& pass, const PlanOp& op) {
    const int size = pass.size(op.output);
    int begin = 0;
    for (int input = 0; input < static_cast<int>(op.inputs.size()); ++input) {
        const int width = pass.xSize(op, input);
        if (Real* dx = pass.xGradient(op, input)) {
            const Real* dy = pass.gradient(op.output) + begin;
            for (int row = 0; row < pass.rows; ++row, dx += width, dy += size)
                for (int i = 0; i < width; ++i) dx[i] += dy[i];
        }
        begin += width;
    }
}

[[maybe_unused]] const bool registered_concat = registerKernels<Real>({
    .id = "concat",
    .forward = forwardConcat,
    .backward = backwardConcat,
});

}  // namespace

}  // namespace seedbed::reference
