// SPDX-License-Identifier: Apache-2.0
// Max pooling, image by image with channels last.
#include <algorithm>

#include "core/nn/engines/native/images.hpp"

namespace seedbed::native {

namespace {

PoolImage poolOf(Work& work, const PlanOp& op, int row) {
    const int size = work.pass.size(op.output);
    PoolImage p;
    p.from = work.pass.shape(op.inputs[0]);
    p.to = work.pass.shape(op.output);
    p.kernel = op.kernel;
    p.stride = op.stride;
    p.pad = op.pad;
    if (work.keeps_tape)
        p.picked = work.pass.save(op, work.pass.count(op.output)) + std::ptrdiff_t{row} * size;
    return p;
}

void forwardPoolRow(Work& work, const PlanOp& op, int row) {
    PoolImage p = poolOf(work, op, row);
    p.x = withLayout(work, op.inputs[0], work.xRow(op, 0, row), true, work.scratch);
    const bool last = work.isLast(op.output);
    float* y = work.yRow(op, row);
    p.y = last ? y : grown(work.scratch2, work.pass.size(op.output));
    work.kernels->poolForward(p);
    const int pixels = p.to.height * p.to.width;
    if (!last) work.kernels->transpose(pixels, p.to.channels, p.y, p.to.channels, y, pixels, false);
}

void backwardPoolRow(Work& work, const PlanOp& op, int row) {
    const ImageGradients& gradients = work.imageGradients(op);
    if (!gradients.wanted[0]) return;
    const Product& dx = gradients.dx[0];
    PoolImage p = poolOf(work, op, row);
    p.dy = withLayout(work, op.output, work.outputGradient(op, row), true, work.scratch);
    const std::ptrdiff_t in = work.pass.xSize(op);
    const bool in_place = work.isLast(op.inputs[0]);
    p.dx = in_place ? dx.c + row * dx.c_row : grown(work.scratch2, in);
    if (!in_place || !dx.add) std::fill_n(p.dx, in, 0.0f);
    work.kernels->poolBackward(p);
    if (!in_place) addImageGradient(work, op.inputs[0], dx, row, p.dx, true);
    else if (dx.derive != nullptr)
        work.kernels->deactivate(dx.derive_activation, dx.derive + row * dx.derive_row, p.dx,
                                 static_cast<std::size_t>(in));
}

[[maybe_unused]] const bool registered_max_pool = registerNative({
    .id = "max_pool",
    .forward_image = forwardPoolRow,
    .backward_image = backwardPoolRow,
});

}  // namespace

}  // namespace seedbed::native
