// SPDX-License-Identifier: Apache-2.0
// Geometry of one convolution: offsets of its taps and pixels in an image, channels first (as in the plan) or
// channels last. With padding, the image is the copy with a border of zeros, channels last.
#pragma once

#include <cstdint>
#include <vector>

#include "core/nn/net_plan.hpp"

namespace seedbed::native {

struct ConvGeometry {
    PlanValue image, from, to;  // `from` is the image with its border
    int kernel = 0, stride = 0, pad = 0, pixels = 0, taps = 0;
    bool last_in = false, last_out = false;  // whether channels are last in `from` and `to`
    // Taps in image order, grouped into runs of adjacent taps. Offsets in floats.
    int segments = 0, run = 0;
    std::vector<std::int32_t> segment, tap, pixel,
        line;                       // offset of each run, tap, output pixel and output line
    std::ptrdiff_t pixel_step = 0;  // distance between pixels of a line
    int pixel_group = 1, tap_group = 1;
    std::vector<float> ordered;  // weights [out channels, taps] in this order, if it differs from the plan's
    // Packed weights of the transposed convolution, which is the gradient of the input; see padded_conv.hpp.
    std::vector<float> reversed, reversed_pack;
    bool is_reversed = false;  // whether they are those of the current parameters

    static ConvGeometry of(const PlanValue& image, const PlanValue& to, const PlanOp& op, bool last_in,
                           bool last_out);
};

}  // namespace seedbed::native
