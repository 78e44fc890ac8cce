#version 450
// SPDX-License-Identifier: Apache-2.0
// y = a learned vector, the same in every row.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer Blob { float blob[]; };
layout(binding = 1) writeonly buffer Y { float y[]; };

layout(push_constant) uniform Push { uint count, size, begin; } p;

void main() {
    const uint i = threadIndex();
    if (i < p.count) y[i] = blob[p.begin + i % p.size];
}
