#version 450
// SPDX-License-Identifier: Apache-2.0
// The gradient of x in conv2d.comp: each pixel of x sums over the windows that contain it, in their order.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "window.glsl"

layout(binding = 0) readonly buffer Dy { float dy[]; };
layout(binding = 1) readonly buffer Blob { float blob[]; };
layout(binding = 2) buffer Dx { float dx[]; };

// Channels of x per invocation.
const uint kChannels = 8;

void main() {
    const uint plane = p.height * p.width, places = p.rows * plane, thread = threadIndex();
    if (thread >= places * ((p.channels + kChannels - 1) / kChannels)) return;
    const uint channel0 = thread / places * kChannels, row = thread % places / plane;
    const uint pixel = thread % plane, pixels = p.to_height * p.to_width, square = p.kernel * p.kernel;
    const uint taps = p.channels * square;
    const int top = int(pixel / p.width + p.pad), left = int(pixel % p.width + p.pad);
    uint weight[kChannels];
    float sum[kChannels];
    for (uint i = 0; i < kChannels; ++i) {
        weight[i] = p.weight + min(channel0 + i, p.channels - 1) * square;
        sum[i] = 0.0;
    }
    for (uint r = 0; r < p.kernel; ++r) {
        const int y = top - int(r);
        if (y < 0 || y % int(p.stride) != 0 || uint(y) / p.stride >= p.to_height) continue;
        for (uint k = 0; k < p.kernel; ++k) {
            const int z = left - int(k);
            if (z < 0 || z % int(p.stride) != 0 || uint(z) / p.stride >= p.to_width) continue;
            uint at = row * p.to_channels * pixels + uint(y) / p.stride * p.to_width + uint(z) / p.stride;
            uint tap = r * p.kernel + k;
            for (uint c = 0; c < p.to_channels; ++c, at += pixels, tap += taps) {
                const float d = dy[at];
                for (uint i = 0; i < kChannels; ++i) sum[i] += d * blob[weight[i] + tap];
            }
        }
    }
    for (uint i = 0; i < kChannels && channel0 + i < p.channels; ++i) {
        const uint at = (row * p.channels + channel0 + i) * plane + pixel;
        dx[at] = p.add != 0 ? dx[at] + sum[i] : sum[i];
    }
}
