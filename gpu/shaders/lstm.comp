#version 450
// SPDX-License-Identifier: Apache-2.0
// One step of an LSTM, torch.nn.LSTMCell with gates i, f, g, o. `kept` contains the gates [rows, 4
// size], first the projections of x, and then cell, tanh(cell), h before and c before, each [rows,
// size].
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
    const uint block = n * p.steps * size, cells = 4 * block;
    float sum[kSequences][4];
    for (uint i = 0; i < kSequences; ++i)
        for (uint g = 0; g < 4; ++g) sum[i][g] = 0.0;
    for (uint j = 0; j < size; ++j) {
        float w[4];
        for (uint g = 0; g < 4; ++g) w[g] = blob[p.weight + (g * size + unit) * size + j];
        for (uint i = 0; i < kSequences; ++i) {
            const uint s = min(s0 + i, n - 1);
            float h = p.step == 0 ? state_in[s * p.state_words + p.offset + j]
                                  : y[((p.step - 1) * n + s) * size + j];
            if (isFirst(p.step * n + s)) h = 0.0;
            for (uint g = 0; g < 4; ++g) sum[i][g] += h * w[g];
        }
    }
    for (uint i = 0; i < kSequences && s0 + i < n; ++i) {
        const uint s = s0 + i, row = p.step * n + s, at = row * size + unit, gate = row * 4 * size + unit;
        const uint state = s * p.state_words + p.offset + unit;
        float h_before = 0.0, c_before = 0.0;
        if (!isFirst(row)) {
            h_before = p.step == 0 ? state_in[state] : y[at - n * size];
            c_before = p.step == 0 ? state_in[state + size] : kept[cells + at - n * size];
        }
        const float in_gate = sigmoidOf(kept[gate] + sum[i][0]);
        const float forget = sigmoidOf(kept[gate + size] + sum[i][1]);
        const float candidate = tanhOf(kept[gate + 2 * size] + sum[i][2]);
        const float out_gate = sigmoidOf(kept[gate + 3 * size] + sum[i][3]);
        const float cell = forget * c_before + in_gate * candidate;
        const float tanh_cell = tanhOf(cell);
        kept[gate] = in_gate;
        kept[gate + size] = forget;
        kept[gate + 2 * size] = candidate;
        kept[gate + 3 * size] = out_gate;
        kept[cells + at] = cell;
        kept[cells + block + at] = tanh_cell;
        kept[cells + 2 * block + at] = h_before;
        kept[cells + 3 * block + at] = c_before;
        y[at] = out_gate * tanh_cell;
        if (p.step + 1 == p.steps) {
            state_out[state] = out_gate * tanh_cell;
            state_out[state + size] = cell;
        }
    }
}
