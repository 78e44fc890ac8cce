// SPDX-License-Identifier: Apache-2.0
// Fully connected layers: three matrix products per layer, each with the surrounding operations fused into
// its tiles.
#include "core/nn/engines/native/divide.hpp"
#include "core/nn/engines/native/sparse.hpp"
#include "core/nn/engines/native/weights.hpp"

namespace seedbed::native {

namespace {

// Layers with at most this many outputs use dot products along the inputs, because most lanes of an output
// vector would be unused.
constexpr int kNarrow = 4;

void prepareLinear(Work& work, const PlanOp& op) {
    if (work.pass.size(op.output) > kNarrow) packWeight(work, op, 0);
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

void backwardLinear(Work& work, const PlanOp& op) {
    const int rows = work.pass.rows, in = work.pass.xSize(op), out = work.pass.size(op.output);
    const View x = work.x(op), dy = work.outputGradient(op);
    if (work.pass.lane != nullptr) {
        work.kernels->addColumnSums(rows, out, dy.data, dy.stride, work.pass.weightGradient(op, 1));
        if (work.facts[static_cast<std::size_t>(op.inputs[0])].sparse)
            return addSparseWeightGradient(work, op, dy);
        addWeightGradient(work, rows, in, out, x, dy, work.pass.weightGradient(op, 0));
    }
    Product p{.m = rows,
              .n = in,
              .k = out,
              .a = dy.data,
              .a_row = dy.stride,
              .b = work.pass.weight(op, 0),
              .b_row = in};
    if (work.prepareInputGradient(op, 0, p)) work.kernels->product(p);
}

bool isWide(const NetPlan& plan, const PlanOp& op) {
    return plan.values[static_cast<std::size_t>(op.output)].size() > kNarrow;
}

[[maybe_unused]] const bool registered_linear = registerNative({
    .id = "linear",
    .prepare = prepareLinear,
    .forward = forwardLinear,
    .backward = backwardLinear,
    .reads_ones = isWide,
    .takes_views = true,
    .writes_views = true,
    .activates = true,
});

}  // namespace

}  // namespace seedbed::native
