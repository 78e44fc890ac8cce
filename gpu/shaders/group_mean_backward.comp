#version 450
// SPDX-License-Identifier: Apache-2.0
// The gradient of group_mean.comp.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer Dy { float dy[]; };
layout(binding = 1) buffer Dx { float dx[]; };

layout(push_constant) uniform Push { uint count, k, add; } p;

void main() {
    const uint i = threadIndex();
    if (i >= p.count) return;
    const float d = dy[i / p.k] / float(p.k);
    dx[i] = p.add != 0 ? dx[i] + d : d;
}
