// SPDX-License-Identifier: Apache-2.0
// Code shared by LSTM and GRU: the state before each row, with resets, and the matrix products over all
// steps.
#pragma once

#include <algorithm>

#include "core/nn/engines/reference/operations/shared/gemm.hpp"
#include "core/nn/engines/reference/operations/shared/pass.hpp"

namespace seedbed::reference {

// Copies the state before the rows of step `t` to `before` [sequences, size]: the previous step's rows of
// `after` or, at step 0, words [offset, offset + size) of the given state; zeros where an episode begins.
template <class F>
void stateBefore(const Pass<F>& pass, int t, const F* after, int offset, int size, F* before) {
    const int n = pass.sequences;
    for (int s = 0; s < n; ++s, before += size) {
        if (pass.panel->first[t * n + s]) std::fill_n(before, size, F(0));
        else if (t == 0)
            std::copy_n(pass.state_in + static_cast<std::ptrdiff_t>(s) * pass.plan->state_words + offset,
                        size, before);
        else std::copy_n(after + (static_cast<std::ptrdiff_t>(t - 1) * n + s) * size, size, before);
    }
}

// Copies the rows of the last step of `after` to words [offset, offset + size) of the state after the call.
template <class F>
void stateAfter(Pass<F>& pass, const F* after, int offset, int size) {
    const F* last = after + static_cast<std::ptrdiff_t>(pass.steps - 1) * pass.sequences * size;
    for (int s = 0; s < pass.sequences; ++s, last += size)
        std::copy_n(last, size,
                    pass.state_out + static_cast<std::ptrdiff_t>(s) * pass.plan->state_words + offset);
}

// y [rows, width] = bias (+ bias2) + x [rows, in] * weight^T.
template <class F>
void project(int rows, int in, int width, const F* x, const F* weight_t, const F* bias, const F* bias2,
             F* y) {
    for (std::ptrdiff_t row = 0; row < rows; ++row)
        for (int i = 0; i < width; ++i) y[row * width + i] = bias2 == nullptr ? bias[i] : bias[i] + bias2[i];
    gemm(rows, width, in, Strided<F>{x, in, 1}, weight_t, width, y, width);
}

// Gradients of one projection from d [rows, width]: adds to the weight and bias in the lane and, unless it is
// null, to dx.
template <class F>
void projectBackward(int rows, int in, int width, const F* d, const F* x, const F* weight, F* d_weight,
                     F* d_bias, F* dx) {
    for (std::ptrdiff_t row = 0; row < rows; ++row)
        for (int i = 0; i < width; ++i) d_bias[i] += d[row * width + i];
    gemm(width, in, rows, Strided<F>{d, 1, width}, x, in, d_weight, in);
    if (dx != nullptr) gemm(rows, in, width, Strided<F>{d, width, 1}, weight, in, dx, in);
}

}  // namespace seedbed::reference
