#version 450
// SPDX-License-Identifier: Apache-2.0
// y = x * std + mean per column.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) readonly buffer Blob { float blob[]; };
layout(binding = 2) writeonly buffer Y { float y[]; };

layout(push_constant) uniform Push { uint count, size, mean, std; } p;

void main() {
    const uint i = threadIndex();
    if (i < p.count) y[i] = x[i] * blob[p.std + i % p.size] + blob[p.mean + i % p.size];
}
