#version 450
// SPDX-License-Identifier: Apache-2.0
// y = v + a - mean of a over the actions: v [rows, k], a and y [rows, n, k]. Wang et al.,
// "Dueling Network Architectures", arXiv:1511.06581, equation 9.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer V { float v[]; };
layout(binding = 1) readonly buffer A { float a[]; };
layout(binding = 2) writeonly buffer Y { float y[]; };

layout(push_constant) uniform Push { uint rows, n, k; } p;

void main() {
    const uint thread = threadIndex();
    if (thread >= p.rows * p.k) return;
    const uint begin = thread / p.k * p.n * p.k + thread % p.k;
    float mean = 0.0;
    for (uint i = 0; i < p.n; ++i) mean += a[begin + i * p.k];
    mean /= float(p.n);
    for (uint i = 0; i < p.n; ++i) y[begin + i * p.k] = v[thread] + (a[begin + i * p.k] - mean);
}
