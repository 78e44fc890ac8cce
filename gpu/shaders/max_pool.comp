#version 450
// SPDX-License-Identifier: Apache-2.0
// y = the first of the largest pixels of each window; NaN counts as the largest. Keeps its index in x.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "window.glsl"

layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) writeonly buffer Y { float y[]; };
layout(binding = 2) writeonly buffer Picked { uint picked[]; };

void main() {
    const uint thread = threadIndex(), pixels = p.to_height * p.to_width;
    if (thread >= p.rows * p.channels * pixels) return;
    const uint image = thread / pixels, pixel = thread % pixels;
    const int top = int(pixel / p.to_width * p.stride) - int(p.pad);
    const int left = int(pixel % p.to_width * p.stride) - int(p.pad);
    const uint begin = image * p.height * p.width;
    float best = 0.0;
    uint at = 0xffffffffu;
    for (int r = max(top, 0); r < min(top + int(p.kernel), int(p.height)); ++r) {
        for (int c = max(left, 0); c < min(left + int(p.kernel), int(p.width)); ++c) {
            const uint from = begin + uint(r) * p.width + uint(c);
            const float z = x[from];
            if (at != 0xffffffffu && (best != best || !(z > best || z != z))) continue;
            best = z;
            at = from;
        }
    }
    y[thread] = best;
    picked[thread] = at;
}
