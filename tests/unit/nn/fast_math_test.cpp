// SPDX-License-Identifier: Apache-2.0
// The elementary functions in float compared with the C library in double, over their whole range.
#include "core/nn/fast_math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace seedbed {

namespace {

// Calls visit(x) for a grid of floats in [low, high] that is dense both near zero and far from zero.
template <class Visit>
void forGrid(double low, double high, const Visit& visit) {
    constexpr int kSteps = 400'000;
    for (int i = 0; i <= kSteps; ++i) {
        const double part = static_cast<double>(i) / kSteps;
        visit(static_cast<float>(low + (high - low) * part));
        const double near_zero = std::exp2(-40 + 46 * part);
        if (near_zero <= high) visit(static_cast<float>(near_zero));
        if (-near_zero >= low) visit(static_cast<float>(-near_zero));
    }
}

double relative(float value, double truth) {
    return std::abs(static_cast<double>(value) - truth) / std::abs(truth);
}

// The tolerances are those stated in the header.
TEST(FastMath, ExpIsWithinItsStatedError) {
    double worst = 0;
    forGrid(-87, 87,
            [&](float x) { worst = std::max(worst, relative(expF(x), std::exp(static_cast<double>(x)))); });
    EXPECT_LT(worst, 2e-7);
    EXPECT_EQ(expF(0.0f), 1.0f);
    EXPECT_LT(expF(-1000.0f), 2e-38f);
    EXPECT_GT(expF(1000.0f), 1e38f);
    EXPECT_TRUE(std::isnan(expF(std::numeric_limits<float>::quiet_NaN())));
}

TEST(FastMath, LogIsWithinItsStatedError) {
    double worst = 0;
    forGrid(1e-6, 100, [&](float x) {
        if (x <= 0) return;
        const double truth = std::log(static_cast<double>(x));
        worst =
            std::max(worst, std::abs(static_cast<double>(logF(x)) - truth) / std::max(1.0, std::abs(truth)));
    });
    EXPECT_LT(worst, 1.5e-7);
    EXPECT_EQ(logF(1.0f), 0.0f);
    EXPECT_NEAR(logF(1e30f), std::log(1e30), 1e-5);
    EXPECT_TRUE(std::isnan(logF(std::numeric_limits<float>::quiet_NaN())));
}

TEST(FastMath, TanhIsWithinItsStatedErrorAndOdd) {
    double worst = 0;
    forGrid(-12, 12, [&](float x) {
        if (x == 0) return;
        worst = std::max(worst, relative(tanhF(x), std::tanh(static_cast<double>(x))));
        ASSERT_EQ(tanhF(-x), -tanhF(x));
        ASSERT_LE(std::abs(tanhF(x)), 1.0f);
    });
    EXPECT_LT(worst, 4e-7);
    EXPECT_EQ(tanhF(0.0f), 0.0f);
    EXPECT_EQ(tanhF(1e30f), 1.0f);
    EXPECT_TRUE(std::isnan(tanhF(std::numeric_limits<float>::quiet_NaN())));
}

TEST(FastMath, SigmoidIsWithinItsStatedError) {
    double worst = 0;
    forGrid(-80, 80, [&](float x) {
        worst = std::max(worst, relative(sigmoidF(x), 1 / (1 + std::exp(-static_cast<double>(x)))));
    });
    EXPECT_LT(worst, 4e-7);
    EXPECT_EQ(sigmoidF(0.0f), 0.5f);
}

}  // namespace

}  // namespace seedbed
