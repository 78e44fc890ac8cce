#version 450
// SPDX-License-Identifier: Apache-2.0
// The gradient of max_pool.comp: each pixel of x sums over the windows that picked it, in their order.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "window.glsl"

layout(binding = 0) readonly buffer Dy { float dy[]; };
layout(binding = 1) readonly buffer Picked { uint picked[]; };
layout(binding = 2) buffer Dx { float dx[]; };

void main() {
    const uint thread = threadIndex(), pixels = p.height * p.width;
    if (thread >= p.rows * p.channels * pixels) return;
    const uint image = thread / pixels;
    const int r = int(thread % pixels / p.width) + int(p.pad), c = int(thread % p.width) + int(p.pad);
    const int kernel = int(p.kernel), stride = int(p.stride);
    // Windows that contain the pixel: i * stride <= r < i * stride + kernel.
    const int top = max(0, (r - kernel) / stride), left = max(0, (c - kernel) / stride);
    float sum = 0.0;
    for (int i = top; i < int(p.to_height) && i * stride <= r; ++i) {
        for (int j = left; j < int(p.to_width) && j * stride <= c; ++j) {
            const uint at = (image * p.to_height + uint(i)) * p.to_width + uint(j);
            if (picked[at] == thread) sum += dy[at];
        }
    }
    dx[thread] = p.add != 0 ? dx[thread] + sum : sum;
}
