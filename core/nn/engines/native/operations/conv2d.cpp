// SPDX-License-Identifier: Apache-2.0
// Convolutions without padding, image by image: the forward pass and the gradient of the weights read the
// image in place; the gradient of the input uses one block of patches.
#include <algorithm>

#include "core/nn/engines/native/divide.hpp"

namespace seedbed::native {

namespace {

// The bytes of one row's image, or null if the input operation has converted them to floats.
const std::uint8_t* bytesOf(const Work& work, const PlanOp& op, int row, float& high) {
    const auto input = static_cast<std::size_t>(op.inputs[0]);
    if (!work.facts[input].borrowed) return nullptr;
    const PlanOp& source = work.pass.plan->ops[static_cast<std::size_t>(work.facts[input].producer)];
    const auto leaf = static_cast<std::size_t>(source.leaf);
    high = static_cast<float>(work.pass.plan->spec.spaces.obs[leaf].high);
    return work.pass.panel->obs[leaf] + static_cast<std::size_t>(row) * work.pass.plan->values[input].size();
}

// The image of one row as floats, converted from bytes if necessary.
const float* imageOf(Work& work, const PlanOp& op, int row) {
    const std::size_t size = work.pass.plan->values[static_cast<std::size_t>(op.inputs[0])].size();
    float high = 1;
    const std::uint8_t* bytes = bytesOf(work, op, row, high);
    if (bytes == nullptr) return work.x(op).data + static_cast<std::size_t>(row) * size;
    float* image = grown(work.scratch3, static_cast<std::ptrdiff_t>(size));
    work.kernels->scaleBytes(bytes, high, image, size);
    return image;
}

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
}

// Output pixels [begin, end) of one image; `transposed` is scratch memory for the image's output, or null if
// its channels are last.
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
                 transposed == nullptr ? nullptr : transposed + row * out, work.y(op).data + row * out);
    });
}

void forwardConvRow(Work& work, const PlanOp& op, int row) {
    const ConvGeometry& g = work.geometry(op);
    const std::ptrdiff_t out = work.pass.size(op.output);
    float* transposed = g.last_out ? nullptr : grown(work.scratch, out);
    convolve(work, op, imageOf(work, op, row), 0, g.pixels, transposed, work.y(op).data + row * out);
}

void forwardConv(Work& work, const PlanOp& op) {
    const int pieces =
        piecesOfRow(work, static_cast<double>(work.pass.size(op.output)) * work.geometry(op).taps);
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

void backwardConv(Work& work, const PlanOp& op) {
    ConvGeometry& g = work.geometry(op);
    const int channels = g.to.channels, rows = work.pass.rows;
    const std::ptrdiff_t out = work.pass.size(op.output), in = work.pass.xSize(op);
    const View given = work.outputGradient(op);
    float *transposed = grown(work.scratch, out + std::ptrdiff_t{g.taps} * channels),
          *d_weight = transposed + out;
    std::fill_n(d_weight, std::ptrdiff_t{g.taps} * channels, 0.0f);
    Product dx{};
    const bool wanted = work.prepareInputGradient(op, 0, dx);
    float* patches = wanted ? grown(work.scratch2, std::ptrdiff_t{g.taps} * g.pixels) : nullptr;
    for (int row = 0; row < rows; ++row) {
        const float* dy = given.data + row * out;
        if (!g.last_out) {
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
        if (!wanted) continue;
        float* to = dx.c + row * in;
        if (!dx.add) std::fill_n(to, in, 0.0f);
        addInputGradient(work, g, g.last_in ? g.ordered.data() : work.pass.weight(op, 0), dy, patches, to);
        if (dx.derive != nullptr)
            work.kernels->deactivate(dx.derive_activation, dx.derive + row * in, to,
                                     static_cast<std::size_t>(in));
    }
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

bool hasNoPadding(const NetPlan&, const PlanOp& op) { return op.pad == 0; }

// Convolutions with padding use the reference kernels.
[[maybe_unused]] const bool registered_conv2d = registerNative({
    .id = "conv2d",
    .applies = hasNoPadding,
    .prepare = prepareConv,
    .forward = forwardConv,
    .backward = backwardConv,
    .forward_image = forwardConvRow,
    .takes_views = true,
    .activates = true,
});

}  // namespace

}  // namespace seedbed::native
