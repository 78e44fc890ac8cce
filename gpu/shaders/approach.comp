#version 450
// SPDX-License-Identifier: Apache-2.0
// own += tau (other - own); a copy if tau is 1.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) buffer Own { float own[]; };
layout(binding = 1) readonly buffer Other { float other[]; };

layout(push_constant) uniform Push {
    uint count;
    float tau;
} p;

void main() {
    const uint i = threadIndex();
    if (i >= p.count) return;
    own[i] = p.tau == 1.0 ? other[i] : own[i] + p.tau * (other[i] - own[i]);
}
