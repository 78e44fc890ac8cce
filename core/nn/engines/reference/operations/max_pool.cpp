// SPDX-License-Identifier: Apache-2.0
// Max pooling.
#include <algorithm>
#include <limits>

#include "core/nn/engines/reference/operations/shared/pass.hpp"
#include "core/nn/engines/reference/operations/shared/window.hpp"

namespace seedbed::reference {

namespace {

void forwardMaxPool(Pass<Real>& pass, const PlanOp& op) {
    Window w = windowOf(pass, op);
    const std::ptrdiff_t in = pass.xSize(op), out = pass.size(op.output), pixels = w.pixels();
    const std::ptrdiff_t plane = std::ptrdiff_t{w.from.height} * w.from.width;
    const int channels = w.from.channels;
    w.from.channels = 1;  // so that the window covers one channel at a time
    auto& picked = pass.picked[pass.index(op)];
    if (picked.size() < static_cast<std::size_t>(pass.rows * out))
        picked.resize(static_cast<std::size_t>(pass.rows * out));
    for (int row = 0; row < pass.rows; ++row) {
        for (int c = 0; c < channels; ++c) {
            const Real* x = pass.x(op) + row * in + c * plane;
            Real* y = pass.value(op.output) + row * out + c * pixels;
            std::int32_t* best = picked.data() + row * out + c * pixels;
            std::fill_n(y, pixels, -std::numeric_limits<Real>::infinity());
            std::fill_n(best, pixels, -1);
            // Selects the first of equal maxima; NaN counts as the maximum.
            forTaps(w, [&](int, int pixel, int from) {
                if (best[pixel] >= 0 && !(x[from] > y[pixel]) && !(x[from] != x[from])) return;
                if (y[pixel] != y[pixel]) return;
                y[pixel] = x[from];
                best[pixel] = from;
            });
        }
    }
}

void backwardMaxPool(Pass<Real>& pass, const PlanOp& op) {
    Real* dx = pass.xGradient(op);
    if (dx == nullptr) return;
    const Window w = windowOf(pass, op);
    const std::ptrdiff_t in = pass.xSize(op), out = pass.size(op.output), pixels = w.pixels();
    const std::ptrdiff_t plane = std::ptrdiff_t{w.from.height} * w.from.width;
    const Real* dy = pass.gradient(op.output);
    const std::int32_t* best = pass.picked[pass.index(op)].data();
    for (int row = 0; row < pass.rows; ++row, dx += in, dy += out, best += out)
        for (std::ptrdiff_t i = 0; i < out; ++i) dx[i / pixels * plane + best[i]] += dy[i];
}

[[maybe_unused]] const bool registered_max_pool = registerKernels<Real>({
    .id = "max_pool",
    .forward = forwardMaxPool,
    .backward = backwardMaxPool,
});

}  // namespace

}  // namespace seedbed::reference
