#version 450
// SPDX-License-Identifier: Apache-2.0
// y [groups] = means of k neighbouring elements of x.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) writeonly buffer Y { float y[]; };

layout(push_constant) uniform Push { uint groups, k; } p;

void main() {
    const uint group = threadIndex();
    if (group >= p.groups) return;
    float sum = 0.0;
    for (uint j = 0; j < p.k; ++j) sum += x[group * p.k + j];
    y[group] = sum / float(p.k);
}
