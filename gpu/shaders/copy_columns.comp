#version 450
// SPDX-License-Identifier: Apache-2.0
// Copies or adds `width` columns of every row to another matrix.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer From { float from[]; };
layout(binding = 1) buffer To { float to[]; };

layout(push_constant) uniform Push {
    uint rows, width;
    uint from_begin, from_row, to_begin, to_row;
    uint add;
} p;

void main() {
    const uint thread = threadIndex();
    if (thread >= p.rows * p.width) return;
    const uint row = thread / p.width, column = thread % p.width;
    const float x = from[p.from_begin + row * p.from_row + column];
    const uint at = p.to_begin + row * p.to_row + column;
    to[at] = p.add != 0 ? to[at] + x : x;
}
