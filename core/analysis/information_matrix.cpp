// SPDX-License-Identifier: Apache-2.0
// A = R^T R with an upper triangular R, then S = R^-1; the diagonal of A^-1 = S S^T consists of the squared
// lengths of the rows of S (Golub & Van Loan, "Matrix Computations", section 4.2).
#include "core/analysis/information_matrix.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/simd.hpp"

namespace seedbed {
namespace {

constexpr std::size_t kSide = 32;  // of a block; three blocks fit the first cache
constexpr std::size_t kElements = kSide * kSide;

// to -= a b
SEEDBED_INLINE void subtractLoop(double* to, const double* a, const double* b) {
    for (std::size_t i = 0; i < kSide; ++i) {
        std::array<double, kSide> sums;
        for (std::size_t j = 0; j < kSide; ++j) sums[j] = to[i * kSide + j];
        for (std::size_t k = 0; k < kSide; ++k)
            for (std::size_t j = 0; j < kSide; ++j) sums[j] -= a[i * kSide + k] * b[k * kSide + j];
        for (std::size_t j = 0; j < kSide; ++j) to[i * kSide + j] = sums[j];
    }
}
SEEDBED_VERSIONED(subtractProduct, subtractLoop, (double* to, const double* a, const double* b), (to, a, b))

void transpose(const double* from, double* to) {
    for (std::size_t i = 0; i < kSide; ++i)
        for (std::size_t j = 0; j < kSide; ++j) to[j * kSide + i] = from[i * kSide + j];
}

// row -= factor * other
void subtractRow(double* row, double factor, const double* other) {
    for (std::size_t j = 0; j < kSide; ++j) row[j] -= factor * other[j];
}
void scaleRow(double* row, double factor) {
    for (std::size_t j = 0; j < kSide; ++j) row[j] *= factor;
}

// Replaces a symmetric block, of which the upper triangle is given, by its factor; false if it is not
// positive definite.
bool factoriseBlock(double* block) {
    for (std::size_t k = 0; k < kSide; ++k) {
        double* row = block + k * kSide;
        for (std::size_t m = 0; m < k; ++m) subtractRow(row, block[m * kSide + k], block + m * kSide);
        if (!(row[k] > 0)) return false;
        scaleRow(row, 1 / std::sqrt(row[k]));
        std::fill_n(row, k, 0.0);
    }
    return true;
}

// to = r^-T to, for an upper triangular r.
void solveTransposed(const double* r, double* to) {
    for (std::size_t k = 0; k < kSide; ++k) {
        for (std::size_t m = 0; m < k; ++m) subtractRow(to + k * kSide, r[m * kSide + k], to + m * kSide);
        scaleRow(to + k * kSide, 1 / r[k * kSide + k]);
    }
}

// to = r^-1 to.
void solveUpper(const double* r, double* to) {
    for (std::size_t k = kSide; k-- > 0;) {
        for (std::size_t m = k + 1; m < kSide; ++m)
            subtractRow(to + k * kSide, r[k * kSide + m], to + m * kSide);
        scaleRow(to + k * kSide, 1 / r[k * kSide + k]);
    }
}

}  // namespace

InformationMatrix::InformationMatrix(std::size_t size)
    : size_(size), blocks_((size + kSide - 1) / kSide), values_(blocks_ * blocks_ * kElements, 0.0) {
    for (std::size_t i = size; i < blocks_ * kSide; ++i) at(i, i) = 1;
}

double* InformationMatrix::block(std::size_t row, std::size_t column) {
    return values_.data() + (row * blocks_ + column) * kElements;
}

double& InformationMatrix::at(std::size_t row, std::size_t column) {
    if (row > column) std::swap(row, column);
    return block(row / kSide, column / kSide)[row % kSide * kSide + column % kSide];
}

bool InformationMatrix::factorise() {
    std::array<double, kElements> transposed;
    for (std::size_t k = 0; k < blocks_; ++k) {
        if (!factoriseBlock(block(k, k))) return false;
        for (std::size_t j = k + 1; j < blocks_; ++j) solveTransposed(block(k, k), block(k, j));
        for (std::size_t i = k + 1; i < blocks_; ++i) {
            transpose(block(k, i), transposed.data());
            for (std::size_t j = i; j < blocks_; ++j)
                subtractProduct(block(i, j), transposed.data(), block(k, j));
        }
    }
    return true;
}

// From the left: column j of S is -S' r S_jj, with the columns S' before it and the column r of R.
void InformationMatrix::invertFactor() {
    std::array<double, kElements> product;
    for (std::size_t j = 0; j < blocks_; ++j) {
        std::array<double, kElements> inverse{};
        for (std::size_t i = 0; i < kSide; ++i) inverse[i * kSide + i] = 1;
        solveUpper(block(j, j), inverse.data());
        std::copy(inverse.begin(), inverse.end(), block(j, j));
        for (std::size_t i = 0; i < j; ++i) {
            product.fill(0);
            for (std::size_t k = i; k < j; ++k) subtractProduct(product.data(), block(i, k), block(k, j));
            for (double& value : product) value = -value;
            std::fill_n(block(i, j), kElements, 0.0);
            subtractProduct(block(i, j), product.data(), inverse.data());
        }
    }
}

InformationMatrix::Inverse InformationMatrix::invert(std::size_t ones) && {
    if (!factorise()) return {};
    invertFactor();
    Inverse inverse{std::vector<double>(size_, 0.0), std::vector<double>(size_, 0.0)};
    std::vector<double> sums(size_, 0.0);  // S^T (1, ..., 1, 0, ..., 0)
    for (std::size_t i = 0; i < std::min(ones, size_); ++i)
        for (std::size_t j = i; j < size_; ++j) sums[j] += at(i, j);
    for (std::size_t i = 0; i < size_; ++i) {
        for (std::size_t j = i; j < size_; ++j) {
            const double value = at(i, j);
            inverse.diagonal[i] += value * value;
            inverse.times_ones[i] += value * sums[j];
        }
    }
    return inverse;
}

}  // namespace seedbed
