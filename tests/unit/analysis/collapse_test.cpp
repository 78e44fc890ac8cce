// SPDX-License-Identifier: Apache-2.0
// Collapses are detected, and noise in returns, however large, is not reported as a collapse.
#include "core/analysis/collapse.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "core/base/rng.hpp"

namespace seedbed {
namespace {

constexpr std::size_t kWindow = 20;
constexpr int kCurves = 200;

// n points 100 steps apart; f receives the elapsed fraction of the run and a noise source.
Curve curve(int n, const std::function<double(double, Rng&)>& f, std::uint64_t seed = 1) {
    Rng rng(seed, RngPurpose::test);
    Curve c;
    for (int i = 0; i < n; ++i) {
        c.x.push_back(100.0 * (i + 1));
        c.y.push_back(f(i / (n - 1.0), rng));
    }
    return c;
}

std::vector<EvaluationPoint> evaluations(const std::vector<double>& means, double std,
                                         std::size_t episodes = 10) {
    std::vector<EvaluationPoint> list;
    for (const double mean : means)
        list.push_back({1000.0 * (static_cast<double>(list.size()) + 1), mean, std, episodes});
    return list;
}

// The number of random curves of one kind that are reported as a collapse.
int alarms(int n, const std::function<double(double, Rng&)>& f, std::vector<double> floor = {}) {
    int count = 0;
    for (std::uint64_t seed = 1; seed <= kCurves; ++seed)
        count += findCollapse(curve(n, f, seed), std::max(kWindow, static_cast<std::size_t>(n) / 10), floor)
                     .has_value();
    return count;
}

TEST(Collapse, ALastingDropIsFoundWithItsBest) {
    const auto fall = findCollapse(curve(200,
                                         [](double t, Rng& rng) {
                                             const double mean = t < 0.5 ? 20 + 800 * t : 100;
                                             return mean * (1 + 0.3 * rng.normal());
                                         }),
                                   kWindow, {});
    ASSERT_TRUE(fall.has_value());
    EXPECT_GT(fall->best, 300);
    EXPECT_NEAR(fall->now, 100, 4 * 30 / std::sqrt(20.0)) << "four standard errors of a mean of 20";
    EXPECT_GT(fall->best_x, 0.35 * 20000);
    EXPECT_LT(fall->best_x, 0.5 * 20000);
    // Returns of a task with costs: all are negative.
    EXPECT_TRUE(findCollapse(
        curve(200,
              [](double t, Rng& rng) { return (t < 0.6 ? -1200 + 1700 * t : -1000) + 80 * rng.normal(); }),
        kWindow, std::vector{-1208.0}));
}

TEST(Collapse, NoisyRisingOrLevelCurvesAreNotACollapse) {
    for (const int n : {80, 200, 1000}) {
        EXPECT_EQ(alarms(n, [](double t, Rng& rng) { return 500 * t + 150 * rng.normal(); }), 0) << n;
        EXPECT_EQ(alarms(n, [](double, Rng& rng) { return rng.normal(); }), 0) << n;
        EXPECT_EQ(alarms(n, [](double t,
                               Rng& rng) { return 20 + 400 * (1 - std::exp(-8 * t)) * 2 * rng.uniform(); }),
                  0)
            << n;
        // Heavy tails: one episode in fifty is worth a hundred others.
        EXPECT_EQ(alarms(n, [](double, Rng& rng) { return rng.bernoulli(0.02) ? 100 : rng.uniform(); }), 0)
            << n;
        // An oscillating return does not decrease permanently: it recovers within the last window.
        EXPECT_EQ(
            alarms(n, [](double t, Rng& rng) { return 250 + 200 * std::sin(100 * t) + 20 * rng.normal(); }),
            0)
            << n;
    }
}

TEST(Collapse, SparseReturnsAreACollapseWhenTheGoalIsLostAndNotWhenItIsRare) {
    for (const double rate : {0.02, 0.1, 0.3, 0.5, 0.7})
        EXPECT_EQ(alarms(300, [rate](double, Rng& rng) { return rng.bernoulli(rate) ? 1 : 0; }, {0}), 0)
            << rate;
    // The agent learns to reach the goal almost always, and later never reaches it.
    const auto lost = findCollapse(
        curve(300, [](double t, Rng& rng) { return rng.bernoulli(t < 0.3   ? t
                                                                 : t < 0.6 ? 0.98
                                                                           : 0.02); }), 30,
        std::vector{0.0});
    ASSERT_TRUE(lost.has_value());
    EXPECT_GT(lost->best, 0.9);
    EXPECT_LT(lost->now, 0.2);
}

TEST(Collapse, ARecoveredDipASmallLossAndFewPointsAreNotACollapse) {
    EXPECT_FALSE(findCollapse(
        curve(200, [](double t, Rng&) { return t > 0.5 && t < 0.8 ? 20 : 400 * std::min(1.0, 2 * t); }),
        kWindow, {}));
    EXPECT_FALSE(
        findCollapse(curve(200, [](double t, Rng&) { return t < 0.5 ? 800 * t : 250; }), kWindow, {}))
        << "a drop from 400 to 250 is not a collapse";
    const auto fallen = [](double t, Rng&) { return t < 0.5 ? 800 * t : 10; };
    EXPECT_TRUE(findCollapse(curve(80, fallen), kWindow, {}));
    EXPECT_FALSE(findCollapse(curve(79, fallen), kWindow, {}));
    EXPECT_FALSE(findCollapse({}, kWindow, {}));
    // The agent learned nothing that it could lose: the start was best, or a random policy is as good.
    EXPECT_FALSE(
        findCollapse(curve(200, [](double t, Rng& rng) { return 22 - 12 * t + rng.normal(); }), kWindow, {}));
    EXPECT_FALSE(findCollapse(curve(200, [](double t, Rng& rng) { return 22 - 12 * t + rng.normal(); }),
                              kWindow, std::vector{22.0}));
    // Gaps do not count as zeros.
    Curve gaps = curve(200, [](double t, Rng&) { return 400 * t; });
    for (std::size_t i = 150; i < 200; ++i) gaps.y[i] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(findCollapse(gaps, kWindow, {}));
}

TEST(Collapse, ThreeLowEvaluationsAreACollapseSingleOnesAreNot) {
    const auto fell =
        findCollapse(evaluations({20, 60, 150, 300, 410, 420, 417, 400, 130, 110, 100, 107}, 60), 22);
    ASSERT_TRUE(fell.has_value());
    EXPECT_NEAR(fell->best, (410 + 420 + 417) / 3.0, 1e-9);
    EXPECT_EQ(fell->best_x, 6000);
    EXPECT_NEAR(fell->now, (110 + 100 + 107) / 3.0, 1e-9);
    EXPECT_FALSE(
        findCollapse(evaluations({20, 60, 150, 300, 410, 420, 417, 400, 410, 400, 100, 107}, 60), 22))
        << "two low evaluations are not enough";
    EXPECT_FALSE(findCollapse(evaluations({20, 60, 400, 100, 410, 90, 417, 80, 410, 100, 400, 107}, 60), 22))
        << "oscillation is not a collapse";
    EXPECT_FALSE(findCollapse(evaluations({20, 410, 420, 417, 400, 110, 100}, 60), 22))
        << "too few evaluations";
    // The same means are not significant if episodes have a very large spread.
    EXPECT_FALSE(
        findCollapse(evaluations({20, 60, 150, 300, 410, 420, 417, 400, 130, 110, 100, 107}, 1000), 22));
    EXPECT_FALSE(
        findCollapse(evaluations({20, 60, 150, 300, 410, 420, 417, 400, 130, 110, 100, 107}, 60, 0), 22))
        << "evaluations without episodes";
}

TEST(Collapse, EvaluationsOfARandomTaskAreNotACollapse) {
    int count = 0;
    for (std::uint64_t seed = 1; seed <= kCurves; ++seed) {
        Rng rng(seed, RngPurpose::test);
        std::vector<EvaluationPoint> list;
        for (int i = 0; i < 30; ++i) {
            constexpr int kEpisodes = 10;
            int reached = 0;
            for (int e = 0; e < kEpisodes; ++e) reached += rng.bernoulli(0.3);
            const double p = static_cast<double>(reached) / kEpisodes;
            list.push_back(
                {1000.0 * i, p, std::sqrt(p * (1 - p) * kEpisodes / (kEpisodes - 1.0)), kEpisodes});
        }
        count += findCollapse(list, 0.0).has_value();
    }
    EXPECT_EQ(count, 0) << "of " << kCurves;
}

}  // namespace
}  // namespace seedbed
