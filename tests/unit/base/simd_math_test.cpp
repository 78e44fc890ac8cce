// SPDX-License-Identifier: Apache-2.0
// Vectorised sine and cosine: accuracy compared with the C library in higher precision, and equal bits on
// every instruction set.
#include "core/base/simd_math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "core/base/rng.hpp"
#include "core/base/simd.hpp"

namespace seedbed {
namespace {

SEEDBED_INLINE void sinCosLoop(const double* x, double* sines, double* cosines, int count) {
    SEEDBED_INDEPENDENT
    for (int i = 0; i < count; ++i) sinCos(x[i], sines[i], cosines[i]);
}
SEEDBED_VERSIONED(sinCosAll, sinCosLoop, (const double* x, double* sines, double* cosines, int count),
                  (x, sines, cosines, count))

// Angles of all sizes, including every multiple of pi/4 up to 1000 and its neighbours.
std::vector<double> angles() {
    std::vector<double> x = {0.0, -0.0, 1e-300, 1e-9};
    for (int k = -1273; k <= 1273; ++k) {
        const double at = k * 0.78539816339744830962;
        for (const double near : {std::nextafter(at, -1e9), at, std::nextafter(at, 1e9)}) x.push_back(near);
    }
    Rng rng(17, RngPurpose::test);
    for (const double size : {0.1, 1.0, 10.0, 1000.0, 1e6})
        for (int i = 0; i < 50'000; ++i) x.push_back(rng.uniform(-size, size));
    return x;
}

TEST(SimdMath, SineAndCosineAreWithinOneUlpOrOneTenThousandTrillionth) {
    for (const double x : angles()) {
        double s, c;
        sinCos(x, s, c);
        const long double true_s = std::sin(static_cast<long double>(x)),
                          true_c = std::cos(static_cast<long double>(x));
        const auto bound = [](long double value) {
            const double size = std::abs(static_cast<double>(value));
            return std::max<long double>(std::nextafter(size, 2.0) - size, 1e-16L);
        };
        ASSERT_LE(std::abs(s - true_s), bound(true_s)) << "sin of " << x;
        ASSERT_LE(std::abs(c - true_c), bound(true_c)) << "cos of " << x;
    }
}

TEST(SimdMath, SmallAnglesKeepFullRelativePrecision) {
    for (const double x : {1e-300, 1e-20, 1e-8, 1e-3, 0.2, 0.7853}) {
        const double expected = static_cast<double>(std::sin(static_cast<long double>(x)));
        EXPECT_LE(std::abs(sine(x) - expected), std::nextafter(expected, 1.0) - expected) << x;
    }
}

TEST(SimdMath, EveryInstructionSetGivesTheSameBits) {
    const std::vector<double> x = angles();
    const auto compute = [&](Isa isa) {
        limitIsa(isa);
        std::vector<double> values(2 * x.size());
        sinCosAll(x.data(), values.data(), values.data() + x.size(), static_cast<int>(x.size()));
        return values;
    };
    const std::vector<double> base = compute(Isa::base);
    for (const Isa isa : {Isa::avx2, Isa::avx512}) {
        if (detectedIsa() < isa) GTEST_SKIP() << "this machine has no " << nameOf(isa);
        const std::vector<double> other = compute(isa);
        EXPECT_EQ(std::memcmp(base.data(), other.data(), base.size() * sizeof(double)), 0) << nameOf(isa);
    }
    limitIsa(Isa::avx512);
}

TEST(SimdMath, RoundingIsToTheNearestEvenInteger) {
    for (const double x : {0.0, 0.49, 0.5, 0.51, 1.5, 2.5, -0.5, -1.5, 1e9 + 0.5})
        EXPECT_EQ(roundNearest(x), std::nearbyint(x)) << x;
}

}  // namespace
}  // namespace seedbed
