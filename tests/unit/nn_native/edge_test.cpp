// SPDX-License-Identifier: Apache-2.0
// The kernels on rows with gaps: they read nothing between rows (NaN there would propagate) and write nothing
// there.
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/rng.hpp"
#include "tests/unit/nn_native/isa_util.hpp"

namespace seedbed::testing_native {

namespace {

using native::Kernels;

constexpr int kGap = 5;  // floats between rows; not a multiple of a vector, so that rows are unaligned
constexpr float kCanary = -12345.75f;
const float kPoison = std::numeric_limits<float>::quiet_NaN();

// [rows, columns] with gaps before, between and after the rows.
struct Spaced {
    int rows, columns;
    std::vector<float> floats;

    Spaced(int m, int n, float gap)
        : rows(m), columns(n), floats(static_cast<std::size_t>(m * (n + kGap) + kGap), gap) {}
    static Spaced noise(int m, int n, Rng& rng) {
        Spaced x(m, n, kPoison);
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < n; ++j) x.at(i, j) = static_cast<float>(rng.normal());
        return x;
    }
    // The output of a kernel: canaries around `value`.
    static Spaced filled(int m, int n, float value) {
        Spaced x(m, n, kCanary);
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < n; ++j) x.at(i, j) = value;
        return x;
    }
    std::ptrdiff_t stride() const { return columns + kGap; }
    float* data() { return floats.data() + kGap; }
    const float* data() const { return floats.data() + kGap; }
    float& at(int i, int j) { return data()[i * stride() + j]; }
    float at(int i, int j) const { return data()[i * stride() + j]; }
    // The kernel may write columns [0, columns) of rows; the rest must be unchanged.
    void expectCanaries(const std::string& what) const {
        for (std::size_t i = 0; i < floats.size(); ++i) {
            const auto from_data = static_cast<std::ptrdiff_t>(i) - kGap;
            const bool inside =
                from_data >= 0 && from_data < rows * stride() && from_data % stride() < columns;
            if (!inside) {
                ASSERT_EQ(floats[i], kCanary) << what << ", float " << from_data << " of rows of " << columns;
            }
        }
    }
};

class Edges : public testing::TestWithParam<Isa> {};

// The same bound as in kernel_test.cpp: k roundings of sums of size sqrt(k).
double allowed(int k) { return 2e-7 * (k + 4) * std::sqrt(static_cast<double>(k) + 1); }

TEST_P(Edges, OfProductsAreKept) {
    SEEDBED_NEEDS_ISA(GetParam());
    const Kernels& kernels = *native::kernelsOf(GetParam());
    Rng rng(13, RngPurpose::test);
    for (const int m : {1, 2, 5, 7, 15, 30}) {
        for (const int n : {1, 3, 15, 17, 33, 64, 70, 130}) {
            for (const int k : {1, 9, 300}) {
                const std::string what =
                    std::to_string(m) + " " + std::to_string(n) + " " + std::to_string(k);
                const Spaced a = Spaced::noise(m, k, rng), b = Spaced::noise(k, n, rng),
                             w = Spaced::noise(n, k, rng);
                const Spaced y = Spaced::noise(m, n, rng), bias = Spaced::noise(1, n, rng);
                Spaced added = Spaced::filled(m, n, 1.0f), derived = Spaced::filled(m, n, kPoison),
                       packed_c = derived, dotted = derived;
                kernels.product({.m = m,
                                 .n = n,
                                 .k = k,
                                 .a = a.data(),
                                 .a_row = a.stride(),
                                 .b = b.data(),
                                 .b_row = b.stride(),
                                 .c = added.data(),
                                 .c_row = added.stride(),
                                 .add = true});
                kernels.product({.m = m,
                                 .n = n,
                                 .k = k,
                                 .a = a.data(),
                                 .a_row = a.stride(),
                                 .b = b.data(),
                                 .b_row = b.stride(),
                                 .c = derived.data(),
                                 .c_row = derived.stride(),
                                 .derive = y.data(),
                                 .derive_row = y.stride(),
                                 .derive_activation = Activation::tanh});
                std::vector<float> packed(native::packedFloats(kernels, n, k) + 1, kCanary);
                kernels.pack(n, k, w.data(), w.stride(), packed.data());
                ASSERT_EQ(packed.back(), kCanary) << what << " pack";
                kernels.product({.m = m,
                                 .n = n,
                                 .k = k,
                                 .a = a.data(),
                                 .a_row = a.stride(),
                                 .b = packed.data(),
                                 .packed = true,
                                 .c = packed_c.data(),
                                 .c_row = packed_c.stride(),
                                 .bias = bias.data()});
                std::vector<float> plain;  // dots reads the weights as stored in the blob
                for (int j = 0; j < n; ++j)
                    for (int l = 0; l < k; ++l) plain.push_back(w.at(j, l));
                kernels.dots(m, n, k, a.data(), a.stride(), plain.data(), bias.data(), dotted.data(),
                             dotted.stride());
                for (int i = 0; i < m; ++i) {
                    for (int j = 0; j < n; ++j) {
                        double by_b = 0, by_w = static_cast<double>(bias.at(0, j));
                        for (int l = 0; l < k; ++l) {
                            by_b += static_cast<double>(a.at(i, l)) * static_cast<double>(b.at(l, j));
                            by_w += static_cast<double>(a.at(i, l)) * static_cast<double>(w.at(j, l));
                        }
                        const double slope =
                            1 - static_cast<double>(y.at(i, j)) * static_cast<double>(y.at(i, j));
                        ASSERT_NEAR(added.at(i, j), by_b + 1, allowed(k)) << what;
                        ASSERT_NEAR(derived.at(i, j), by_b * slope,
                                    allowed(k) * std::max(1.0, std::abs(slope)))
                            << what;
                        ASSERT_NEAR(packed_c.at(i, j), by_w, allowed(k)) << what;
                        ASSERT_NEAR(dotted.at(i, j), by_w, allowed(k)) << what;
                    }
                }
                for (const Spaced* c : {&added, &derived, &packed_c, &dotted}) c->expectCanaries(what);
            }
        }
    }
}

