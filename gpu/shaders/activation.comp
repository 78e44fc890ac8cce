#version 450
// SPDX-License-Identifier: Apache-2.0
// y = activation(x).
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "functions.glsl"

layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) writeonly buffer Y { float y[]; };

layout(push_constant) uniform Push { uint count, activation; } p;

void main() {
    const uint i = threadIndex();
    if (i < p.count) y[i] = activate(p.activation, x[i]);
}
