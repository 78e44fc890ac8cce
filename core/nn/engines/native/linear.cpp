// SPDX-License-Identifier: Apache-2.0
// Fully connected layers: three products per layer, each with what surrounds it fused into its tiles.
#include "core/nn/engines/native/divide.hpp"

namespace seedbed::native {

void prepareLinear(Work& work, const PlanOp& op) {
    const int in = work.pass.xSize(op), out = work.pass.size(op.output);
    if (out <= kNarrow) return;
    std::vector<float>& to = work.packedOf(op, 0);
    to.resize(packedFloats(*work.kernels, out, in));
    work.kernels->pack(out, in, work.pass.weight(op, 0), in, to.data());
}

void forwardLinear(Work& work, const PlanOp& op) {
    const int rows = work.pass.rows, in = work.pass.xSize(op), out = work.pass.size(op.output);
    if (work.facts[static_cast<std::size_t>(op.inputs[0])].sparse) return forwardSparse(work, op);
    const View x = work.x(op), y = work.y(op);
    const float* bias = work.pass.weight(op, 1);
    if (out <= kNarrow) {
        work.kernels->dots(rows, out, in, x.data, x.stride, work.pass.weight(op, 0), bias, y.data, y.stride);
        if (op.activation != Activation::none)
            work.kernels->activate(op.activation, y.data,
                                   static_cast<std::size_t>(rows) * static_cast<std::size_t>(out));
        return;
    }
    const auto columns = [&](int row, int count, int begin, int end) {
        work.kernels->product({.m = count,
                               .n = end - begin,
                               .k = in,
                               .a = x.data + row * x.stride,
                               .a_row = x.stride,
                               .b = work.packedWeight(op, 0) + std::ptrdiff_t{begin} * in,
                               .packed = true,
                               .c = y.data + row * y.stride + begin,
                               .c_row = y.stride,
                               .bias = bias + begin,
                               .activation = op.activation});
    };
    const int pieces = piecesOfRow(work, static_cast<double>(in) * out);
    if (pieces == 1) return columns(0, rows, 0, out);
    divide(work, pieces, out, work.kernels->panel,
           [&](int row, int begin, int end) { columns(row, 1, begin, end); });
}

void addWeightGradient(Work& work, int rows, int in, int out, View x, View dy, float* d_weight) {
    if (in >= work.kernels->lanes || in >= out) {
        work.kernels->product({.m = out,
                               .n = in,
                               .k = rows,
                               .a = dy.data,
                               .a_row = 1,
                               .a_column = dy.stride,
                               .b = x.data,
                               .b_row = x.stride,
                               .c = d_weight,
                               .c_row = in,
                               .add = true});
        return;
    }
    // With few inputs the vectors run along the outputs, and the result is added transposed.
    float* turned = grown(work.scratch, std::ptrdiff_t{in} * out);
    work.kernels->product({.m = in,
                           .n = out,
                           .k = rows,
                           .a = x.data,
                           .a_row = 1,
                           .a_column = x.stride,
                           .b = dy.data,
                           .b_row = dy.stride,
                           .c = turned,
                           .c_row = out});
    work.kernels->turn(in, out, turned, out, d_weight, in, true);
}

void backwardLinear(Work& work, const PlanOp& op) {
    const int rows = work.pass.rows, in = work.pass.xSize(op), out = work.pass.size(op.output);
    const View x = work.x(op), dy = work.takeGradient(op);
    work.kernels->addColumnSums(rows, out, dy.data, dy.stride, work.pass.weightGradient(op, 1));
    if (work.facts[static_cast<std::size_t>(op.inputs[0])].sparse)
        return addSparseWeightGradient(work, op, dy);
    addWeightGradient(work, rows, in, out, x, dy, work.pass.weightGradient(op, 0));
    Product p{.m = rows,
              .n = in,
              .k = out,
              .a = dy.data,
              .a_row = dy.stride,
              .b = work.pass.weight(op, 0),
              .b_row = in};
    if (work.giveGradient(op, 0, p)) work.kernels->product(p);
}

}  // namespace seedbed::native
