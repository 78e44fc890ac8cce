#version 450
// SPDX-License-Identifier: Apache-2.0
// y = clip((x - mean) / sqrt(var + 1e-8), +-clip).
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) readonly buffer Blob { float blob[]; };
layout(binding = 2) writeonly buffer Y { float y[]; };

layout(push_constant) uniform Push { uint count, size, mean, var; float clip; } p;

void main() {
    const uint i = threadIndex();
    if (i >= p.count) return;
    const uint column = i % p.size;
    const float z = (x[i] - blob[p.mean + column]) * (1.0 / sqrt(blob[p.var + column] + 1e-8));
    // Comparisons in this form keep NaN.
    y[i] = z < -p.clip ? -p.clip : z > p.clip ? p.clip : z;
}
