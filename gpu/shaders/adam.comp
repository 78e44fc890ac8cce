#version 450
// SPDX-License-Identifier: Apache-2.0
// Adam with decoupled weight decay.
#extension GL_GOOGLE_include_directive : require
#include "optimiser.glsl"

layout(binding = 5) buffer Second { float second[]; };

void main() {
    if (groupIndex() >= p.blocks_count) return;
    const uvec4 block = blocks[groupIndex()];
    const float beta1 = factors[1], rest1 = factors[2], beta2 = factors[3], rest2 = factors[4];
    const float epsilon = factors[5], correction = factors[6];
    const float keep = keepOf(block.z), rate = rateOf(block.z);
    for (uint i = block.x + gl_LocalInvocationID.x; i < block.x + block.y; i += gl_WorkGroupSize.x) {
        const float g = takeGradient(i);
        const float m = beta1 * first[i] + rest1 * g, v = beta2 * second[i] + rest2 * (g * g);
        first[i] = m;
        second[i] = v;
        weights[i] = weights[i] * keep - rate * m / (sqrt(v) * correction + epsilon);
    }
}
