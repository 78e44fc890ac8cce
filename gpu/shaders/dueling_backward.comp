#version 450
// SPDX-License-Identifier: Apache-2.0
// The gradients of v and a in dueling.comp.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer Dy { float dy[]; };
layout(binding = 1) buffer Dv { float dv[]; };
layout(binding = 2) buffer Da { float da[]; };

// v_mode and a_mode: 0 overwrites the gradient, 1 adds to it, 2 skips it.
layout(push_constant) uniform Push { uint rows, n, k, v_mode, a_mode; } p;

void main() {
    const uint thread = threadIndex();
    if (thread >= p.rows * p.k) return;
    const uint begin = thread / p.k * p.n * p.k + thread % p.k;
    float sum = 0.0;
    for (uint i = 0; i < p.n; ++i) sum += dy[begin + i * p.k];
    if (p.v_mode == 0) dv[thread] = sum;
    if (p.v_mode == 1) dv[thread] += sum;
    if (p.a_mode == 2) return;
    for (uint i = 0; i < p.n; ++i) {
        const uint at = begin + i * p.k;
        const float d = dy[at] - sum / float(p.n);
        da[at] = p.a_mode == 1 ? da[at] + d : d;
    }
}
