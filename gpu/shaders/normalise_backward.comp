#version 450
// SPDX-License-Identifier: Apache-2.0
// The gradient of normalise.comp; zero where the result is clipped.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer Y { float y[]; };
layout(binding = 1) readonly buffer Blob { float blob[]; };
layout(binding = 2) readonly buffer Dy { float dy[]; };
layout(binding = 3) buffer Dx { float dx[]; };

layout(push_constant) uniform Push { uint count, size, var; float clip; uint add; } p;

void main() {
    const uint i = threadIndex();
    if (i >= p.count) return;
    const float d = abs(y[i]) < p.clip ? dy[i] / sqrt(blob[p.var + i % p.size] + 1e-8) : 0.0;
    dx[i] = p.add != 0 ? dx[i] + d : d;
}
