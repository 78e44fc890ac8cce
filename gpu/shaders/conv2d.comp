#version 450
// SPDX-License-Identifier: Apache-2.0
// y = activation(weight * x + bias) with zero padding: weight [to_channels, channels, kernel, kernel].
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "functions.glsl"
#include "window.glsl"

layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) readonly buffer Blob { float blob[]; };
layout(binding = 2) writeonly buffer Y { float y[]; };

// Channels and pixels per invocation.
const uint kChannels = 8, kPixels = 4;

void main() {
    const uint pixels = p.to_height * p.to_width, places = p.rows * pixels;
    const uint groups = (places + kPixels - 1) / kPixels;
    const uint thread = threadIndex();
    if (thread >= groups * ((p.to_channels + kChannels - 1) / kChannels)) return;
    const uint channel0 = thread / groups * kChannels, place0 = thread % groups * kPixels;
    const uint plane = p.height * p.width, taps = p.channels * p.kernel * p.kernel;
    int top[kPixels], left[kPixels];
    uint begin[kPixels], weight[kChannels];
    // Places and channels beyond the end repeat the last one; their results are not stored.
    for (uint j = 0; j < kPixels; ++j) {
        const uint place = min(place0 + j, places - 1), pixel = place % pixels;
        begin[j] = place / pixels * p.channels * plane;
        top[j] = int(pixel / p.to_width * p.stride) - int(p.pad);
        left[j] = int(pixel % p.to_width * p.stride) - int(p.pad);
    }
    for (uint i = 0; i < kChannels; ++i) weight[i] = p.weight + min(channel0 + i, p.to_channels - 1) * taps;
    float sum[kChannels][kPixels];
    for (uint i = 0; i < kChannels; ++i)
        for (uint j = 0; j < kPixels; ++j) sum[i][j] = 0.0;
    uint tap = 0;
    for (uint c = 0; c < p.channels; ++c) {
        for (uint r = 0; r < p.kernel; ++r) {
            for (uint k = 0; k < p.kernel; ++k, ++tap) {
                float z[kPixels];
                for (uint j = 0; j < kPixels; ++j) {
                    const uint row = uint(top[j] + int(r)), column = uint(left[j] + int(k));
                    const bool inside = row < p.height && column < p.width;
                    z[j] = inside ? x[begin[j] + c * plane + row * p.width + column] : 0.0;
                }
                for (uint i = 0; i < kChannels; ++i) {
                    const float w = blob[weight[i] + tap];
                    for (uint j = 0; j < kPixels; ++j) sum[i][j] += w * z[j];
                }
            }
        }
    }
    for (uint i = 0; i < kChannels && channel0 + i < p.to_channels; ++i) {
        for (uint j = 0; j < kPixels && place0 + j < places; ++j) {
            const uint place = place0 + j;
            const uint at = (place / pixels * p.to_channels + channel0 + i) * pixels + place % pixels;
            y[at] = activate(p.activation, sum[i][j] + blob[p.bias + channel0 + i]);
        }
    }
}
