// SPDX-License-Identifier: Apache-2.0
// Summary statistics compared with values computed by hand and with their definitions.
#include "core/analysis/statistics.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/rng.hpp"

namespace seedbed {
namespace {

TEST(Statistics, MeanAndSampleDeviationOfAHandComputedSet) {
    const std::vector<double> values{2, 4, 4, 4, 5, 5, 7, 9};
    const Summary s = summarise(values);
    EXPECT_EQ(s.n, 8u);
    EXPECT_DOUBLE_EQ(s.mean, 5);
    EXPECT_DOUBLE_EQ(s.std, std::sqrt(32.0 / 7));  // sum of squares 32, n - 1 = 7
    EXPECT_DOUBLE_EQ(s.min, 2);
    EXPECT_DOUBLE_EQ(s.max, 9);
    EXPECT_DOUBLE_EQ(s.iqm, 4.5);  // the middle half: 4 4 5 5
}

TEST(Statistics, InterquartileMeanWeighsTheEdgesIfTheCountIsNotAMultipleOfFour) {
    // n = 5: [1.25, 3.75) of the sorted values, so 3/4 of the second, all of the third, 3/4 of the fourth.
    EXPECT_DOUBLE_EQ(interquartileMean({100, 1, 2, 3, -50}), (0.75 * 1 + 2 + 0.75 * 3) / 2.5);
    EXPECT_DOUBLE_EQ(interquartileMean({7}), 7);
    EXPECT_DOUBLE_EQ(interquartileMean({}), 0);
}

TEST(Statistics, OneValueHasNoDeviationAndAnIntervalOfItself) {
    const std::vector<double> values{3};
    const Summary s = summarise(values);
    EXPECT_EQ(s.std, 0);
    EXPECT_EQ(s.ci_low, 3);
    EXPECT_EQ(s.ci_high, 3);
}

TEST(Statistics, EmptyInputGivesZeros) {
    const Summary s = summarise({});
    EXPECT_EQ(s.n, 0u);
    EXPECT_EQ(s.mean, 0);
}

TEST(Statistics, BootstrapIntervalHasItsNominalCoverage) {
    // 400 samples of 30 normals: a 95 % percentile interval of this size covers about 93.5 %; 4 standard
    // errors of that count are 5 %.
    int covered = 0;
    Rng rng(11, RngPurpose::test);
    for (int trial = 0; trial < 400; ++trial) {
        std::vector<double> values(30);
        for (double& v : values) v = 1.5 + rng.normal();
        const auto [low, high] = bootstrapMean(values, 0.95, 500, static_cast<std::uint64_t>(trial));
        covered += low <= 1.5 && 1.5 <= high;
    }
    EXPECT_GT(covered, 400 * 0.885);
    EXPECT_LT(covered, 400 * 0.985);
}

TEST(Statistics, BootstrapIsFixedByItsSeed) {
    Rng rng(3, RngPurpose::test);
    std::vector<double> values(50);
    for (double& v : values) v = rng.normal();
    EXPECT_EQ(bootstrapMean(values, 0.95, 500, 7), bootstrapMean(values, 0.95, 500, 7));
    EXPECT_NE(bootstrapMean(values, 0.95, 500, 7), bootstrapMean(values, 0.95, 500, 8));
}

}  // namespace
}  // namespace seedbed
