#version 450
// SPDX-License-Identifier: Apache-2.0
// c [m, n] = activation(a [m, k] b [k, n] + biases), of matrices with any strides. The sum over k may
// be divided into parts, each of which gives a matrix of its own. Every element is summed in the order
// of k.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "functions.glsl"

layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) readonly buffer B { float b[]; };
layout(binding = 2) buffer C { float c[]; };
layout(binding = 3) readonly buffer Biases { float biases[]; };

layout(push_constant) uniform Push {
    uint m, n, k;
    uint a_begin, a_row, a_column;
    uint b_begin, b_row, b_column;
    uint c_row, c_part;      // floats between rows and between parts of c
    uint part;               // elements of k per part
    uint bias_count;         // 0, 1 or 2 vectors of n biases
    uint bias0, bias1;       // their first floats
    uint add;                // 1: add to c
    uint activation;
} p;

// Rows and columns of c per invocation.
const uint kRows = 4, kColumns = 8;

void main() {
    const uint rows = (p.m + kRows - 1) / kRows, columns = (p.n + kColumns - 1) / kColumns;
    const uint thread = threadIndex(), parts = (p.k + p.part - 1) / p.part;
    if (thread >= rows * columns * parts) return;
    const uint row0 = thread / columns % rows * kRows, column0 = thread % columns * kColumns;
    const uint part = thread / columns / rows;
    // Rows and columns beyond the end repeat the last one; their results are not stored.
    uint ai[kRows], bi[kColumns];
    for (uint i = 0; i < kRows; ++i) ai[i] = p.a_begin + min(row0 + i, p.m - 1) * p.a_row;
    for (uint j = 0; j < kColumns; ++j) bi[j] = p.b_begin + min(column0 + j, p.n - 1) * p.b_column;
    float sum[kRows][kColumns];
    for (uint i = 0; i < kRows; ++i)
        for (uint j = 0; j < kColumns; ++j) sum[i][j] = 0.0;
    const uint begin = part * p.part, end = min(begin + p.part, p.k);
    for (uint k = begin; k < end; ++k) {
        float x[kRows], y[kColumns];
        for (uint i = 0; i < kRows; ++i) x[i] = a[ai[i] + k * p.a_column];
        for (uint j = 0; j < kColumns; ++j) y[j] = b[bi[j] + k * p.b_row];
        for (uint i = 0; i < kRows; ++i)
            for (uint j = 0; j < kColumns; ++j) sum[i][j] += x[i] * y[j];
    }
    for (uint i = 0; i < kRows && row0 + i < p.m; ++i) {
        for (uint j = 0; j < kColumns && column0 + j < p.n; ++j) {
            const uint at = part * p.c_part + (row0 + i) * p.c_row + column0 + j;
            float value = sum[i][j];
            if (p.bias_count > 0) value += biases[p.bias0 + column0 + j];
            if (p.bias_count > 1) value += biases[p.bias1 + column0 + j];
            if (p.add != 0) value += c[at];
            c[at] = activate(p.activation, value);
        }
    }
}
