// SPDX-License-Identifier: Apache-2.0
#include "core/nn/engines/native/conv_geometry.hpp"

namespace seedbed::native {

namespace {

// The size of the groups of adjacent elements into which a run is divided: 4 or 3 if it divides evenly,
// otherwise 1.
int groupOf(int run) { return run % 4 == 0 ? 4 : run % 3 == 0 ? 3 : 1; }

}  // namespace

ConvGeometry ConvGeometry::of(const PlanValue& image, const PlanValue& to, const PlanOp& op, bool last_in,
                              bool last_out) {
    ConvGeometry g;
    PlanValue from = image;
    from.height += 2 * op.pad;
    from.width += 2 * op.pad;
    last_in = last_in || op.pad > 0;
    g.image = image;
    g.from = from;
    g.to = to;
    g.kernel = op.kernel;
    g.stride = op.stride;
    g.pad = op.pad;
    g.last_in = last_in;
    g.last_out = last_out;
    g.pixels = to.height * to.width;
    g.taps = from.channels * op.kernel * op.kernel;
    const int line = last_in ? from.width * from.channels : from.width, plane = from.height * from.width;
    const int column = last_in ? from.channels : 1;
    if (last_in) {
        g.segments = op.kernel;
        g.run = op.kernel * from.channels;
        for (int y = 0; y < op.kernel; ++y) g.segment.push_back(y * line);
    } else {
        g.segments = from.channels * op.kernel;
        g.run = op.kernel;
        for (int c = 0; c < from.channels; ++c)
            for (int y = 0; y < op.kernel; ++y) g.segment.push_back(c * plane + y * line);
    }
    for (const std::int32_t begin : g.segment)
        for (int i = 0; i < g.run; ++i) g.tap.push_back(begin + i);
    g.pixel_step = std::ptrdiff_t{op.stride} * column;
    for (int y = 0; y < to.height; ++y) {
        g.line.push_back(y * op.stride * line);
        for (int x = 0; x < to.width; ++x) g.pixel.push_back(g.line.back() + x * op.stride * column);
    }
    g.pixel_group = to.width % 4 == 0 ? 4 : 1;
    g.tap_group = groupOf(g.run);
    return g;
}

}  // namespace seedbed::native
