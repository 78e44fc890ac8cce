#version 450
// SPDX-License-Identifier: Apache-2.0
// to += from, in the blocks.
#extension GL_GOOGLE_include_directive : require
#include "block.glsl"

layout(binding = 1) readonly buffer From { float from[]; };
layout(binding = 2) buffer To { float to[]; };

layout(push_constant) uniform Push { uint blocks_count; } p;

void main() {
    if (groupIndex() >= p.blocks_count) return;
    const uvec4 block = blocks[groupIndex()];
    for (uint i = block.x + gl_LocalInvocationID.x; i < block.x + block.y; i += gl_WorkGroupSize.x)
        to[i] += from[i];
}
