// SPDX-License-Identifier: Apache-2.0
// Register-tiled matrix product: the inner loop is over adjacent columns, so the compiler vectorises it
// without changing any sum.
#include "core/nn/engines/reference/operations/shared/gemm.hpp"

#include <cstring>

#include "core/base/simd.hpp"

namespace seedbed::reference {

namespace {

template <class F>
struct Product {
    int m = 0, n = 0, k = 0;
    Strided<F> a;
    const F* b = nullptr;
    std::ptrdiff_t b_stride = 0;
    F* c = nullptr;
    std::ptrdiff_t c_stride = 0;
};

// Computes kRows rows and one V of columns, starting at row `i` and column `j`; the compiler divides V into
// the registers of the instruction set.
template <int kRows, class V, class F>
SEEDBED_INLINE void tile(const Product<F>& p, int i, int j) {
    V sum[kRows];
    const F* a[kRows];
    for (int r = 0; r < kRows; ++r) {
        std::memcpy(&sum[r], p.c + (i + r) * p.c_stride + j, sizeof(V));
        a[r] = p.a.data + (i + r) * p.a.row_stride;
    }
    const F* b = p.b + j;
    for (int k = 0; k < p.k; ++k, b += p.b_stride) {
        V row;
        std::memcpy(&row, b, sizeof(V));
        for (int r = 0; r < kRows; ++r) sum[r] += a[r][k * p.a.column_stride] * row;
    }
    for (int r = 0; r < kRows; ++r) std::memcpy(p.c + (i + r) * p.c_stride + j, &sum[r], sizeof(V));
}

template <class V, class F>
SEEDBED_INLINE void column(const Product<F>& p, int j) {
    int i = 0;
    for (; i + 4 <= p.m; i += 4) tile<4, V>(p, i, j);
    for (; i < p.m; ++i) tile<1, V>(p, i, j);
}

template <class F, class Wide, class Narrow>
SEEDBED_INLINE void productLoop(const Product<F>& p) {
    constexpr int kWide = sizeof(Wide) / sizeof(F), kNarrow = sizeof(Narrow) / sizeof(F);
    int j = 0;
    for (; j + kWide <= p.n; j += kWide) column<Wide>(p, j);
    for (; j + kNarrow <= p.n; j += kNarrow) column<Narrow>(p, j);
    for (; j < p.n; ++j) column<F>(p, j);
}

using Float16 [[gnu::vector_size(64)]] = float;
using Float4 [[gnu::vector_size(16)]] = float;
using Double8 [[gnu::vector_size(64)]] = double;
using Double2 [[gnu::vector_size(16)]] = double;

SEEDBED_INLINE void floatLoop(const Product<float>& p) { productLoop<float, Float16, Float4>(p); }
SEEDBED_VERSIONED(floatProduct, floatLoop, (const Product<float>& p), (p))

SEEDBED_INLINE void doubleLoop(const Product<double>& p) { productLoop<double, Double8, Double2>(p); }
SEEDBED_VERSIONED(doubleProduct, doubleLoop, (const Product<double>& p), (p))

}  // namespace

void gemm(int m, int n, int k, Strided<float> a, const float* b, std::ptrdiff_t b_stride, float* c,
          std::ptrdiff_t c_stride) {
    floatProduct({m, n, k, a, b, b_stride, c, c_stride});
}

void gemm(int m, int n, int k, Strided<double> a, const double* b, std::ptrdiff_t b_stride, double* c,
          std::ptrdiff_t c_stride) {
    doubleProduct({m, n, k, a, b, b_stride, c, c_stride});
}

}  // namespace seedbed::reference
