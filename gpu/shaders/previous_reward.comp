#version 450
// SPDX-License-Identifier: Apache-2.0
// y = the reward of the previous row; zero at the first row of an episode.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer Rewards { float rewards[]; };
layout(binding = 1) readonly buffer First { uint first[]; };
layout(binding = 2) writeonly buffer Y { float y[]; };
#include "first.glsl"

layout(push_constant) uniform Push { uint rows; } p;

void main() {
    const uint row = threadIndex();
    if (row < p.rows) y[row] = isFirst(row) ? 0.0 : rewards[row];
}
