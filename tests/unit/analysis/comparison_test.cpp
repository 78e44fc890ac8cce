// SPDX-License-Identifier: Apache-2.0
// Bands over runs, groups, differences and verdicts.
#include "core/analysis/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/analysis/aggregate.hpp"
#include "core/analysis/statistics.hpp"
#include "core/base/rng.hpp"

namespace seedbed {
namespace {

TEST(Centre, IsTheInterquartileMeanFromFourValuesOn) {
    Rng rng(1, RngPurpose::test);
    for (std::size_t n = 1; n < 30; ++n) {
        std::vector<double> values(n);
        for (double& v : values) v = rng.normal();
        double mean = 0;
        for (const double v : values) mean += v / static_cast<double>(n);
        const double expected = n >= 4 ? interquartileMean(values) : mean;
        EXPECT_NEAR(centreOf(values), expected, 1e-12) << n;
    }
}

TEST(Aggregate, RunsOnTheSameGridGiveTheirCentreAtEachPoint) {
    const std::vector<Curve> runs{{{0, 10}, {1, 5}}, {{0, 10}, {2, 6}}, {{0, 10}, {3, 10}}};
    const Aggregate a = aggregate(runs, {});
    EXPECT_EQ(a.x, (std::vector<double>{0, 10}));
    EXPECT_DOUBLE_EQ(a.centre[0], 2);
    EXPECT_DOUBLE_EQ(a.centre[1], 7);
    EXPECT_EQ(a.n, (std::vector<int>{3, 3}));
    // All three the same run: 1 of 27 resamples, above 2.5 %, so the band reaches the extremes.
    EXPECT_DOUBLE_EQ(a.low[0], 1);
    EXPECT_DOUBLE_EQ(a.high[0], 3);
}

TEST(Aggregate, ARunCountsOnlyWhereItHasBeen) {
    const std::vector<Curve> runs{{{0, 10, 20}, {0, 0, 0}}, {{0, 10}, {4, 4}}, {{5, 15}, {1, 3}}};
    const Aggregate a = aggregate(runs, {});
    EXPECT_EQ(a.x, (std::vector<double>{0, 5, 10, 15, 20}));
    EXPECT_EQ(a.n, (std::vector<int>{2, 3, 3, 2, 1}));
    EXPECT_DOUBLE_EQ(a.centre[2], (0 + 4 + 2) / 3.0);  // the third on its line from 1 to 3
    EXPECT_TRUE(std::isnan(a.low[4]));
}

TEST(Aggregate, DenseCurvesAreAveragedPerCellSoThatEveryPointCounts) {
    Curve c;
    Rng rng(3, RngPurpose::test);
    for (int i = 0; i < 10'000; ++i) c.x.push_back(i), c.y.push_back(rng.normal());
    const std::vector<Curve> one{c};
    const Aggregate a = aggregate(one, {.max_points = 100});
    ASSERT_EQ(a.x.size(), 100u);
    EXPECT_EQ(a.x.front(), 0);
    EXPECT_EQ(a.x.back(), 9999);
    // Cells of 101 unit normals have a deviation of 0.1 (half cells at both ends 0.14).
    for (const double y : a.centre) EXPECT_LT(std::abs(y), 0.6);
}

TEST(Aggregate, NeitherTheOrderOfRunsNorGapsChangeNumbers) {
    Rng rng(4, RngPurpose::test);
    std::vector<Curve> runs(5);
    for (Curve& run : runs)
        for (int i = 0; i < 50; ++i) run.x.push_back(i), run.y.push_back(rng.normal());
    const Aggregate a = aggregate(runs, {});
    std::reverse(runs.begin(), runs.end());
    // Gaps between points are no points.
    runs[0].x.insert(runs[0].x.begin() + 10, 9.5), runs[0].y.insert(runs[0].y.begin() + 10, std::numeric_limits<double>::quiet_NaN());
    const Aggregate b = aggregate(runs, {});
    EXPECT_EQ(a.x, b.x);
    EXPECT_EQ(a.centre, b.centre);
    EXPECT_EQ(a.low, b.low);
    EXPECT_EQ(a.high, b.high);
}

Json config(double rate, int seed) {
    return {
        {"env", {{"id", "catch"}}}, {"algo", {{"id", "ppo"}, {"learning_rate", rate}}}, {"run", {{"seed", seed}, {"steps", 100 * seed}}}};
}

std::vector<RunScore> scores(std::initializer_list<double> a, std::initializer_list<double> b) {
    std::vector<RunScore> runs;
    int seed = 0;
    for (const double s : a) ++seed, runs.push_back({.id = seed, .name = "", .config = config(0.1, seed), .score = s});
    for (const double s : b) ++seed, runs.push_back({.id = seed, .name = "", .config = config(0.2, seed), .score = s});
    return runs;
}

TEST(Comparison, RunsGroupByEverythingButSeedAndBudget) {
    const Comparison c = compareRuns(scores({1, 2, 3}, {4, 5, 6}));
    ASSERT_EQ(c.groups.size(), 2u);
    EXPECT_EQ(c.groups[0].runs, (std::vector<std::int64_t>{1, 2, 3}));
    EXPECT_EQ(c.groups[1].label, "algo.learning_rate=0.2");
    EXPECT_DOUBLE_EQ(c.groups[1].centre, 5);
}

TEST(Comparison, ClearDifferencesAreNamedAndSizeIsGiven) {
    const Comparison c = compareRuns(scores({10, 11, 12, 10, 11}, {20, 21, 22, 20, 21}));
    const GroupDifference& d = c.differences[1];
    EXPECT_EQ(d.verdict, GroupDifference::Verdict::better);
    EXPECT_DOUBLE_EQ(d.difference, 10);
    EXPECT_EQ(d.improvement, 1);
    EXPECT_EQ(compareRuns(scores({10, 11, 12, 10, 11}, {20, 21, 22, 20, 21}), 6).differences[0].verdict, GroupDifference::Verdict::worse);
}

TEST(Comparison, UndecidedSaysHowManyMoreSeeds) {
    // Interquartile means 1.5 and 2.5, variances 14/3 both: n = (1.960 + 0.842)^2 * 2 * 14/3 / 1 = 73.3, so 70 more than four.
    const Comparison c = compareRuns(scores({0, 1, 2, 5}, {1, 2, 3, 6}));
    const GroupDifference& d = c.differences[1];
    EXPECT_EQ(d.verdict, GroupDifference::Verdict::undecided);
    EXPECT_DOUBLE_EQ(d.difference, 1);
    ASSERT_TRUE(d.more_seeds);
    EXPECT_EQ(*d.more_seeds, 70);
    EXPECT_EQ(d.text, "not yet distinguishable; about 70 more seeds");
    // 16 pairs: 10 won, 2 ties.
    EXPECT_DOUBLE_EQ(d.improvement, 11.0 / 16);
    EXPECT_LT(d.improvement_low, d.improvement);
    EXPECT_GT(d.improvement_high, d.improvement);
}

TEST(Comparison, TwoSeedsAreTooFewAndEqualScoresAreNotDistinguishable) {
    EXPECT_EQ(compareRuns(scores({1, 2}, {50, 60})).differences[1].verdict, GroupDifference::Verdict::too_few);
    const GroupDifference d = compareRuns(scores({1, 1, 1}, {1, 1, 1})).differences[1];
    EXPECT_EQ(d.verdict, GroupDifference::Verdict::undecided);
    EXPECT_FALSE(d.more_seeds);
    EXPECT_TRUE(compareRuns({}).groups.empty());
}

TEST(Comparison, HidingARunOfAnotherGroupChangesNoNumberOfAGroup) {
    const Comparison both = compareRuns(scores({1, 5, 3, 9}, {4, 5, 6})), one = compareRuns(scores({1, 5, 3, 9}, {}));
    EXPECT_EQ(both.groups[0].centre, one.groups[0].centre);
    EXPECT_EQ(both.groups[0].ci_low, one.groups[0].ci_low);
    EXPECT_EQ(both.groups[0].ci_high, one.groups[0].ci_high);
}

TEST(Comparison, FalseAlarmsAreAboutAsRareAsTheIntervalSays) {
    // Both sides drawn from one distribution, 8 runs each: the 95 % percentile interval of so few runs excludes 0 in somewhat more than 5 %
    // of 300 trials (known undercoverage); 14 % is 4 standard errors above 8 %.
    Rng rng(9, RngPurpose::test);
    int alarms = 0;
    for (int trial = 0; trial < 300; ++trial) {
        std::vector<RunScore> runs;
        for (int i = 0; i < 16; ++i)
            runs.push_back({.id = i + 1, .name = "", .config = config(i < 8 ? 0.1 : 0.2, i), .score = rng.normal()});
        const auto verdict = compareRuns(runs, 0, 300).differences[1].verdict;
        alarms += verdict == GroupDifference::Verdict::better || verdict == GroupDifference::Verdict::worse;
    }
    EXPECT_LT(alarms, 300 * 0.145);
    EXPECT_GT(alarms, 2);
}

TEST(ConfigDifferences, EqualFieldsAreHiddenAndMissingOnesAreNull) {
    const std::vector<Json> configs{{{"a", 1}, {"b", {{"c", 2}, {"d", 3}}}}, {{"a", 1}, {"b", {{"c", 5}}}}};
    const auto differences = configDifferences(configs);
    ASSERT_EQ(differences.size(), 2u);
    EXPECT_EQ(differences[0].field, "b.c");
    EXPECT_EQ(differences[0].values[1], 5);
    EXPECT_EQ(differences[1].field, "b.d");
    EXPECT_TRUE(differences[1].values[1].is_null());
}

}  // namespace
}  // namespace seedbed
