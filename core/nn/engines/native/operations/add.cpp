// SPDX-License-Identifier: Apache-2.0
// The sum of two values.
#include <algorithm>

#include "core/nn/engines/native/images.hpp"

namespace seedbed::native {

namespace {

void forwardAddRow(Work& work, const PlanOp& op, int row) {
    const int size = work.pass.size(op.output);
    const bool last = work.isLast(op.output);
    float* y = work.yRow(op, row);
    std::copy_n(withLayout(work, op.inputs[0], work.xRow(op, 0, row), last, work.scratch), size, y);
    work.kernels->addRun(withLayout(work, op.inputs[1], work.xRow(op, 1, row), last, work.scratch), y, size);
}

void backwardAddRow(Work& work, const PlanOp& op, int row) {
    const ImageGradients& gradients = work.imageGradients(op);
    const float* dy = work.outputGradient(op, row);
    for (std::size_t i = 0; i < 2; ++i)
        if (gradients.wanted[i])
            addImageGradient(work, op.inputs[i], gradients.dx[i], row, dy, work.isLast(op.output));
}

[[maybe_unused]] const bool registered_add = registerNative({
    .id = "add",
    .forward_image = forwardAddRow,
    .backward_image = backwardAddRow,
});

}  // namespace

}  // namespace seedbed::native
