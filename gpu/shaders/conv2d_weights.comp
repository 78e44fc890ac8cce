#version 450
// SPDX-License-Identifier: Apache-2.0
// sums [parts, to_channels, taps]: for each part of the rows, the gradient of the weights of conv2d.comp.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "window.glsl"

layout(binding = 0) readonly buffer Dy { float dy[]; };
layout(binding = 1) readonly buffer X { float x[]; };
layout(binding = 2) writeonly buffer Sums { float sums[]; };

// Channels of y and taps per invocation.
const uint kChannels = 8, kTaps = 4;

void main() {
    const uint pixels = p.to_height * p.to_width, plane = p.height * p.width, square = p.kernel * p.kernel;
    const uint taps = p.channels * square, parts = (p.rows + p.part - 1) / p.part;
    const uint columns = (taps + kTaps - 1) / kTaps, lines = (p.to_channels + kChannels - 1) / kChannels;
    const uint thread = threadIndex();
    if (thread >= parts * lines * columns) return;
    const uint tap0 = thread % columns * kTaps, channel0 = thread / columns % lines * kChannels;
    const uint part = thread / columns / lines;
    // Taps and channels beyond the end repeat the last one; their results are not stored.
    int top[kTaps], left[kTaps];
    uint from[kTaps], channel[kChannels];
    for (uint j = 0; j < kTaps; ++j) {
        const uint tap = min(tap0 + j, taps - 1);
        from[j] = tap / square * plane;
        top[j] = int(tap % square / p.kernel) - int(p.pad);
        left[j] = int(tap % p.kernel) - int(p.pad);
    }
    for (uint i = 0; i < kChannels; ++i) channel[i] = min(channel0 + i, p.to_channels - 1) * pixels;
    float sum[kChannels][kTaps];
    for (uint i = 0; i < kChannels; ++i)
        for (uint j = 0; j < kTaps; ++j) sum[i][j] = 0.0;
    for (uint row = part * p.part; row < min((part + 1) * p.part, p.rows); ++row) {
        const uint y_begin = row * p.to_channels * pixels, x_begin = row * p.channels * plane;
        for (uint pixel = 0; pixel < pixels; ++pixel) {
            const int r = int(pixel / p.to_width * p.stride), c = int(pixel % p.to_width * p.stride);
            float z[kTaps];
            for (uint j = 0; j < kTaps; ++j) {
                const uint y = uint(r + top[j]), w = uint(c + left[j]);
                z[j] = y < p.height && w < p.width ? x[x_begin + from[j] + y * p.width + w] : 0.0;
            }
            for (uint i = 0; i < kChannels; ++i) {
                const float d = dy[y_begin + channel[i] + pixel];
                for (uint j = 0; j < kTaps; ++j) sum[i][j] += d * z[j];
            }
        }
    }
    for (uint i = 0; i < kChannels && channel0 + i < p.to_channels; ++i)
        for (uint j = 0; j < kTaps && tap0 + j < taps; ++j)
            sums[(part * p.to_channels + channel0 + i) * taps + tap0 + j] = sum[i][j];
}
