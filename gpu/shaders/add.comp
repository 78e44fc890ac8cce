#version 450
// SPDX-License-Identifier: Apache-2.0
// y = a + b.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) readonly buffer B { float b[]; };
layout(binding = 2) writeonly buffer Y { float y[]; };

layout(push_constant) uniform Push { uint count; } p;

void main() {
    const uint i = threadIndex();
    if (i < p.count) y[i] = a[i] + b[i];
}
