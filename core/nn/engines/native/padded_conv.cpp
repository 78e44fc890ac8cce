// SPDX-License-Identifier: Apache-2.0
#include "core/nn/engines/native/padded_conv.hpp"

#include <algorithm>

#include "core/nn/engines/native/divide.hpp"
#include "core/nn/engines/native/images.hpp"

namespace seedbed::native {

namespace {

// The parts of image and gradient that are in the L1 cache while the gradient of the weights is summed.
constexpr std::ptrdiff_t kBlockFloats = 6144;

std::ptrdiff_t lineFloats(const ConvGeometry& g) { return std::ptrdiff_t{g.from.width} * g.from.channels; }

void copyPadded(Work& work, const PlanOp& op, int row, float* to) {
    const ConvGeometry& g = work.geometry(op);
    copyWithBorder(work, g.image, imageOf(work, op, row), work.isLast(op.inputs[0]), g.pad, g.from.channels,
                   to);
}

// Lines [begin, end) of one output image; `padded` is the image with its border.
void convolveLines(Work& work, const PlanOp& op, const float* padded, int begin, int end, float* transposed,
                   float* y) {
    const ConvGeometry& g = work.geometry(op);
    const int channels = g.to.channels;
    const std::ptrdiff_t line = lineFloats(g), first = std::ptrdiff_t{begin} * g.to.width;
    float* to = (transposed == nullptr ? y : transposed) + first * channels;
    work.kernels->lineProduct({.lines = end - begin,
                               .width = g.to.width,
                               .n = channels,
                               .a = padded + begin * g.stride * line,
                               .a_line = g.stride * line,
                               .a_step = std::ptrdiff_t{g.stride} * g.from.channels,
                               .segments = g.kernel,
                               .run = g.run,
                               .segment = line,
                               .b = work.packedWeight(op, 0),
                               .packed = true,
                               .c = to,
                               .c_line = std::ptrdiff_t{g.to.width} * channels,
                               .c_row = channels,
                               .bias = work.pass.weight(op, 1),
                               .activation = op.activation});
    if (transposed != nullptr)
        work.kernels->transpose((end - begin) * g.to.width, channels, to, channels, y + first, g.pixels,
                                false);
}

bool isGathered(const ConvGeometry& g) { return g.stride == 1 && g.pad < g.kernel; }

// The packed weights [kernel, kernel, stride of dy] x in of the reversed kernel.
const float* reversedPack(Work& work, ConvGeometry& g, std::ptrdiff_t dy_stride) {
    if (g.is_reversed) return g.reversed_pack.data();
    const int in = g.from.channels, area = g.kernel * g.kernel;
    const std::ptrdiff_t depth = area * dy_stride;
    g.reversed.assign(static_cast<std::size_t>(in * depth), 0.0f);
    for (int tap = 0; tap < area; ++tap)
        work.kernels->transpose(g.to.channels, in, g.ordered.data() + std::ptrdiff_t{area - 1 - tap} * in,
                                g.taps, g.reversed.data() + tap * dy_stride, depth, false);
    g.reversed_pack.resize(packedFloats(*work.kernels, in, static_cast<int>(depth)));
    work.kernels->pack(in, static_cast<int>(depth), g.reversed.data(), depth, g.reversed_pack.data());
    g.is_reversed = true;
    return g.reversed_pack.data();
}

// The gradient of the output, channels last, with a border and with channels padded to whole vectors.
struct Bordered {
    const float* data = nullptr;
    int border = 0;
    std::ptrdiff_t stride = 0, line = 0;  // floats per pixel and per line
    const float* inner() const { return data + border * (line + stride); }
};

Bordered borderedGradient(Work& work, const ConvGeometry& g, const float* dy, bool gathered) {
    const int lanes = work.kernels->lanes;
    Bordered b;
    b.border = gathered ? g.kernel - 1 - g.pad : 0;
    b.stride = (g.to.channels + lanes - 1) / lanes * lanes;
    b.line = (g.to.width + 2 * b.border) * b.stride;
    if (b.border == 0 && b.stride == g.to.channels && g.last_out) {
        b.data = dy;
        return b;
    }
    float* to = grown(work.scratch, (g.to.height + 2 * b.border) * b.line);
    copyWithBorder(work, g.to, dy, g.last_out, b.border, b.stride, to);
    b.data = to;
    return b;
}

void addWeightGradients(Work& work, const PlanOp& op, int row, const Bordered& dy, float* d_weight) {
    const ConvGeometry& g = work.geometry(op);
    const int channels = g.to.channels;
    const std::ptrdiff_t line = lineFloats(g);
    for (int y = 0; y < g.to.height; ++y)
        work.kernels->addColumnSums(g.to.width, channels, dy.inner() + y * dy.line, dy.stride,
                                    work.pass.weightGradient(op, 1));
    float* padded = grown(work.scratch2, static_cast<std::ptrdiff_t>(g.from.size()));
    copyPadded(work, op, row, padded);
    const int block =
        static_cast<int>(std::max(std::ptrdiff_t{1}, kBlockFloats / (g.stride * line + dy.line)));
    for (int y = 0; y < g.to.height; y += block)
        work.kernels->lineProduct({.lines = g.kernel,
                                   .width = g.run,
                                   .n = channels,
                                   .a = padded + y * g.stride * line,
                                   .a_line = line,
                                   .a_step = 1,
                                   .segments = std::min(block, g.to.height - y),
                                   .run = g.to.width,
                                   .segment = g.stride * line,
                                   .k_step = std::ptrdiff_t{g.stride} * g.from.channels,
                                   .b = dy.inner() + y * dy.line,
                                   .b_row = dy.stride,
                                   .b_segment = dy.line,
                                   .c = d_weight,
                                   .c_line = std::ptrdiff_t{g.run} * channels,
                                   .c_row = channels,
                                   .add = true});
}

void gatherInputGradient(Work& work, const PlanOp& op, int row, const Bordered& dy, const Product& dx) {
    ConvGeometry& g = work.geometry(op);
    const bool last = work.isLast(op.inputs[0]);
    const int in = g.image.channels;
    LineProduct p{.lines = g.image.height,
                  .width = g.image.width,
                  .n = in,
                  .a = dy.data,
                  .a_line = dy.line,
                  .a_step = dy.stride,
                  .segments = g.kernel,
                  .run = static_cast<int>(g.kernel * dy.stride),
                  .segment = dy.line,
                  .b = reversedPack(work, g, dy.stride),
                  .packed = true,
                  .c_line = std::ptrdiff_t{g.image.width} * in,
                  .c_row = in};
    if (last) {
        p.c = dx.c + row * dx.c_row;
        p.add = dx.add;
        p.derive = dx.derive == nullptr ? nullptr : dx.derive + row * dx.derive_row;
        p.derive_activation = dx.derive_activation;
        return work.kernels->lineProduct(p);
    }
    p.c = grown(work.scratch2, static_cast<std::ptrdiff_t>(g.image.size()));
    work.kernels->lineProduct(p);
    addImageGradient(work, op.inputs[0], dx, row, p.c, true);
}

// Sums patches in an image with border, then removes the border.
void scatterInputGradient(Work& work, const PlanOp& op, int row, const Bordered& dy, const Product& dx) {
    const ConvGeometry& g = work.geometry(op);
    const auto size = static_cast<std::ptrdiff_t>(g.from.size());
    float* image = grown(work.scratch2, size + std::ptrdiff_t{g.taps} * g.pixels);
    float* patches = std::fill_n(image, size, 0.0f);
    work.kernels->product({.m = g.pixels,
                           .n = g.taps,
                           .k = g.to.channels,
                           .a = dy.data,
                           .a_row = dy.stride,
                           .b = g.ordered.data(),
                           .b_row = g.taps,
                           .c = patches,
                           .c_row = g.taps});
    for (const std::int32_t pixel : g.pixel)
        for (const std::int32_t segment : g.segment) {
            work.kernels->addRun(patches, image + pixel + segment, g.run);
            patches += g.run;
        }
    const std::ptrdiff_t inner = std::ptrdiff_t{g.image.width} * g.image.channels, line = lineFloats(g);
    const float* from = image + g.pad * line + std::ptrdiff_t{g.pad} * g.image.channels;
    for (int y = 0; y < g.image.height; ++y) std::copy_n(from + y * line, inner, image + y * inner);
    addImageGradient(work, op.inputs[0], dx, row, image, true);
}

}  // namespace

void forwardPaddedRow(Work& work, const PlanOp& op, int row) {
    const ConvGeometry& g = work.geometry(op);
    float* padded = grown(work.scratch2, static_cast<std::ptrdiff_t>(g.from.size()));
    copyPadded(work, op, row, padded);
    float* transposed = g.last_out ? nullptr : grown(work.scratch, static_cast<std::ptrdiff_t>(g.to.size()));
    convolveLines(work, op, padded, 0, g.to.height, transposed, work.yRow(op, row));
}

void forwardPaddedDivided(Work& work, const PlanOp& op, int pieces) {
    const ConvGeometry& g = work.geometry(op);
    const auto in = static_cast<std::ptrdiff_t>(g.from.size()),
               out = static_cast<std::ptrdiff_t>(g.to.size());
    const int rows = work.pass.rows;
    float* padded = grown(work.scratch2, rows * in);
    for (int row = 0; row < rows; ++row) copyPadded(work, op, row, padded + row * in);
    float* transposed = g.last_out ? nullptr : grown(work.scratch, rows * out);
    divide(work, pieces, g.to.height, 1, [&](int row, int begin, int end) {
        convolveLines(work, op, padded + row * in, begin, end,
                      transposed == nullptr ? nullptr : transposed + row * out, work.yRow(op, row));
    });
}

void backwardPaddedRow(Work& work, const PlanOp& op, int row, float* d_weight) {
    const ConvGeometry& g = work.geometry(op);
    const ImageGradients& gradients = work.imageGradients(op);
    const bool gathered = gradients.wanted[0] && isGathered(g);
    const Bordered dy = borderedGradient(work, g, work.outputGradient(op, row), gathered);
    if (work.pass.lane != nullptr) addWeightGradients(work, op, row, dy, d_weight);
    if (!gradients.wanted[0]) return;
    if (gathered) gatherInputGradient(work, op, row, dy, gradients.dx[0]);
    else scatterInputGradient(work, op, row, dy, gradients.dx[0]);
}

}  // namespace seedbed::native
