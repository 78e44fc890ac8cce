#version 450
// SPDX-License-Identifier: Apache-2.0
// sums [blocks, 2]: per block the sum of (s x)^2 and s, a power of two for which it neither overflows nor
// underflows; s = 0 if an element is not finite. The order of the sum depends on the block alone.
#extension GL_GOOGLE_include_directive : require
#include "block.glsl"

layout(binding = 1) readonly buffer X { float x[]; };
layout(binding = 2) writeonly buffer Sums { float sums[]; };

layout(push_constant) uniform Push { uint blocks_count; } p;

shared uint largest[64];
shared float part[64];

void main() {
    const uint group = groupIndex(), thread = gl_LocalInvocationID.x;
    if (group >= p.blocks_count) return;  // the whole group
    const uint begin = blocks[group].x, end = begin + blocks[group].y;
    // Absolute values in the order of their bits; infinity and NaN are the largest.
    uint most = 0;
    for (uint i = begin + thread; i < end; i += gl_WorkGroupSize.x)
        most = max(most, floatBitsToUint(x[i]) & 0x7fffffffu);
    largest[thread] = most;
    barrier();
    for (uint i = 0; i < gl_WorkGroupSize.x; ++i) most = max(most, largest[i]);
    const int exponent = clamp(int(most >> 23) - 127, -100, 100);
    const float scale = uintBitsToFloat(uint(127 - exponent) << 23);
    float sum = 0.0;
    for (uint i = begin + thread; i < end; i += gl_WorkGroupSize.x) {
        const float scaled = x[i] * scale;
        sum += scaled * scaled;
    }
    part[thread] = sum;
    for (uint width = gl_WorkGroupSize.x / 2; width > 0; width /= 2) {
        barrier();
        if (thread < width) part[thread] += part[thread + width];
    }
    if (thread != 0) return;
    sums[2 * group] = part[0];
    sums[2 * group + 1] = most >= 0x7f800000u ? 0.0 : scale;
}
