// SPDX-License-Identifier: Apache-2.0
// Convolution: copies each row's patches to a matrix, then computes one product.
#include <algorithm>

#include "core/nn/engines/reference/operations/shared/activation.hpp"
#include "core/nn/engines/reference/operations/shared/gemm.hpp"
#include "core/nn/engines/reference/operations/shared/pass.hpp"
#include "core/nn/engines/reference/operations/shared/window.hpp"

namespace seedbed::reference {

namespace {

void forwardConv2d(Pass<Real>& pass, const PlanOp& op) {
    const Window w = windowOf(pass, op);
    const std::ptrdiff_t pixels = w.pixels(), taps = w.taps(), in = pass.xSize(op),
                         out = pass.size(op.output);
    Real* patches = Pass<Real>::grown(pass.scratch, static_cast<std::size_t>(taps * pixels));
    // Taps outside the image are zero for all rows, so they are set only once.
    std::fill_n(patches, taps * pixels, Real(0));
    const Real* bias = pass.weight(op, 1);
    for (int row = 0; row < pass.rows; ++row) {
        const Real* x = pass.x(op) + row * in;
        Real* y = pass.value(op.output) + row * out;
        forTaps(w, [&](int tap, int pixel, int from) { patches[tap * pixels + pixel] = x[from]; });
        for (int c = 0; c < w.to.channels; ++c) std::fill_n(y + c * pixels, pixels, bias[c]);
        gemm(w.to.channels, static_cast<int>(pixels), static_cast<int>(taps),
             Strided<Real>{pass.weight(op, 0), taps, 1}, patches, pixels, y, pixels);
        activate(op.activation, y, static_cast<std::size_t>(out));
    }
}

void backwardConv2d(Pass<Real>& pass, const PlanOp& op) {
    const Window w = windowOf(pass, op);
    const std::ptrdiff_t pixels = w.pixels(), taps = w.taps(), in = pass.xSize(op),
                         out = pass.size(op.output);
    const auto size = static_cast<std::size_t>(taps) * static_cast<std::size_t>(pixels);
    Real *patches = Pass<Real>::grown(pass.scratch, size),
         *d_patches = Pass<Real>::grown(pass.scratch2, size);
    std::fill_n(patches, size, Real(0));
    deactivate(op.activation, pass.value(op.output), pass.gradient(op.output),
               static_cast<std::size_t>(pass.rows * out));
    for (int row = 0; row < pass.rows; ++row) {
        const Real* x = pass.x(op) + row * in;
        const Real* dy = pass.gradient(op.output) + row * out;
        Real* db = pass.weightGradient(op, 1);
        for (int c = 0; c < w.to.channels; ++c)
            for (std::ptrdiff_t p = 0; p < pixels; ++p) db[c] += dy[c * pixels + p];
        // Here each patch is a row, so that the product sums over the taps.
        forTaps(w, [&](int tap, int pixel, int from) { patches[pixel * taps + tap] = x[from]; });
        gemm(w.to.channels, static_cast<int>(taps), static_cast<int>(pixels), Strided<Real>{dy, pixels, 1},
             patches, taps, pass.weightGradient(op, 0), taps);
        if (pass.xGradient(op) == nullptr) continue;
        Real* dx = pass.xGradient(op) + row * in;
        std::fill_n(d_patches, size, Real(0));
        gemm(static_cast<int>(taps), static_cast<int>(pixels), w.to.channels,
             Strided<Real>{pass.weight(op, 0), 1, taps}, dy, pixels, d_patches, pixels);
        forTaps(w, [&](int tap, int pixel, int to) { dx[to] += d_patches[tap * pixels + pixel]; });
    }
}

[[maybe_unused]] const bool registered_conv2d = registerKernels<Real>({
    .id = "conv2d",
    .forward = forwardConv2d,
    .backward = backwardConv2d,
});

}  // namespace

}  // namespace seedbed::reference
