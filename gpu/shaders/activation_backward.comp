#version 450
// SPDX-License-Identifier: Apache-2.0
// dx = dy * activation'(x), from y = activation(x). dx and dy may be the same buffer.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "functions.glsl"

layout(binding = 0) readonly buffer Y { float y[]; };
layout(binding = 1) readonly buffer Dy { float dy[]; };
layout(binding = 2) buffer Dx { float dx[]; };

layout(push_constant) uniform Push { uint count, activation, add; } p;

void main() {
    const uint i = threadIndex();
    if (i >= p.count) return;
    const float d = dy[i] * slope(p.activation, y[i]);
    dx[i] = p.add != 0 ? dx[i] + d : d;
}
