#version 450
// SPDX-License-Identifier: Apache-2.0
// One step of a GRU, torch.nn.GRUCell with gates r, z, n. `kept` contains the gates [rows, 3 size], first the
// projections of x, and then the recurrent part of the candidate and h before, each [rows, size].
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "functions.glsl"

layout(binding = 0) buffer Kept { float kept[]; };
layout(binding = 1) readonly buffer Blob { float blob[]; };
layout(binding = 2) readonly buffer First { uint first[]; };
layout(binding = 3) readonly buffer StateIn { float state_in[]; };
layout(binding = 4) buffer Y { float y[]; };
layout(binding = 5) writeonly buffer StateOut { float state_out[]; };
#include "first.glsl"
#include "step.glsl"

void main() {
    const uint thread = threadIndex(), size = p.size, n = p.sequences;
    if (thread >= sequenceGroups() * size) return;
    const uint unit = thread % size, s0 = thread / size * kSequences;
    const uint block = n * p.steps * size, candidates = 3 * block;
    float sum[kSequences][3];
    for (uint i = 0; i < kSequences; ++i)
        for (uint g = 0; g < 3; ++g) sum[i][g] = blob[p.bias + g * size + unit];
    for (uint j = 0; j < size; ++j) {
        float w[3];
        for (uint g = 0; g < 3; ++g) w[g] = blob[p.weight + (g * size + unit) * size + j];
        for (uint i = 0; i < kSequences; ++i) {
            const uint s = min(s0 + i, n - 1);
            float h = p.step == 0 ? state_in[s * p.state_words + p.offset + j]
                                  : y[((p.step - 1) * n + s) * size + j];
            if (isFirst(p.step * n + s)) h = 0.0;
            for (uint g = 0; g < 3; ++g) sum[i][g] += h * w[g];
        }
    }
    for (uint i = 0; i < kSequences && s0 + i < n; ++i) {
        const uint s = s0 + i, row = p.step * n + s, at = row * size + unit, gate = row * 3 * size + unit;
        const uint state = s * p.state_words + p.offset + unit;
        float h = p.step == 0 ? state_in[state] : y[at - n * size];
        if (isFirst(row)) h = 0.0;
        const float reset = sigmoidOf(kept[gate] + sum[i][0]);
        const float update = sigmoidOf(kept[gate + size] + sum[i][1]);
        const float candidate = tanhOf(kept[gate + 2 * size] + reset * sum[i][2]);
        kept[gate] = reset;
        kept[gate + size] = update;
        kept[gate + 2 * size] = candidate;
        kept[candidates + at] = sum[i][2];
        kept[candidates + block + at] = h;
        const float next = (1.0 - update) * candidate + update * h;
        y[at] = next;
        if (p.step + 1 == p.steps) state_out[state] = next;
    }
}
