#version 450
// SPDX-License-Identifier: Apache-2.0
// y = activation(gain * normalised + bias) per row. Keeps the normalised features, then the inverse
// deviation, of each row. Ba et al., "Layer Normalization", arXiv:1607.06450, equation 4.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "functions.glsl"

layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) readonly buffer Blob { float blob[]; };
layout(binding = 2) writeonly buffer Y { float y[]; };
layout(binding = 3) writeonly buffer Kept { float kept[]; };

layout(push_constant) uniform Push { uint rows, size, gain, bias, activation; } p;

void main() {
    const uint row = threadIndex();
    if (row >= p.rows) return;
    const uint from = row * p.size, to = row * (p.size + 1);
    float mean = 0.0, square = 0.0;
    for (uint i = 0; i < p.size; ++i) mean += x[from + i];
    mean /= float(p.size);
    for (uint i = 0; i < p.size; ++i) square += (x[from + i] - mean) * (x[from + i] - mean);
    const float inverse = 1.0 / sqrt(square / float(p.size) + 1e-5);
    kept[to + p.size] = inverse;
    for (uint i = 0; i < p.size; ++i) {
        const float n = (x[from + i] - mean) * inverse;
        kept[to + i] = n;
        y[from + i] = activate(p.activation, n * blob[p.gain + i] + blob[p.bias + i]);
    }
}
