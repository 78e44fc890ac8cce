#version 450
// SPDX-License-Identifier: Apache-2.0
// The gradients of the projections of x and of the state [rows, 3 size] of one step of gru.comp, after
// those of the next step. dh [sequences, size] is the gradient of h that passes directly to the step
// before. The projections differ only in the last third, where that of the state is multiplied by the
// reset gate.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer Kept { float kept[]; };
layout(binding = 1) readonly buffer Blob { float blob[]; };
layout(binding = 2) readonly buffer First { uint first[]; };
layout(binding = 3) readonly buffer Dy { float dy[]; };
layout(binding = 4) writeonly buffer DInput { float d_input[]; };
layout(binding = 5) buffer DState { float d_state[]; };
layout(binding = 6) buffer Dh { float dh[]; };
#include "first.glsl"
#include "step.glsl"

void main() {
    const uint thread = threadIndex(), size = p.size, n = p.sequences;
    if (thread >= sequenceGroups() * size) return;
    const uint unit = thread % size, s0 = thread / size * kSequences;
    const uint block = n * p.steps * size, candidates = 3 * block;
    const bool is_last = p.step + 1 == p.steps;
    float sum[kSequences];
    for (uint i = 0; i < kSequences; ++i) sum[i] = 0.0;
    for (uint j = 0; j < 3 * size && !is_last; ++j) {
        const float w = blob[p.weight + j * size + unit];
        for (uint i = 0; i < kSequences; ++i) {
            const uint s = min(s0 + i, n - 1);
            sum[i] += d_state[((p.step + 1) * n + s) * 3 * size + j] * w;
        }
    }
    for (uint i = 0; i < kSequences && s0 + i < n; ++i) {
        const uint s = s0 + i, row = p.step * n + s, at = row * size + unit, gate = row * 3 * size + unit;
        // No gradient flows back across the start of an episode.
        const bool ends = is_last || isFirst(row + n);
        const float h = dy[at] + (ends ? 0.0 : dh[s * size + unit] + sum[i]);
        const float reset = kept[gate], update = kept[gate + size], candidate = kept[gate + 2 * size];
        const float d = h * (1.0 - update) * (1.0 - candidate * candidate);
        const float d_reset = d * kept[candidates + at] * reset * (1.0 - reset);
        const float d_update = h * (kept[candidates + block + at] - candidate) * update * (1.0 - update);
        d_input[gate] = d_reset;
        d_state[gate] = d_reset;
        d_input[gate + size] = d_update;
        d_state[gate + size] = d_update;
        d_input[gate + 2 * size] = d;
        d_state[gate + 2 * size] = d * reset;
        dh[s * size + unit] = h * update;
    }
}
