// SPDX-License-Identifier: Apache-2.0
// The table of inner loops of the native engine: one table per instruction set, chosen when a network is
// compiled.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/simd.hpp"
#include "core/nn/net_plan.hpp"

namespace seedbed::native {

// c [m, n] = act(a b + bias) or c += a b, optionally times the derivative of an activation. Element (i, k) of
// a is a[i * a_row + k * a_column]; rows of b and c are contiguous. Products are summed in the order of k for
// all m and n; last bits may differ between instruction sets.
struct Product {
    int m = 0, n = 0, k = 0;
    const float* a = nullptr;
    std::ptrdiff_t a_row = 0, a_column = 1;
    const float* b = nullptr;  // natural: row k at b + k * b_row; packed: panels written by `pack`
    std::ptrdiff_t b_row = 0;
    bool packed = false;
    float* c = nullptr;
    std::ptrdiff_t c_row = 0;
    bool add = false;             // add to c
    const float* bias = nullptr;  // [n], if not `add`
    Activation activation = Activation::none;
    const float* derive = nullptr;  // [m, n]: multiply by activation', given the activated values `derive`
    std::ptrdiff_t derive_row = 0;
    Activation derive_activation = Activation::none;
};

// c [m, n] = act(a b + bias) or c += a b, where row i of a begins at a + row_offset[i] and consists of
// `segments` runs: element j of run s is at segment_offset[s] + j * k_step. Rows [g * group, (g + 1) * group)
// are `row_step` apart.
struct WindowProduct {
    int m = 0, n = 0;
    const float* a = nullptr;
    const std::int32_t* row_offset = nullptr;
    int group = 1;  // 1, 3 or 4
    std::ptrdiff_t row_step = 0;
    int segments = 0, run = 0;
    const std::int32_t* segment_offset = nullptr;
    std::ptrdiff_t k_step = 1;
    const float* b = nullptr;
    std::ptrdiff_t b_row = 0;
    bool packed = false;
    float* c = nullptr;
    std::ptrdiff_t c_row = 0;
    bool add = false;
    const float* bias = nullptr;
    Activation activation = Activation::none;
};

// c = act(a b + bias) or c += a b, for windows along lines. Element (s, j) of row i of line l of a is at
// l * a_line + i * a_step + s * segment + j * k_step.
struct LineProduct {
    int lines = 0, width = 0, n = 0;
    const float* a = nullptr;
    std::ptrdiff_t a_line = 0, a_step = 0;
    int segments = 0, run = 0;
    std::ptrdiff_t segment = 0, k_step = 1;
    // Row (s, j) is at s * b_segment + j * b_row; its last vector must be readable to the end. Packed: as in
    // Product.
    const float* b = nullptr;
    std::ptrdiff_t b_row = 0, b_segment = 0;  // only if not packed
    bool packed = false;
    float* c = nullptr;
    std::ptrdiff_t c_line = 0, c_row = 0;
    bool add = false;
    const float* bias = nullptr;
    Activation activation = Activation::none;
    const float* derive = nullptr;  // as in Product, with the lines and rows of c
    Activation derive_activation = Activation::none;
};

// Max pooling of one image with channels last. `picked` holds the number of the largest tap of each window as
// the bits of an integer; null: not needed.
struct PoolImage {
    PlanValue from, to;
    int kernel = 0, stride = 0, pad = 0;
    const float* x = nullptr;
    float *y = nullptr, *picked = nullptr;
    // Backward: dx is accumulated.
    const float* dy = nullptr;
    float* dx = nullptr;
};

// Rows whose elements are small integers, mostly 0: row r has ones at index[begin[r]] ... index[begin[r + 1]
// - 1], ascending; an element of 2 is listed twice. The sums are equal to a dense product's, in the same
// order.
struct SparseRows {
    int rows = 0, n = 0, k = 0;
    const std::int32_t* begin = nullptr;
    const std::int32_t* index = nullptr;
    const float* b = nullptr;  // packed [k, n]
    const float* bias = nullptr;
    Activation activation = Activation::none;
    float* c = nullptr;
    std::ptrdiff_t c_row = 0;
    // Backward: row k of d [k, n] += the rows of dy in which element k is one.
    const float* dy = nullptr;
    std::ptrdiff_t dy_row = 0;
    float* d = nullptr;
};

// Gates and cells of LSTM rows (see recurrent.inl); sizes are in floats, rows are contiguous.
struct LstmRows {
    int rows = 0, size = 0;
    float* gates = nullptr;  // [rows, 4 size] i, f, g, o: before activation on entry, activated on return
    const float* before = nullptr;                              // [rows, size] previous cell
    float *cell = nullptr, *tanh_cell = nullptr, *y = nullptr;  // [rows, size]
    // Backward pass:
    const float* dy = nullptr;           // [rows, size]
    float *dh = nullptr, *dc = nullptr;  // [rows, size] from the next step; dh is input, dc is updated
    float* d_gates = nullptr;            // [rows, 4 size]
};

struct GruRows {
    int rows = 0, size = 0;
    float* gates = nullptr;  // [rows, 3 size] r, z, n: input projections on entry, activated gates on return
    const float* recurrent = nullptr;          // [rows, 3 size] projections of the state
    const float* before = nullptr;             // [rows, size] previous state
    float *candidate = nullptr, *y = nullptr;  // [rows, size]
    // Backward pass:
    const float* dy = nullptr;
    float* dh = nullptr;                               // in and out
    float *d_input = nullptr, *d_recurrent = nullptr;  // [rows, 3 size]
};

// Layer normalisation (see norm.inl); rows are contiguous, and rows of `saved` are one float longer.
struct NormRows {
    int rows = 0, size = 0;
    const float *gain = nullptr, *bias = nullptr;
    Activation activation = Activation::none;
    const float* x = nullptr;
    float *y = nullptr, *saved = nullptr;
    // Backward: d_gain and d_bias are accumulated, dx is set or, with `add`, accumulated; null: not needed.
    const float* dy = nullptr;
    float *d_gain = nullptr, *d_bias = nullptr, *dx = nullptr;
    bool add = false;
};

struct Kernels {
    Isa isa;
    int lanes;  // floats per vector
    int panel;  // columns per packed panel
    void (*product)(const Product& p);
    // from [n, k] (rows `stride` apart) -> panels of `panel` columns, each [k, width]; the width of the last
    // panel is rounded up to a multiple of `lanes` and filled with zeros.
    void (*pack)(int n, int k, const float* from, std::ptrdiff_t stride, float* to);
    // y [m, n] = x w^T + bias by dot products along k, for small n; w [n, k] as in the blob. Each lane has
    // its own partial sum, so results depend on the vector width: they are bitwise the same in all calls and
    // on all machines with this instruction set, but differ between sets.
    void (*dots)(int m, int n, int k, const float* x, std::ptrdiff_t x_row, const float* w, const float* bias,
                 float* y, std::ptrdiff_t y_row);
    // sum [n] += columns of x [m, n].
    void (*addColumnSums)(int m, int n, const float* x, std::ptrdiff_t row, float* sum);
    void (*activate)(Activation activation, float* y, std::size_t count);
    void (*deactivate)(Activation activation, const float* y, float* gradient, std::size_t count);
    void (*windowProduct)(const WindowProduct& p);
    void (*lineProduct)(const LineProduct& p);
    void (*poolForward)(const PoolImage& p);
    void (*poolBackward)(const PoolImage& p);
    // to [columns, rows] = or += transpose of from [rows, columns].
    void (*transpose)(int rows, int columns, const float* from, std::ptrdiff_t from_row, float* to,
                      std::ptrdiff_t to_row, bool add);
    void (*addRun)(const float* from, float* to, int count);
    void (*sparseForward)(const SparseRows& s);
    void (*sparseBackward)(const SparseRows& s);
    void (*scaleBytes)(const std::uint8_t* from, float divisor, float* to, std::size_t count);
    void (*exponential)(float* y, std::size_t count);  // in place, as in functions.inl
    void (*sigmoid)(float* y, std::size_t count);
    void (*normForward)(const NormRows& n);
    void (*normBackward)(const NormRows& n);
    void (*lstmForward)(const LstmRows& r);
    void (*lstmBackward)(const LstmRows& r);
    void (*gruForward)(const GruRows& r);
    void (*gruBackward)(const GruRows& r);
};

// The size of the output of pack, in floats.
inline std::size_t packedFloats(const Kernels& kernels, int n, int k) {
    const int lanes = kernels.lanes;
    return static_cast<std::size_t>((n + lanes - 1) / lanes * lanes) * static_cast<std::size_t>(k);
}

// The table for an instruction set; null if this machine does not support the set (or, for avx2, FMA).
const Kernels* kernelsOf(Isa isa);
// The kernels for the instruction set in use, or the base kernels if that set has no kernels.
const Kernels& activeKernels();

namespace base {
extern const Kernels kKernels;
}
namespace avx2 {
extern const Kernels kKernels;
}
namespace avx512 {
extern const Kernels kKernels;
}

}  // namespace seedbed::native
