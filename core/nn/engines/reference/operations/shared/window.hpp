// SPDX-License-Identifier: Apache-2.0
// The sliding window of convolutions and pooling over one image, with zero padding.
#pragma once

#include <algorithm>

#include "core/nn/engines/reference/operations/shared/pass.hpp"

namespace seedbed::reference {

struct Window {
    PlanValue from, to;
    int kernel, stride, pad;
    std::ptrdiff_t pixels() const { return std::ptrdiff_t{to.height} * to.width; }
    std::ptrdiff_t taps() const {
        return std::ptrdiff_t{from.channels} * kernel * kernel;
    }  // number of inputs of one output pixel
};

template <class F>
Window windowOf(const Pass<F>& pass, const PlanOp& op) {
    return {pass.shape(op.inputs[0]), pass.shape(op.output), op.kernel, op.stride, op.pad};
}

// Calls visit(tap, output pixel, input index) for every tap of every output pixel inside the image.
template <class Visit>
void forTaps(const Window& w, const Visit& visit) {
    for (int c = 0, tap = 0; c < w.from.channels; ++c) {
        for (int ky = 0; ky < w.kernel; ++ky) {
            for (int kx = 0; kx < w.kernel; ++kx, ++tap) {
                // Output columns whose tap is inside: 0 <= ox * stride + kx - pad < width.
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

}  // namespace seedbed::reference
