#version 450
// SPDX-License-Identifier: Apache-2.0
// to [begin + i] = sum of parts [parts, count] over the parts, in their order.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer Parts { float parts[]; };
layout(binding = 1) writeonly buffer To { float to[]; };

layout(push_constant) uniform Push { uint parts_count, count, begin; } p;

void main() {
    const uint i = threadIndex();
    if (i >= p.count) return;
    float sum = 0.0;
    for (uint part = 0; part < p.parts_count; ++part) sum += parts[part * p.count + i];
    to[p.begin + i] = sum;
}
