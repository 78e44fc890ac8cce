#version 450
// SPDX-License-Identifier: Apache-2.0
// The gradients of layer_norm.comp: with n = normalised features and g = dy * gain, dx = (g - mean(g) - n *
// mean(g n)) / deviation. d_gain receives the terms dy * n of the gain's gradient.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer Dy { float dy[]; };
layout(binding = 1) readonly buffer Blob { float blob[]; };
layout(binding = 2) readonly buffer Kept { float kept[]; };
layout(binding = 3) buffer Dx { float dx[]; };
layout(binding = 4) writeonly buffer DGain { float d_gain[]; };

// x_mode: 0 overwrites dx, 1 adds to it, 2 skips it.
layout(push_constant) uniform Push { uint rows, size, gain, x_mode; } p;

void main() {
    const uint row = threadIndex();
    if (row >= p.rows) return;
    const uint at = row * p.size, from = row * (p.size + 1);
    float sum = 0.0, dot = 0.0;
    for (uint i = 0; i < p.size; ++i) {
        const float d = dy[at + i], g = d * blob[p.gain + i];
        d_gain[at + i] = d * kept[from + i];
        sum += g;
        dot += g * kept[from + i];
    }
    if (p.x_mode == 2) return;
    sum /= float(p.size);
    dot /= float(p.size);
    for (uint i = 0; i < p.size; ++i) {
        const float d =
            (dy[at + i] * blob[p.gain + i] - sum - kept[from + i] * dot) * kept[from + p.size];
        dx[at + i] = p.x_mode == 1 ? dx[at + i] + d : d;
    }
}
