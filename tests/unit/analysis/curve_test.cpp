// SPDX-License-Identifier: Apache-2.0
// Smoothing and reduction of curves, compared with their definitions and with properties of every curve.
#include "core/analysis/curve.hpp"
#include "core/analysis/reduction.hpp"
#include "core/analysis/smoothing.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <stop_token>

#include <gtest/gtest.h>

#include "core/base/rng.hpp"

namespace seedbed {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr Smoothing kKinds[]{Smoothing::time_weighted_ema, Smoothing::tensorboard_ema, Smoothing::gaussian,
                             Smoothing::mean, Smoothing::median};

SmoothingSpec spec(Smoothing kind) { return {kind, kind == Smoothing::tensorboard_ema ? 0.9 : 5.0}; }

Curve randomCurve(Rng& rng, std::size_t n, double gaps) {
    Curve c;
    double x = 0;
    for (std::size_t i = 0; i < n; ++i) {
        x += rng.uniform(0, 2);
        c.x.push_back(x);
        c.y.push_back(rng.uniform() < gaps ? kNan : 10 * rng.normal());
    }
    return c;
}

TEST(Smoothing, TensorboardMatchesItsDefinitionByHand) {
    // s = 0, 1 with w = 0.5: (0.5 * 2) / 0.5 = 2; (0.25 * 2 + 0.5 * 4) / 0.75 = 10/3.
    const Curve c{{0, 1}, {2, 4}};
    const Curve s = smooth(c, {Smoothing::tensorboard_ema, 0.5});
    EXPECT_DOUBLE_EQ(s.y[0], 2);
    EXPECT_DOUBLE_EQ(s.y[1], 10.0 / 3);
}

TEST(Smoothing, TimeWeightedForgetsByDistanceNotByPoints) {
    // A distance of ln 2 halves the weight of the past: (0.5 * 2 + 4) / 1.5.
    const Curve c{{0, std::log(2.0)}, {2, 4}};
    EXPECT_DOUBLE_EQ(smooth(c, {Smoothing::time_weighted_ema, 1}).y[1], (0.5 * 2 + 4) / 1.5);
    // Smoothing a line that is logged ten times as often ends at nearly the same value. The tolerance is half
    // of the larger spacing, times the slope of 1: the time that a point represents differs by that much.
    Curve sparse, dense;
    for (int i = 0; i <= 100; ++i) {
        sparse.x.push_back(i);
        sparse.y.push_back(i);
    }
    for (int i = 0; i <= 1000; ++i) {
        dense.x.push_back(i * 0.1);
        dense.y.push_back(i * 0.1);
    }
    const SmoothingSpec ten{Smoothing::time_weighted_ema, 10};
    EXPECT_NEAR(smooth(sparse, ten).y.back(), smooth(dense, ten).y.back(), 0.5);
}

TEST(Smoothing, CentredKindsMatchTheirDefinitionOnEveryPoint) {
    Rng rng(5, RngPurpose::test);
    const Curve c = randomCurve(rng, 200, 0.1);
    const Curve g = smooth(c, spec(Smoothing::gaussian)), m = smooth(c, spec(Smoothing::mean)),
                d = smooth(c, spec(Smoothing::median));
    for (std::size_t i = 0; i < c.size(); ++i) {
        if (std::isnan(c.y[i])) continue;
        double weighted = 0, weight = 0, sum = 0;
        std::vector<double> near;
        for (std::size_t j = 0; j < c.size(); ++j) {
            const double distance = std::abs(c.x[j] - c.x[i]);
            if (std::isnan(c.y[j])) continue;
            if (distance <= 15)
                weight += std::exp(-0.02 * distance * distance),
                    weighted += std::exp(-0.02 * distance * distance) * c.y[j];
            if (distance <= 2.5) {
                sum += c.y[j];
                near.push_back(c.y[j]);
            }
        }
        std::sort(near.begin(), near.end());
        const std::size_t n = near.size();
        EXPECT_NEAR(g.y[i], weighted / weight, 1e-9);
        EXPECT_NEAR(m.y[i], sum / static_cast<double>(n), 1e-9);
        EXPECT_NEAR(d.y[i], (near[n / 2] + near[(n - 1) / 2]) / 2, 1e-9);
    }
}

TEST(Smoothing, WideWindowsOverManyPointsMatchTheirDefinition) {
    Rng rng(15, RngPurpose::test);
    const Curve c = randomCurve(rng, 20'000, 0.05);
    const double deviation = 0.1 * c.x.back(), window = 0.3 * c.x.back();
    const Curve g = smooth(c, {Smoothing::gaussian, deviation}), d = smooth(c, {Smoothing::median, window});
    for (std::size_t i = 0; i < c.size(); i += 397) {
        if (std::isnan(c.y[i])) continue;
        double weighted = 0, weight = 0;
        std::vector<double> near;
        for (std::size_t j = 0; j < c.size(); ++j) {
            if (std::isnan(c.y[j])) continue;
            const double distance = std::abs(c.x[j] - c.x[i]) / deviation,
                         w = distance <= 3 ? std::exp(-0.5 * distance * distance) : 0;
            weighted += w * c.y[j];
            weight += w;
            if (std::abs(c.x[j] - c.x[i]) <= window / 2) near.push_back(c.y[j]);
        }
        std::sort(near.begin(), near.end());
        const std::size_t n = near.size();
        // Within a clump of an eighth of a deviation, points are 0.036 deviations from its middle (root of
        // the mean square), and their weights are off by 0.036 times the slope: with 2,000 points of noise 10
        // per deviation, 0.003 (at the ends 0.0043). The tolerance is six of these.
        EXPECT_NEAR(g.y[i], weighted / weight, 0.026);
        EXPECT_EQ(d.y[i], near[(n - 1) / 2] + (near[n / 2] - near[(n - 1) / 2]) / 2);
    }
}

TEST(Smoothing, PointsFarAwayChangeNothing) {
    // This also holds for windows of many points, whose reach is extended by the width of a clump that begins
    // within the window.
    Rng rng(16, RngPurpose::test);
    const Curve whole = randomCurve(rng, 10'000, 0.05);
    const Curve begin{{whole.x.begin(), whole.x.begin() + 8000}, {whole.y.begin(), whole.y.begin() + 8000}};
    for (const Smoothing kind : {Smoothing::gaussian, Smoothing::mean, Smoothing::median}) {
        const Curve before = smooth(begin, {kind, 200}), after = smooth(whole, {kind, 200});
        for (std::size_t i = 0; i < begin.size() && begin.x[i] < begin.x.back() - 626; ++i)
            ASSERT_TRUE(before.y[i] == after.y[i] || std::isnan(begin.y[i]))
                << static_cast<int>(kind) << " at " << i;
    }
}

TEST(Smoothing, TimeDoesNotGrowWithTheWindow) {
    // Takes about a second in total; computing every window separately would take minutes. CPU time is
    // measured, so other load does not matter; the limit is generous for slow machines.
    Rng rng(17, RngPurpose::test);
    const Curve c = randomCurve(rng, 200'000, 0);
    const std::clock_t begin = std::clock();
    for (const Smoothing kind : {Smoothing::gaussian, Smoothing::mean, Smoothing::median})
        smooth(c, {kind, 0.3 * c.x.back()});
    EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 15);
}

TEST(Smoothing, AStopRequestIsNoticed) {
    Rng rng(18, RngPurpose::test);
    const Curve c = randomCurve(rng, 100'000, 0);
    std::stop_source stop;
    stop.request_stop();
    for (const Smoothing kind : {Smoothing::gaussian, Smoothing::mean, Smoothing::median}) {
        const Curve stopped = smooth(c, {kind, 1000}, stop.get_token());
        EXPECT_EQ(stopped.y.back(), c.y.back()) << "the end was not reached";
        EXPECT_NE(smooth(c, {kind, 1000}).y.back(), c.y.back());
    }
}

TEST(Smoothing, KeepsGapsConstantsAndLength) {
    Rng rng(6, RngPurpose::test);
    for (const Smoothing kind : kKinds) {
        Curve c = randomCurve(rng, 300, 0.2);
        const Curve s = smooth(c, spec(kind));
        ASSERT_EQ(s.size(), c.size());
        for (std::size_t i = 0; i < c.size(); ++i) EXPECT_EQ(std::isnan(s.y[i]), std::isnan(c.y[i]));
        for (double& y : c.y) y = std::isnan(y) ? y : 0.1;
        const Curve flat = smooth(c, spec(kind));
        for (std::size_t i = 0; i < c.size(); ++i)
            EXPECT_TRUE(std::isnan(c.y[i]) || std::abs(flat.y[i] - 0.1) <= 1e-15) << static_cast<int>(kind);
    }
}

TEST(Smoothing, AllGapsEmptyCurvesAndSenselessAmountsAreHarmless) {
    const Curve gaps{{1, 2, 3}, {kNan, kNan, kNan}};
    for (const Smoothing kind : kKinds) {
        for (const double y : smooth(gaps, spec(kind)).y) EXPECT_TRUE(std::isnan(y));
        EXPECT_EQ(smooth({}, spec(kind)).size(), 0u);
        const Curve c{{1, 2}, {3, 4}};
        for (const double amount : {0.0, -1.0, kNan}) EXPECT_EQ(smooth(c, {kind, amount}), c);
    }
    EXPECT_EQ(*smoothingFromText("gaussian"), Smoothing::gaussian);
    EXPECT_FALSE(smoothingFromText("gausian"));
}

// The lowest and highest value per column in a chart of `columns` pixels.
std::vector<std::pair<double, double>> pixels(const Curve& c, double low, double high, int columns) {
    std::vector<std::pair<double, double>> out(static_cast<std::size_t>(columns), {INFINITY, -INFINITY});
    for (std::size_t i = 0; i < c.size(); ++i) {
        if (std::isnan(c.y[i]) || c.x[i] < low || c.x[i] > high) continue;
        const double at = std::floor((c.x[i] - low) * (columns / (high - low)));
        auto& [least, most] = out[static_cast<std::size_t>(std::min<double>(at, columns - 1))];
        least = std::min(least, c.y[i]);
        most = std::max(most, c.y[i]);
    }
    return out;
}

TEST(Reduction, ShowsTheSamePixelsAsTheWholeCurveWithAtMostFourPointsEach) {
    Rng rng(7, RngPurpose::test);
    for (int trial = 0; trial < 200; ++trial) {
        const Curve c = randomCurve(rng, 1 + rng.below(3000), trial % 3 == 0 ? 0.05 : 0);
        const double low = rng.uniform(-10, c.x.back()), high = low + rng.uniform(0.1, c.x.back());
        const int columns = 1 + static_cast<int>(rng.below(200));
        const Curve r = reduceToColumns(c, low, high, columns);
        EXPECT_EQ(pixels(r, low, high, columns), pixels(c, low, high, columns)) << "trial " << trial;
        EXPECT_TRUE(std::is_sorted(r.x.begin(), r.x.end()));
        std::size_t finite = 0;
        for (const double y : r.y) finite += std::isfinite(y) ? 1 : 0;
        if (trial % 3 == 0) continue;
        EXPECT_LE(finite, static_cast<std::size_t>(4 * columns + 2));
    }
}

TEST(Reduction, KeepsFirstAndLastPointAndNeighboursOutsideTheRange) {
    Curve c;
    for (int i = 0; i < 1000; ++i) {
        c.x.push_back(i);
        c.y.push_back(i % 7);
    }
    const Curve all = reduceToColumns(c, 0, 999, 10);
    EXPECT_EQ(all.x.front(), 0);
    EXPECT_EQ(all.x.back(), 999);
    const Curve part = reduceToColumns(c, 99.5, 200.5, 10);
    EXPECT_EQ(part.x.front(), 99);
    EXPECT_EQ(part.x.back(), 201);
    // The line between two points outside the range still crosses it.
    const Curve between = reduceToColumns(c, 10.2, 10.8, 10);
    EXPECT_EQ(between.x, (std::vector<double>{10, 11}));
}

TEST(Reduction, AGapStaysOneGap) {
    const Curve c{{0, 1, 2, 3, 4, 5}, {1, kNan, kNan, 2, 3, kNan}};
    const Curve r = reduceToColumns(c, 0, 5, 1000);
    EXPECT_EQ(r.x, (std::vector<double>{0, 1, 3, 4, 5}));
    EXPECT_TRUE(std::isnan(r.y[1]));
    EXPECT_TRUE(std::isnan(r.y[4]));
}

TEST(Range, KeepsPointsInside) {
    const Curve c{{0, 1, 1, 2, 3}, {5, 6, 7, 8, 9}};
    EXPECT_EQ(withinRange(c, 1, 2), (Curve{{1, 1, 2}, {6, 7, 8}}));
    EXPECT_EQ(withinRange(c, 4, 5).size(), 0u);
}

}  // namespace
}  // namespace seedbed
