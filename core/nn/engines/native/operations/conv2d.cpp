// SPDX-License-Identifier: Apache-2.0
// Convolutions, image by image. Without padding, the forward pass and the gradient of the weights read the
// image in place; the gradient of the input is computed from one block of patches. See padded_conv.hpp for
// the others.
#include <algorithm>

#include "core/nn/engines/native/divide.hpp"
#include "core/nn/engines/native/images.hpp"
#include "core/nn/engines/native/padded_conv.hpp"

namespace seedbed::native {

namespace {

void prepareConv(Work& work, const PlanOp& op) {
    ConvGeometry& g = work.geometry(op);
    const float* weight = work.pass.weight(op, 0);
    const int in = g.from.channels, area = g.kernel * g.kernel;
    if (g.last_in) {
        g.ordered.resize(static_cast<std::size_t>(g.taps) * static_cast<std::size_t>(g.to.channels));
        for (int o = 0; o < g.to.channels; ++o)
            work.kernels->transpose(in, area, weight + std::ptrdiff_t{o} * g.taps, area,
                                    g.ordered.data() + std::ptrdiff_t{o} * g.taps, in, false);
        weight = g.ordered.data();
    }
    std::vector<float>& to = work.packedOf(op, 0);
    to.resize(packedFloats(*work.kernels, g.to.channels, g.taps));
    work.kernels->pack(g.to.channels, g.taps, weight, g.taps, to.data());
    g.is_reversed = false;
}

// Output pixels [begin, end) of one image; `transposed` is scratch memory for the image's output, or null if
// the channels of the output are last.
void convolve(Work& work, const PlanOp& op, const float* image, int begin, int end, float* transposed,
              float* y) {
    const ConvGeometry& g = work.geometry(op);
    const int channels = g.to.channels;
    float* to = (transposed == nullptr ? y : transposed) + std::ptrdiff_t{begin} * channels;
    work.kernels->windowProduct({.m = end - begin,
                                 .n = channels,
                                 .a = image,
                                 .row_offset = g.pixel.data() + begin,
                                 .group = g.pixel_group,
                                 .row_step = g.pixel_step,
                                 .segments = g.segments,
                                 .run = g.run,
                                 .segment_offset = g.segment.data(),
                                 .k_step = 1,
                                 .b = work.packedWeight(op, 0),
                                 .packed = true,
                                 .c = to,
                                 .c_row = channels,
                                 .bias = work.pass.weight(op, 1),
                                 .activation = op.activation});
    if (transposed != nullptr)
        work.kernels->transpose(end - begin, channels, to, channels, y + begin, g.pixels, false);
}

// For few images and several threads: first convert all images, then compute all pixels.
void forwardConvDivided(Work& work, const PlanOp& op, int pieces) {
    const ConvGeometry& g = work.geometry(op);
    const std::ptrdiff_t out = work.pass.size(op.output), in = work.pass.xSize(op), rows = work.pass.rows;
    const float* images = work.x(op).data;
    float high = 1;
    if (const std::uint8_t* bytes = bytesOf(work, op, 0, high)) {
        float* floats = grown(work.scratch3, rows * in);
        divide(work, pieces, static_cast<int>(in), 64, [&](int row, int begin, int end) {
            work.kernels->scaleBytes(bytes + row * in + begin, high, floats + row * in + begin,
                                     static_cast<std::size_t>(end - begin));
        });
        images = floats;
    }
    float* transposed = g.last_out ? nullptr : grown(work.scratch, rows * out);
    divide(work, pieces, g.pixels, g.pixel_group, [&](int row, int begin, int end) {
        convolve(work, op, images + row * in, begin, end,
                 transposed == nullptr ? nullptr : transposed + row * out, work.yRow(op, row));
    });
}

void forwardConvRow(Work& work, const PlanOp& op, int row) {
    const ConvGeometry& g = work.geometry(op);
    if (g.pad > 0) return forwardPaddedRow(work, op, row);
    float* transposed = g.last_out ? nullptr : grown(work.scratch, work.pass.size(op.output));
    convolve(work, op, imageOf(work, op, row), 0, g.pixels, transposed, work.yRow(op, row));
}

void forwardConv(Work& work, const PlanOp& op) {
    const int pieces =
        piecesOfRow(work, static_cast<double>(work.pass.size(op.output)) * work.geometry(op).taps);
    if (pieces > 1 && work.geometry(op).pad > 0) return forwardPaddedDivided(work, op, pieces);
    if (pieces > 1) return forwardConvDivided(work, op, pieces);
    for (int row = 0; row < work.pass.rows; ++row) forwardConvRow(work, op, row);
}

// dx of one image += the transposed convolution of dy [pixels, channels]; `patches`: [pixels, taps].
void addInputGradient(Work& work, const ConvGeometry& g, const float* weight, const float* dy, float* patches,
                      float* dx) {
    work.kernels->product({.m = g.pixels,
                           .n = g.taps,
                           .k = g.to.channels,
                           .a = dy,
                           .a_row = g.to.channels,
                           .b = weight,
                           .b_row = g.taps,
                           .c = patches,
                           .c_row = g.taps});
    for (int p = 0; p < g.pixels; ++p)
        for (int s = 0; s < g.segments; ++s)
            work.kernels->addRun(
                patches + std::ptrdiff_t{p} * g.taps + std::ptrdiff_t{s} * g.run,
                dx + g.pixel[static_cast<std::size_t>(p)] + g.segment[static_cast<std::size_t>(s)], g.run);
}

// The sums of the gradients of the weights, [taps, out channels].
float* weightSums(Work& work, const PlanOp& op) {
    const ConvGeometry& g = work.geometry(op);
    return work.pass.save(op, static_cast<std::size_t>(g.taps) * static_cast<std::size_t>(g.to.channels));
}

void beginBackwardConv(Work& work, const PlanOp& op) {
    const ConvGeometry& g = work.geometry(op);
    std::fill_n(weightSums(work, op), std::ptrdiff_t{g.taps} * g.to.channels, 0.0f);
}

void backwardConvRow(Work& work, const PlanOp& op, int row) {
    const ConvGeometry& g = work.geometry(op);
    float* d_weight = weightSums(work, op);
    if (g.pad > 0) return backwardPaddedRow(work, op, row, d_weight);
    const int channels = g.to.channels;
    const std::ptrdiff_t in = work.pass.xSize(op);
    const float* dy = work.outputGradient(op, row);
    if (!g.last_out) {
        float* transposed = grown(work.scratch, work.pass.size(op.output));
        work.kernels->transpose(channels, g.pixels, dy, g.pixels, transposed, channels, false);
        dy = transposed;
    }
    work.kernels->addColumnSums(g.pixels, channels, dy, channels, work.pass.weightGradient(op, 1));
    work.kernels->windowProduct({.m = g.taps,
                                 .n = channels,
                                 .a = imageOf(work, op, row),
                                 .row_offset = g.tap.data(),
                                 .group = g.tap_group,
                                 .row_step = 1,
                                 .segments = g.to.height,
                                 .run = g.to.width,
                                 .segment_offset = g.line.data(),
                                 .k_step = g.pixel_step,
                                 .b = dy,
                                 .b_row = channels,
                                 .c = d_weight,
                                 .c_row = channels,
                                 .add = true});
    if (!work.imageGradients(op).wanted[0]) return;
    const Product& dx = work.imageGradients(op).dx[0];
    float* to = dx.c + row * dx.c_row;
    if (!dx.add) std::fill_n(to, in, 0.0f);
    addInputGradient(work, g, g.last_in ? g.ordered.data() : work.pass.weight(op, 0), dy,
                     grown(work.scratch2, std::ptrdiff_t{g.taps} * g.pixels), to);
    if (dx.derive != nullptr)
        work.kernels->deactivate(dx.derive_activation, dx.derive + row * dx.derive_row, to,
                                 static_cast<std::size_t>(in));
}

void endBackwardConv(Work& work, const PlanOp& op) {
    const ConvGeometry& g = work.geometry(op);
    const int channels = g.to.channels;
    const float* d_weight = weightSums(work, op);
    float* lane = work.pass.weightGradient(op, 0);
    if (!g.last_in) {
        work.kernels->transpose(g.taps, channels, d_weight, channels, lane, g.taps, true);
        return;
    }
    // [ky, kx, in] x out -> out x [in, ky, kx], via the transposed sums.
    const int inputs = g.from.channels, area = g.kernel * g.kernel;
    float* sums = grown(work.scratch2, std::ptrdiff_t{g.taps} * channels);
    work.kernels->transpose(g.taps, channels, d_weight, channels, sums, g.taps, false);
    for (int o = 0; o < channels; ++o)
        work.kernels->transpose(area, inputs, sums + std::ptrdiff_t{o} * g.taps, inputs,
                                lane + std::ptrdiff_t{o} * g.taps, area, true);
}

[[maybe_unused]] const bool registered_conv2d = registerNative({
    .id = "conv2d",
    .prepare = prepareConv,
    .forward = forwardConv,
    .forward_image = forwardConvRow,
    .backward_begin = beginBackwardConv,
    .backward_image = backwardConvRow,
    .backward_end = endBackwardConv,
    .takes_views = true,
    .takes_bytes = true,
    .activates = true,
});

}  // namespace

}  // namespace seedbed::native
