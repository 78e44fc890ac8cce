// SPDX-License-Identifier: Apache-2.0
// Reduction by buckets gives exactly the same points as a scan of all points.
#include "core/analysis/curve_index.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/analysis/reduction.hpp"
#include "core/base/rng.hpp"

namespace seedbed {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool samePoints(const Curve& a, const Curve& b) {
    if (a.x != b.x || a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!(a.y[i] == b.y[i] || (std::isnan(a.y[i]) && std::isnan(b.y[i])))) return false;
    return true;
}

// Uneven steps, plateaus, spikes, single and consecutive gaps.
Curve randomCurve(Rng& rng, std::size_t points, double gap_share) {
    Curve curve;
    double x = static_cast<double>(rng.below(1000)), gap = 0;
    for (std::size_t i = 0; i < points; ++i) {
        x += rng.below(4) == 0 ? 0 : static_cast<double>(rng.below(50));
        if (gap <= 0 && rng.uniform() < gap_share) gap = 1 + rng.below(100);
        curve.x.push_back(x),
            curve.y.push_back(
                --gap >= 0 ? kNan : std::round(100 * rng.uniform()) / (rng.below(200) == 0 ? 0.01 : 1));
    }
    return curve;
}

TEST(CurveIndex, ReducesToTheSamePointsAsAFullScan) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Rng rng(seed, RngPurpose::analysis);
        const Curve curve = randomCurve(rng, 1 + rng.below(3000), seed % 3 == 0 ? 0 : 0.002);
        const CurveIndex index(curve);
        for (int view = 0; view < 5; ++view) {
            const double span = curve.x.back() - curve.x.front() + 10;
            const double low = curve.x.front() - 5 + span * 0.8 * rng.uniform(),
                         high = low + span * (0.001 + rng.uniform());
            const int columns = 1 + static_cast<int>(rng.below(900));
            EXPECT_TRUE(
                samePoints(index.reduce(low, high, columns), reduceToColumns(curve, low, high, columns)));
        }
    }
}

TEST(CurveIndex, AWholeCurveKeepsItsFirstAndLastPointAndItsExtremes) {
    Rng rng(7, RngPurpose::analysis);
    for (const bool log_x : {false, true}) {
        const Curve curve = randomCurve(rng, 100000, 0);
        const CurveIndex index(curve);
        const Curve drawn = index.reduce(curve.x.front() + 0.5, curve.x.back(), 500, log_x);
        EXPECT_LE(drawn.size(), 4U * 502);
        EXPECT_EQ(drawn.x.front(), curve.x.front());
        EXPECT_EQ(drawn.y.back(), curve.y.back());
        EXPECT_EQ(*std::max_element(drawn.y.begin(), drawn.y.end()), index.statistics().max);
        EXPECT_EQ(*std::min_element(drawn.y.begin(), drawn.y.end()), index.statistics().min);
    }
}

TEST(CurveIndex, ALogarithmicAxisHasAtMostFourPointsPerColumnAndOmitsNonPositiveOnes) {
    Curve curve;
    for (int i = -10; i < 100000; ++i) {
        curve.x.push_back(i);
        curve.y.push_back(i % 97);
    }
    const CurveIndex index(curve);
    const Curve drawn = index.reduce(1, 1e5, 50, true);
    EXPECT_GE(drawn.x.front(), 1);
    EXPECT_LE(drawn.size(), 4U * 52);
    // Each decade has the same number of columns, so in the first one every point is drawn.
    EXPECT_GE(std::count_if(drawn.x.begin(), drawn.x.end(), [](double x) { return x < 10; }), 9);
}

TEST(CurveIndex, StatisticsCoverAllFinitePoints) {
    const CurveIndex index({{1, 2, 3, 4, 5}, {kNan, 4, -2, 4, std::numeric_limits<double>::infinity()}});
    const CurveStatistics& s = index.statistics();
    EXPECT_EQ(s.points, 3U);
    EXPECT_EQ(s.gaps, 2U);
    EXPECT_EQ(s.first, 4);
    EXPECT_EQ(s.last, 4);
    EXPECT_EQ(s.min, -2);
    EXPECT_EQ(s.max, 4);
    EXPECT_EQ(s.mean, 2);
    EXPECT_EQ(s.first_x, 2);
    EXPECT_EQ(s.last_x, 4);
    EXPECT_EQ(s.min_x, 3);
    EXPECT_EQ(s.max_x, 2);
}

TEST(CurveIndex, EmptyCurvesAndOnlyGapsDrawNothing) {
    for (const Curve& curve : {Curve{}, Curve{{1, 2, 3}, {kNan, kNan, kNan}}}) {
        const CurveIndex index(curve);
        EXPECT_EQ(index.reduce(0, 10, 100).size(), 0U);
        EXPECT_EQ(index.nearest(2), curve.size());
        EXPECT_EQ(index.statistics().points, 0U);
        EXPECT_TRUE(std::isnan(index.statistics().mean));
    }
}

TEST(CurveIndex, TheNearestPointSkipsGaps) {
    const CurveIndex index({{0, 10, 20, 30}, {1, kNan, kNan, 4}});
    EXPECT_EQ(index.nearest(-5), 0U);
    EXPECT_EQ(index.nearest(12), 0U);
    EXPECT_EQ(index.nearest(16), 3U);
    EXPECT_EQ(index.nearest(99), 3U);
}

}  // namespace
}  // namespace seedbed
