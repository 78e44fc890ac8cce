// SPDX-License-Identifier: Apache-2.0
// Matrix products, and the gradients of weights and biases, which are sums over all rows in a fixed order.
#pragma once

#include "gpu/pass.hpp"

namespace seedbed::gpu {

// A matrix with strides: element (row, column) is float begin + row * row_stride + column * column_stride.
struct Matrix {
    Slice slice;
    std::uint32_t begin = 0, row = 0, column = 1;
};

// c [m, n] = activation(a [m, k] b [k, n] + biases).
struct Product {
    std::uint32_t m = 0, n = 0, k = 0;
    Matrix a, b;
    Slice c;                       // rows are contiguous
    std::uint32_t bias_count = 0;  // vectors of n biases in the blob, starting at bias0 and bias1
    std::uint32_t bias0 = 0, bias1 = 0;
    std::uint32_t add = 0;  // 1: add to c
    Activation activation = Activation::none;
};

void product(Pass& pass, const Product& product);

// y [rows, out] = activation(x [rows, in] W^T + biases) for the weights [out, in] of parameter `weight`; the
// biases are parameter `bias` and, if it is not negative, parameter `bias2`.
void project(Pass& pass, const PlanOp& op, const Slice& x, std::uint32_t in, const Slice& y,
             std::uint32_t out, int weight, int bias, int bias2, Activation activation);
// Rows of floats without gaps, from float `begin` on.
struct RowsAt {
    Slice slice;
    std::uint32_t begin = 0;
};
// Gradients of a projection of x [rows, in] from d [rows, out]: writes those of weight and bias to the lane
// if they are requested and, unless dx is empty, writes or adds d W to dx.
void projectBackward(Pass& pass, const PlanOp& op, const Slice& d, const RowsAt& x, std::uint32_t in,
                     std::uint32_t out, int weight, int bias, const Slice& dx, std::uint32_t add);

// Writes the sums of x [rows, columns, inner] over rows and inner elements to the lane, at `begin`.
void columnSums(Pass& pass, const Slice& x, std::uint32_t columns, std::uint32_t inner, std::uint32_t begin);
// Writes the sums of `parts` matrices of `count` floats to the lane, at `begin`.
void partSums(Pass& pass, const Slice& matrices, std::uint32_t parts, std::uint32_t count,
              std::uint32_t begin);
// Rows per part of a sum over `rows` rows, each with `inner` terms, for `count` results. Depends on nothing
// else, so that the order of the sum is fixed.
std::uint32_t rowsPerPart(std::uint32_t rows, std::uint32_t inner, std::uint64_t count);

// Multiplies the gradient of an operation's output by the slope of its activation.
void deactivate(Pass& pass, const PlanOp& op);

}  // namespace seedbed::gpu
