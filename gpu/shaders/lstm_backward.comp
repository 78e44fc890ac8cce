#version 450
// SPDX-License-Identifier: Apache-2.0
// The gradients of the gates [rows, 4 size] of one step of lstm.comp, after those of the next step. dc
// [sequences, size] is the gradient of the cell that the next step left.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer Kept { float kept[]; };
layout(binding = 1) readonly buffer Blob { float blob[]; };
layout(binding = 2) readonly buffer First { uint first[]; };
layout(binding = 3) readonly buffer Dy { float dy[]; };
layout(binding = 4) buffer DGates { float d_gates[]; };
layout(binding = 5) buffer Dc { float dc[]; };
#include "first.glsl"
#include "step.glsl"

void main() {
    const uint thread = threadIndex(), size = p.size, n = p.sequences;
    if (thread >= sequenceGroups() * size) return;
    const uint unit = thread % size, s0 = thread / size * kSequences;
    const uint block = n * p.steps * size, cells = 4 * block;
    const bool is_last = p.step + 1 == p.steps;
    float sum[kSequences];
    for (uint i = 0; i < kSequences; ++i) sum[i] = 0.0;
    for (uint j = 0; j < 4 * size && !is_last; ++j) {
        const float w = blob[p.weight + j * size + unit];
        for (uint i = 0; i < kSequences; ++i) {
            const uint s = min(s0 + i, n - 1);
            sum[i] += d_gates[((p.step + 1) * n + s) * 4 * size + j] * w;
        }
    }
    for (uint i = 0; i < kSequences && s0 + i < n; ++i) {
        const uint s = s0 + i, row = p.step * n + s, at = row * size + unit, gate = row * 4 * size + unit;
        // No gradient flows back across the start of an episode.
        const bool ends = is_last || isFirst(row + n);
        const float h = dy[at] + (ends ? 0.0 : sum[i]);
        const float in_gate = kept[gate], forget = kept[gate + size], candidate = kept[gate + 2 * size];
        const float out_gate = kept[gate + 3 * size], tanh_cell = kept[cells + block + at];
        const float c =
            (ends ? 0.0 : dc[s * size + unit]) + h * out_gate * (1.0 - tanh_cell * tanh_cell);
        d_gates[gate] = c * candidate * in_gate * (1.0 - in_gate);
        d_gates[gate + size] = c * kept[cells + 3 * block + at] * forget * (1.0 - forget);
        d_gates[gate + 2 * size] = c * in_gate * (1.0 - candidate * candidate);
        d_gates[gate + 3 * size] = h * tanh_cell * out_gate * (1.0 - out_gate);
        dc[s * size + unit] = c * forget;
    }
}
