#version 450
// SPDX-License-Identifier: Apache-2.0
// The gradient of rescale.comp.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer Dy { float dy[]; };
layout(binding = 1) readonly buffer Blob { float blob[]; };
layout(binding = 2) buffer Dx { float dx[]; };

layout(push_constant) uniform Push { uint count, size, std, add; } p;

void main() {
    const uint i = threadIndex();
    if (i >= p.count) return;
    const float d = dy[i] * blob[p.std + i % p.size];
    dx[i] = p.add != 0 ? dx[i] + d : d;
}
