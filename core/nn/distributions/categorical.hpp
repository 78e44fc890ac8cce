// SPDX-License-Identifier: Apache-2.0
// Categorical distributions over the logits of one discrete leaf, many rows at a time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace seedbed::categorical {

// Logits of one leaf in consecutive rows.
struct Logits {
    int rows = 0, n = 0;
    const float* logits = nullptr;  // [rows, n], rows `stride` apart
    std::ptrdiff_t stride = 0;
    const std::uint8_t* mask = nullptr;  // [rows, n], rows `mask_stride` apart; null allows everything
    std::ptrdiff_t mask_stride = 0;
};

// A column of a panel: the element of row r is data[r * stride].
template <class T>
struct Column {
    T* data = nullptr;
    std::ptrdiff_t stride = 1;
};

// The first choice at which the cumulative distribution exceeds uniform[row], a number in [0, 1).
void sample(const Logits& leaf, const double* uniform, Column<float> action);
// The most probable choice; the first one in case of ties.
void mode(const Logits& leaf, Column<float> action);

// result[row] += f.
void addLogProb(const Logits& leaf, Column<const float> action, float* result);
void addEntropy(const Logits& leaf, float* result);
// `q` are logits of the same shape.
void addKl(const Logits& p, const float* q, std::ptrdiff_t q_stride, float* result);

// gradient[row, :] += weight[row] * df / dlogits. Rows of `gradient` have the stride of the logits (of q for
// KL).
void addLogProbGradient(const Logits& leaf, Column<const float> action, const float* weight, float* gradient);
void addEntropyGradient(const Logits& leaf, const float* weight, float* gradient);
void addKlGradient(const Logits& p, const float* q, std::ptrdiff_t q_stride, const float* weight,
                   float* gradient);

}  // namespace seedbed::categorical
