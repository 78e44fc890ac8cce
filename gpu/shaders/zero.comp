#version 450
// SPDX-License-Identifier: Apache-2.0
// to = 0.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) writeonly buffer To { float to[]; };

layout(push_constant) uniform Push { uint count; } p;

void main() {
    const uint i = threadIndex();
    if (i < p.count) to[i] = 0.0;
}
