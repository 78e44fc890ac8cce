#version 450
// SPDX-License-Identifier: Apache-2.0
// RMSProp with momentum, as in TensorFlow (epsilon inside the root) or as in PyTorch (outside).
#extension GL_GOOGLE_include_directive : require
#include "optimiser.glsl"

layout(binding = 5) buffer Second { float second[]; };

void main() {
    if (groupIndex() >= p.blocks_count) return;
    const uvec4 block = blocks[groupIndex()];
    const float alpha = factors[1], rest = factors[2], inside = factors[3], outside = factors[4];
    const float momentum = factors[5];
    const bool as_tensorflow = factors[6] != 0.0;
    const float keep = keepOf(block.z), rate = rateOf(block.z);
    const float summed = as_tensorflow ? rate : 1.0, applied = as_tensorflow ? 1.0 : rate;
    for (uint i = block.x + gl_LocalInvocationID.x; i < block.x + block.y; i += gl_WorkGroupSize.x) {
        const float g = takeGradient(i);
        const float v = alpha * second[i] + rest * (g * g);
        const float m = momentum * first[i] + summed * g / (sqrt(v + inside) + outside);
        second[i] = v;
        first[i] = m;
        weights[i] = weights[i] * keep - applied * m;
    }
}
