#version 450
// SPDX-License-Identifier: Apache-2.0
// Columns of y for one leaf of the previous action: one-hot for a choice, raw otherwise; zero at the
// first row of an episode.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer Actions { float actions[]; };
layout(binding = 1) readonly buffer First { uint first[]; };
layout(binding = 2) writeonly buffer Y { float y[]; };
#include "first.glsl"

layout(push_constant) uniform Push {
    uint rows, words;      // words of an action
    uint word;             // first word of the leaf
    uint size, begin;      // columns of y; first column of the leaf
    uint width, discrete;  // columns of the leaf; 1: one-hot
} p;

void main() {
    const uint thread = threadIndex();
    if (thread >= p.rows * p.width) return;
    const uint row = thread / p.width, column = thread % p.width;
    const uint from = row * p.words + p.word;
    float x = 0.0;
    if (!isFirst(row)) {
        if (p.discrete == 0) x = actions[from + column];
        else if (actions[from] >= 0.0 && actions[from] < float(p.width))
            x = uint(actions[from]) == column ? 1.0 : 0.0;
    }
    y[row * p.size + p.begin + column] = x;
}
