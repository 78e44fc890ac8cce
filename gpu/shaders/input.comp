#version 450
// SPDX-License-Identifier: Apache-2.0
// An observation leaf as f32: floats are copied, bytes are divided by their upper bound, and whole
// numbers are one-hot encoded.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer Words { uint words[]; };
layout(binding = 1) writeonly buffer Y { float y[]; };

layout(push_constant) uniform Push {
    uint count;        // elements of y
    uint kind;         // 0: floats, 1: bytes, 2: whole numbers
    uint cardinality;  // of whole numbers
    float high;        // of bytes
} p;

void main() {
    const uint i = threadIndex();
    if (i >= p.count) return;
    if (p.kind == 0) {
        y[i] = uintBitsToFloat(words[i]);
    } else if (p.kind == 1) {
        y[i] = float(words[i >> 2] >> (8 * (i & 3)) & 255) / p.high;
    } else {
        y[i] = words[i / p.cardinality] == i % p.cardinality ? 1.0 : 0.0;
    }
}
