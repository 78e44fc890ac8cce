#version 450
// SPDX-License-Identifier: Apache-2.0
// sums [parts, columns]: for each part of the rows, the sums of x [rows, columns, inner] over rows and inner
// elements.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) writeonly buffer Sums { float sums[]; };

layout(push_constant) uniform Push {
    uint rows, columns, inner;
    uint part;  // rows per part
} p;

void main() {
    const uint thread = threadIndex(), parts = (p.rows + p.part - 1) / p.part;
    if (thread >= parts * p.columns) return;
    const uint column = thread % p.columns, part = thread / p.columns;
    const uint begin = part * p.part, end = min(begin + p.part, p.rows);
    float sum = 0.0;
    for (uint row = begin; row < end; ++row) {
        const uint at = (row * p.columns + column) * p.inner;
        float line = 0.0;
        for (uint i = 0; i < p.inner; ++i) line += x[at + i];
        sum += line;
    }
    sums[thread] = sum;
}
