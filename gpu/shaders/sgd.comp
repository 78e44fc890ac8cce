#version 450
// SPDX-License-Identifier: Apache-2.0
// Gradient descent with momentum.
#extension GL_GOOGLE_include_directive : require
#include "optimiser.glsl"

void main() {
    if (groupIndex() >= p.blocks_count) return;
    const uvec4 block = blocks[groupIndex()];
    const float keep = keepOf(block.z), rate = rateOf(block.z);
    for (uint i = block.x + gl_LocalInvocationID.x; i < block.x + block.y; i += gl_WorkGroupSize.x) {
        const float m = factors[1] * first[i] + takeGradient(i);
        first[i] = m;
        weights[i] = weights[i] * keep - rate * m;
    }
}
