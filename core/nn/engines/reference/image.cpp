// SPDX-License-Identifier: Apache-2.0
// Convolution (each row's patches as a matrix, then one product) and max pooling.
#include <algorithm>
#include <limits>

#include "core/nn/engines/reference/activation.hpp"
#include "core/nn/engines/reference/gemm.hpp"
#include "core/nn/engines/reference/pass.hpp"

namespace seedbed::reference {

namespace {

struct Window {
    PlanValue from, to;
    int kernel, stride, pad;
    std::ptrdiff_t pixels() const { return std::ptrdiff_t{to.height} * to.width; }
    std::ptrdiff_t taps() const {
        return std::ptrdiff_t{from.channels} * kernel * kernel;
    }  // inputs of one output pixel
};

template <class F>
Window windowOf(const Pass<F>& pass, const PlanOp& op) {
    return {pass.shape(op.inputs[0]), pass.shape(op.output), op.kernel, op.stride, op.pad};
}

// Calls visit(tap, output pixel, input index) for every tap of every output pixel that lies inside the image.
template <class Visit>
void forTaps(const Window& w, const Visit& visit) {
    for (int c = 0, tap = 0; c < w.from.channels; ++c) {
        for (int ky = 0; ky < w.kernel; ++ky) {
            for (int kx = 0; kx < w.kernel; ++kx, ++tap) {
                // Output columns whose tap lies inside: 0 <= ox * stride + kx - pad < width.
                const int left = std::max(0, (w.pad - kx + w.stride - 1) / w.stride);
                const int right = w.from.width - 1 + w.pad - kx < 0
                                      ? 0
                                      : std::min(w.to.width, (w.from.width - 1 + w.pad - kx) / w.stride + 1);
                for (int oy = 0; oy < w.to.height; ++oy) {
                    const int y = oy * w.stride + ky - w.pad;
                    if (y < 0 || y >= w.from.height) continue;
                    const int from = (c * w.from.height + y) * w.from.width + kx - w.pad;
                    for (int ox = left; ox < right; ++ox)
                        visit(tap, oy * w.to.width + ox, from + ox * w.stride);
                }
            }
        }
    }
}

}  // namespace

template <class F>
void forwardConv2d(Pass<F>& pass, const PlanOp& op) {
    const Window w = windowOf(pass, op);
    const std::ptrdiff_t pixels = w.pixels(), taps = w.taps(), in = pass.xSize(op),
                         out = pass.size(op.output);
    F* patches = Pass<F>::grown(pass.scratch, static_cast<std::size_t>(taps * pixels));
    // Taps outside the image stay zero for all rows.
    std::fill_n(patches, taps * pixels, F(0));
    const F* bias = pass.weight(op, 1);
    for (int row = 0; row < pass.rows; ++row) {
        const F* x = pass.x(op) + row * in;
        F* y = pass.value(op.output) + row * out;
        forTaps(w, [&](int tap, int pixel, int from) { patches[tap * pixels + pixel] = x[from]; });
        for (int c = 0; c < w.to.channels; ++c) std::fill_n(y + c * pixels, pixels, bias[c]);
        gemm(w.to.channels, static_cast<int>(pixels), static_cast<int>(taps),
             Strided<F>{pass.weight(op, 0), taps, 1}, patches, pixels, y, pixels);
        activate(op.activation, y, static_cast<std::size_t>(out));
    }
}

template <class F>
void backwardConv2d(Pass<F>& pass, const PlanOp& op) {
    const Window w = windowOf(pass, op);
    const std::ptrdiff_t pixels = w.pixels(), taps = w.taps(), in = pass.xSize(op),
                         out = pass.size(op.output);
    const auto size = static_cast<std::size_t>(taps) * static_cast<std::size_t>(pixels);
    F *patches = Pass<F>::grown(pass.scratch, size), *d_patches = Pass<F>::grown(pass.scratch2, size);
    std::fill_n(patches, size, F(0));
    deactivate(op.activation, pass.value(op.output), pass.gradient(op.output),
               static_cast<std::size_t>(pass.rows * out));
    for (int row = 0; row < pass.rows; ++row) {
        const F* x = pass.x(op) + row * in;
        const F* dy = pass.gradient(op.output) + row * out;
        F* db = pass.weightGradient(op, 1);
        for (int c = 0; c < w.to.channels; ++c)
            for (std::ptrdiff_t p = 0; p < pixels; ++p) db[c] += dy[c * pixels + p];
        // Here one patch is a row, so that the product runs along the taps.
        forTaps(w, [&](int tap, int pixel, int from) { patches[pixel * taps + tap] = x[from]; });
        gemm(w.to.channels, static_cast<int>(taps), static_cast<int>(pixels), Strided<F>{dy, pixels, 1},
             patches, taps, pass.weightGradient(op, 0), taps);
        if (pass.xGradient(op) == nullptr) continue;
        F* dx = pass.xGradient(op) + row * in;
        std::fill_n(d_patches, size, F(0));
        gemm(static_cast<int>(taps), static_cast<int>(pixels), w.to.channels,
             Strided<F>{pass.weight(op, 0), 1, taps}, dy, pixels, d_patches, pixels);
        forTaps(w, [&](int tap, int pixel, int to) { dx[to] += d_patches[tap * pixels + pixel]; });
    }
}

template <class F>
void forwardMaxPool(Pass<F>& pass, const PlanOp& op) {
    Window w = windowOf(pass, op);
    const std::ptrdiff_t in = pass.xSize(op), out = pass.size(op.output), pixels = w.pixels();
    const std::ptrdiff_t plane = std::ptrdiff_t{w.from.height} * w.from.width;
    const int channels = w.from.channels;
    w.from.channels = 1;  // taps of one channel at a time
    auto& picked = pass.picked[pass.index(op)];
    if (picked.size() < static_cast<std::size_t>(pass.rows * out))
        picked.resize(static_cast<std::size_t>(pass.rows * out));
    for (int row = 0; row < pass.rows; ++row) {
        for (int c = 0; c < channels; ++c) {
            const F* x = pass.x(op) + row * in + c * plane;
            F* y = pass.value(op.output) + row * out + c * pixels;
            std::int32_t* best = picked.data() + row * out + c * pixels;
            std::fill_n(y, pixels, -std::numeric_limits<F>::infinity());
            std::fill_n(best, pixels, -1);
            // The first of equal maxima counts; not-a-number wins and stays.
            forTaps(w, [&](int, int pixel, int from) {
                if (best[pixel] >= 0 && !(x[from] > y[pixel]) && !(x[from] != x[from])) return;
                if (y[pixel] != y[pixel]) return;
                y[pixel] = x[from], best[pixel] = from;
            });
        }
    }
}

template <class F>
void backwardMaxPool(Pass<F>& pass, const PlanOp& op) {
    F* dx = pass.xGradient(op);
    if (dx == nullptr) return;
    const Window w = windowOf(pass, op);
    const std::ptrdiff_t in = pass.xSize(op), out = pass.size(op.output), pixels = w.pixels();
    const std::ptrdiff_t plane = std::ptrdiff_t{w.from.height} * w.from.width;
    const F* dy = pass.gradient(op.output);
    const std::int32_t* best = pass.picked[pass.index(op)].data();
    for (int row = 0; row < pass.rows; ++row, dx += in, dy += out, best += out)
        for (std::ptrdiff_t i = 0; i < out; ++i) dx[i / pixels * plane + best[i]] += dy[i];
}

SEEDBED_REFERENCE_KERNEL(forwardConv2d);
SEEDBED_REFERENCE_KERNEL(backwardConv2d);
SEEDBED_REFERENCE_KERNEL(forwardMaxPool);
SEEDBED_REFERENCE_KERNEL(backwardMaxPool);

}  // namespace seedbed::reference
