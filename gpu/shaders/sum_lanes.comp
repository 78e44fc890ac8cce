#version 450
// SPDX-License-Identifier: Apache-2.0
// Adds up to six lanes to the total, in their order, and sets them to zero.
#extension GL_GOOGLE_include_directive : require
#include "block.glsl"

layout(binding = 1) buffer Total { float total[]; };
layout(binding = 2) buffer A { float a[]; };
layout(binding = 3) buffer B { float b[]; };
layout(binding = 4) buffer C { float c[]; };
layout(binding = 5) buffer D { float d[]; };
layout(binding = 6) buffer E { float e[]; };
layout(binding = 7) buffer F { float f[]; };

layout(push_constant) uniform Push { uint blocks_count, lanes; } p;

void main() {
    if (groupIndex() >= p.blocks_count) return;
    const uvec4 block = blocks[groupIndex()];
    for (uint i = block.x + gl_LocalInvocationID.x; i < block.x + block.y; i += gl_WorkGroupSize.x) {
        float sum = total[i] + a[i];
        a[i] = 0.0;
        if (p.lanes > 1) {
            sum += b[i];
            b[i] = 0.0;
        }
        if (p.lanes > 2) {
            sum += c[i];
            c[i] = 0.0;
        }
        if (p.lanes > 3) {
            sum += d[i];
            d[i] = 0.0;
        }
        if (p.lanes > 4) {
            sum += e[i];
            e[i] = 0.0;
        }
        if (p.lanes > 5) {
            sum += f[i];
            f[i] = 0.0;
        }
        total[i] = sum;
    }
}
