// SPDX-License-Identifier: Apache-2.0
// An activation as a separate operation.
#include <algorithm>

#include "core/nn/engines/native/images.hpp"

namespace seedbed::native {

namespace {

void forwardActivationRow(Work& work, const PlanOp& op, int row) {
    const int size = work.pass.size(op.output);
    float* y = work.yRow(op, row);
    std::copy_n(withLayout(work, op.inputs[0], work.xRow(op, 0, row), work.isLast(op.output), work.scratch),
                size, y);
    work.kernels->activate(op.activation, y, static_cast<std::size_t>(size));
}

void backwardActivationRow(Work& work, const PlanOp& op, int row) {
    const ImageGradients& gradients = work.imageGradients(op);
    if (!gradients.wanted[0]) return;
    const float* dy = work.outputGradient(op, row);
    addImageGradient(work, op.inputs[0], gradients.dx[0], row, dy, work.isLast(op.output));
}

[[maybe_unused]] const bool registered_activation = registerNative({
    .id = "activation",
    .forward_image = forwardActivationRow,
    .backward_image = backwardActivationRow,
    .activates = true,
});

}  // namespace

}  // namespace seedbed::native
