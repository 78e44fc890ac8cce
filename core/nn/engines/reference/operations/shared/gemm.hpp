// SPDX-License-Identifier: Apache-2.0
// The matrix product of the reference engine, in float and double.
#pragma once

#include <cstddef>

namespace seedbed::reference {

// A matrix view with strides: element (row, column) is data[row * row_stride + column * column_stride].
template <class F>
struct Strided {
    const F* data = nullptr;
    std::ptrdiff_t row_stride = 0, column_stride = 1;
};

// c [m, n] += a [m, k] * b [k, n]; rows of b and c are contiguous, `b_stride` and `c_stride` elements apart.
// Products are added to the old value of each element of c in the order of k, so the result depends neither
// on neighbouring elements nor on the instruction set.
void gemm(int m, int n, int k, Strided<float> a, const float* b, std::ptrdiff_t b_stride, float* c,
          std::ptrdiff_t c_stride);
void gemm(int m, int n, int k, Strided<double> a, const double* b, std::ptrdiff_t b_stride, double* c,
          std::ptrdiff_t c_stride);

// to [columns, rows] = transpose of from [rows, columns], both contiguous.
template <class F>
void transpose(int rows, int columns, const F* from, F* to) {
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c)
            to[static_cast<std::size_t>(c) * rows + r] = from[static_cast<std::size_t>(r) * columns + c];
}

}  // namespace seedbed::reference