TEST_P(Edges, OfTranspositionsAndSumsAreKept) {
    SEEDBED_NEEDS_ISA(GetParam());
    const Kernels& kernels = *native::kernelsOf(GetParam());
    Rng rng(14, RngPurpose::test);
    for (const int rows : {1, 4, 16, 19, 33}) {
        for (const int columns : {1, 3, 8, 16, 21, 40}) {
            const Spaced x = Spaced::noise(rows, columns, rng);
            Spaced transposed = Spaced::filled(columns, rows, 2.0f), sum = Spaced::filled(1, columns, 0.0f);
            kernels.transpose(rows, columns, x.data(), x.stride(), transposed.data(), transposed.stride(),
                              true);
            kernels.addColumnSums(rows, columns, x.data(), x.stride(), sum.data());
            for (int j = 0; j < columns; ++j) {
                double exact = 0;
                for (int i = 0; i < rows; ++i) {
                    ASSERT_EQ(transposed.at(j, i), x.at(i, j) + 2.0f);
                    exact += static_cast<double>(x.at(i, j));
                }
                ASSERT_NEAR(sum.at(0, j), exact, allowed(rows));
            }
            transposed.expectCanaries("transpose");
            sum.expectCanaries("addColumnSums");
        }
    }
}

TEST_P(Edges, OfWindowsAreKept) {
    SEEDBED_NEEDS_ISA(GetParam());
    const Kernels& kernels = *native::kernelsOf(GetParam());
    Rng rng(15, RngPurpose::test);
    // 5 x width windows of 3 x 2 on an image of 7 x (width + 1), stride 1.
    for (const int width : {1, 3, 4, 9, 12}) {
        for (const int n : {1, 16, 20, 33, 64, 70}) {
            constexpr int kTall = 3, kWide = 2, kLines = 5;
            const int line = width + 1, m = kLines * width, k = kTall * kWide;
            std::vector<float> image(static_cast<std::size_t>((kLines + kTall - 1) * line));
            for (float& v : image) v = static_cast<float>(rng.normal());
            const Spaced b = Spaced::noise(k, n, rng);
            std::vector<std::int32_t> row_offset, segment_offset;
            for (int y = 0; y < kLines; ++y)
                for (int x = 0; x < width; ++x) row_offset.push_back(y * line + x);
            for (int y = 0; y < kTall; ++y) segment_offset.push_back(y * line);
            Spaced c = Spaced::filled(m, n, 0.5f);
            kernels.windowProduct({.m = m,
                                   .n = n,
                                   .a = image.data(),
                                   .row_offset = row_offset.data(),
                                   .group = width % 4 == 0   ? 4
                                            : width % 3 == 0 ? 3
                                                             : 1,
                                   .row_step = 1,
                                   .segments = kTall,
                                   .run = kWide,
                                   .segment_offset = segment_offset.data(),
                                   .k_step = 1,
                                   .b = b.data(),
                                   .b_row = b.stride(),
                                   .c = c.data(),
                                   .c_row = c.stride(),
                                   .add = true});
            for (int i = 0; i < m; ++i) {
                for (int j = 0; j < n; ++j) {
                    double exact = 0.5;
                    for (int l = 0; l < k; ++l) {
                        const auto pixel = static_cast<std::size_t>(row_offset[static_cast<std::size_t>(i)] +
                                                                    l / kWide * line + l % kWide);
                        exact += static_cast<double>(image[pixel]) * static_cast<double>(b.at(l, j));
                    }
                    ASSERT_NEAR(c.at(i, j), exact, allowed(k)) << width << " " << n;
                }
            }
            c.expectCanaries("windowProduct");
        }
    }
}

TEST_P(Edges, BytesAreScaledAsByADivision) {
    SEEDBED_NEEDS_ISA(GetParam());
    const Kernels& kernels = *native::kernelsOf(GetParam());
    std::vector<std::uint8_t> bytes;
    for (int i = 0; i < 256 + 7; ++i) bytes.push_back(static_cast<std::uint8_t>(i));
    std::vector<float> divisors{0.5f, 0.1f, 255.5f, 1000.0f};
    for (int d = 1; d <= 255; ++d) divisors.push_back(static_cast<float>(d));
    for (const float divisor : divisors) {
        std::vector<float> to(bytes.size() + 1, kCanary);
        kernels.scaleBytes(bytes.data(), divisor, to.data(), bytes.size());
        for (std::size_t i = 0; i < bytes.size(); ++i)
            ASSERT_EQ(to[i], static_cast<float>(bytes[i]) / divisor) << divisor;
        ASSERT_EQ(to.back(), kCanary);
    }
}

INSTANTIATE_TEST_SUITE_P(EveryIsa, Edges, testing::Values(Isa::base, Isa::avx2, Isa::avx512),
                         [](const auto& isa) { return nameOf(isa.param); });

}  // namespace

}  // namespace seedbed::testing_native
