// SPDX-License-Identifier: Apache-2.0
// Products, transpositions and sums of the native engine compared with plain loops in double, for every kind
// of edge and on every instruction set.
#include <cmath>
#include <vector>

#include "core/base/rng.hpp"
#include "tests/unit/nn_native/isa_util.hpp"

namespace seedbed::testing_native {

namespace {

using native::Kernels;

class Kernel : public testing::TestWithParam<Isa> {};

std::vector<float> noise(std::size_t count, Rng& rng) {
    std::vector<float> values(count);
    for (float& x : values) x = static_cast<float>(rng.normal());
    return values;
}
std::size_t at(int row, int column, int columns) {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
           static_cast<std::size_t>(column);
}

// Sums of k products of normal numbers: k roundings of sums of size sqrt(k).
double allowed(int k) { return 2e-7 * (k + 4) * std::sqrt(static_cast<double>(k) + 1); }

TEST_P(Kernel, ProductsOfAllShapesAreThoseOfPlainLoops) {
    SEEDBED_NEEDS_ISA(GetParam());
    const Kernels& kernels = *native::kernelsOf(GetParam());
    Rng rng(3, RngPurpose::test);
    for (const int m : {1, 2, 3, 5, 6, 7, 13, 14, 29}) {
        for (const int n : {1, 3, 8, 15, 16, 17, 33, 48, 64, 65, 130}) {
            for (const int k : {1, 2, 7, 64, 400}) {
                const std::vector<float> a = noise(at(m, 0, k), rng), b = noise(at(k, 0, n), rng),
                                         bias = noise(at(1, 0, n), rng);
                std::vector<double> sum(at(m, 0, n));
                for (int i = 0; i < m; ++i)
                    for (int j = 0; j < n; ++j)
                        for (int l = 0; l < k; ++l)
                            sum[at(i, j, n)] +=
                                static_cast<double>(a[at(i, l, k)]) * static_cast<double>(b[at(l, j, n)]);
                // b as [n, k], to be packed.
                std::vector<float> transposed(b.size()), packed(native::packedFloats(kernels, n, k)),
                    a_transposed(a.size());
                kernels.transpose(k, n, b.data(), n, transposed.data(), k, false);
                kernels.transpose(m, k, a.data(), k, a_transposed.data(), m, false);
                kernels.pack(n, k, transposed.data(), k, packed.data());

                std::vector<float> c(sum.size()), d(sum.size(), 0.5f), e(sum.size());
                kernels.product({.m = m,
                                 .n = n,
                                 .k = k,
                                 .a = a.data(),
                                 .a_row = k,
                                 .b = packed.data(),
                                 .packed = true,
                                 .c = c.data(),
                                 .c_row = n,
                                 .bias = bias.data(),
                                 .activation = Activation::relu});
                kernels.product({.m = m,
                                 .n = n,
                                 .k = k,
                                 .a = a_transposed.data(),
                                 .a_row = 1,
                                 .a_column = m,
                                 .b = b.data(),
                                 .b_row = n,
                                 .c = d.data(),
                                 .c_row = n,
                                 .add = true});
                kernels.product({.m = m,
                                 .n = n,
                                 .k = k,
                                 .a = a.data(),
                                 .a_row = k,
                                 .b = b.data(),
                                 .b_row = n,
                                 .c = e.data(),
                                 .c_row = n,
                                 .derive = c.data(),
                                 .derive_row = n,
                                 .derive_activation = Activation::relu});
                for (std::size_t i = 0; i < sum.size(); ++i) {
                    const double shifted =
                        sum[i] + static_cast<double>(bias[i % static_cast<std::size_t>(n)]);
                    ASSERT_NEAR(c[i], std::max(0.0, shifted), allowed(k))
                        << m << " " << n << " " << k << " packed, element " << i;
                    ASSERT_NEAR(d[i], sum[i] + 0.5, allowed(k))
                        << m << " " << n << " " << k << " added, element " << i;
                    ASSERT_NEAR(e[i], c[i] > 0 ? sum[i] : 0.0, allowed(k))
                        << m << " " << n << " " << k << " derived, element " << i;
                }
                if (n > 4) continue;
                kernels.dots(m, n, k, a.data(), k, transposed.data(), bias.data(), c.data(), n);
                for (std::size_t i = 0; i < sum.size(); ++i)
                    ASSERT_NEAR(c[i], sum[i] + static_cast<double>(bias[i % static_cast<std::size_t>(n)]),
                                allowed(k))
                        << m << " " << n << " " << k << " dots";
            }
        }
    }
}

TEST_P(Kernel, TranspositionsAndColumnSumsAreExact) {
    SEEDBED_NEEDS_ISA(GetParam());
    const Kernels& kernels = *native::kernelsOf(GetParam());
    Rng rng(4, RngPurpose::test);
    for (const int rows : {1, 4, 15, 16, 33}) {
        for (const int columns : {1, 3, 16, 18, 40}) {
            std::vector<float> x(at(rows, 0, columns));
            for (float& v : x) v = static_cast<float>(rng.below(1000));  // sums of whole numbers are exact
            std::vector<float> transposed(x.size(), 1.0f), sums(static_cast<std::size_t>(columns), 2.0f);
            kernels.transpose(rows, columns, x.data(), columns, transposed.data(), rows, true);
            kernels.addColumnSums(rows, columns, x.data(), columns, sums.data());
            for (int c = 0; c < columns; ++c) {
                float sum = 2;
                for (int r = 0; r < rows; ++r) {
                    sum += x[at(r, c, columns)];
                    ASSERT_EQ(transposed[at(c, r, rows)], x[at(r, c, columns)] + 1.0f);
                }
                ASSERT_EQ(sums[static_cast<std::size_t>(c)], sum);
            }
        }
    }
}

TEST_P(Kernel, SparseProductsHaveTheBitsOfDenseOnes) {
    SEEDBED_NEEDS_ISA(GetParam());
    const Kernels& kernels = *native::kernelsOf(GetParam());
    Rng rng(5, RngPurpose::test);
    for (const int n : {5, 16, 64, 100}) {
        constexpr int kRows = 9, kInputs = 77;
        std::vector<float> x(at(kRows, 0, kInputs));
        std::vector<std::int32_t> begin{0}, index;
        for (int r = 0; r < kRows; ++r) {
            for (int i = 0; i < kInputs; ++i) {
                x[at(r, i, kInputs)] = rng.below(5) == 0 ? 1.0f : 0.0f;
                if (x[at(r, i, kInputs)] != 0) index.push_back(i);
            }
            begin.push_back(static_cast<std::int32_t>(index.size()));
        }
        const std::vector<float> w = noise(at(n, 0, kInputs), rng), bias = noise(at(1, 0, n), rng),
                                 dy = noise(at(kRows, 0, n), rng);
        std::vector<float> packed(native::packedFloats(kernels, n, kInputs)), dense(at(kRows, 0, n)),
            sparse = dense;
        std::vector<float> d_dense(at(kInputs, 0, n)), d_sparse = d_dense;
        kernels.pack(n, kInputs, w.data(), kInputs, packed.data());
        kernels.product({.m = kRows,
                         .n = n,
                         .k = kInputs,
                         .a = x.data(),
                         .a_row = kInputs,
                         .b = packed.data(),
                         .packed = true,
                         .c = dense.data(),
                         .c_row = n,
                         .bias = bias.data(),
                         .activation = Activation::tanh});
        kernels.product({.m = kInputs,
                         .n = n,
                         .k = kRows,
                         .a = x.data(),
                         .a_row = 1,
                         .a_column = kInputs,
                         .b = dy.data(),
                         .b_row = n,
                         .c = d_dense.data(),
                         .c_row = n});
        const native::SparseRows rows{.rows = kRows,
                                      .n = n,
                                      .k = kInputs,
                                      .begin = begin.data(),
                                      .index = index.data(),
                                      .b = packed.data(),
                                      .bias = bias.data(),
                                      .activation = Activation::tanh,
                                      .c = sparse.data(),
                                      .c_row = n,
                                      .dy = dy.data(),
                                      .dy_row = n,
                                      .d = d_sparse.data()};
        kernels.sparseForward(rows);
        kernels.sparseBackward(rows);
        EXPECT_EQ(dense, sparse) << n;
        EXPECT_EQ(d_dense, d_sparse) << n;
    }
}

INSTANTIATE_TEST_SUITE_P(EveryIsa, Kernel, testing::Values(Isa::base, Isa::avx2, Isa::avx512),
                         [](const auto& isa) { return nameOf(isa.param); });

}  // namespace

}  // namespace seedbed::testing_native
