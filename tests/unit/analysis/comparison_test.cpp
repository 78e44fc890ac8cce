// SPDX-License-Identifier: Apache-2.0
// Tests bands over runs, groups, differences and verdicts.
#include "core/analysis/comparison.hpp"
#include "core/analysis/config_difference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include "core/analysis/aggregate.hpp"
#include "core/analysis/group_names.hpp"
#include "core/analysis/permutation_test.hpp"
#include "core/analysis/statistics.hpp"
#include "core/base/rng.hpp"
#include "tests/unit/base/time_limit.hpp"

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

TEST(Aggregate, RunsOnTheSameGridAreAveragedPerPoint) {
    const std::vector<Curve> runs{{{0, 10}, {1, 5}}, {{0, 10}, {2, 6}}, {{0, 10}, {3, 10}}};
    const Aggregate a = aggregate(runs, {});
    EXPECT_EQ(a.x, (std::vector<double>{0, 10}));
    EXPECT_DOUBLE_EQ(a.centre[0], 2);
    EXPECT_DOUBLE_EQ(a.centre[1], 7);
    EXPECT_EQ(a.n, (std::vector<int>{3, 3}));
    // In 1 of 27 resamples, more than 2.5 %, all three are the same run, so the band reaches the extremes.
    EXPECT_DOUBLE_EQ(a.low[0], 1);
    EXPECT_DOUBLE_EQ(a.high[0], 3);
}

TEST(Aggregate, ARunCountsOnlyInItsRange) {
    const std::vector<Curve> runs{{{0, 10, 20}, {0, 0, 0}}, {{0, 10}, {4, 4}}, {{5, 15}, {1, 3}}};
    const Aggregate a = aggregate(runs, {});
    EXPECT_EQ(a.x, (std::vector<double>{0, 5, 10, 15, 20}));
    EXPECT_EQ(a.n, (std::vector<int>{2, 3, 3, 2, 1}));
    EXPECT_DOUBLE_EQ(a.centre[2], (0 + 4 + 2) / 3.0);  // the third run is interpolated from 1 to 3
    EXPECT_TRUE(std::isnan(a.low[4]));
}

// 10,240 is 1.25 * 2^13, which would be the border of two cells if these began at powers of two.
TEST(Aggregate, RunsThatEvaluateAroundARoundStepShareAPoint) {
    const std::vector<Curve> runs{
        {{10237, 20203}, {500, 500}}, {{10240, 20214}, {100, 200}}, {{10240, 20224}, {120, 220}}};
    const Aggregate a = aggregate(runs, {});
    EXPECT_EQ(a.n, (std::vector<int>{3, 3}));
    EXPECT_EQ(a.centre[0], 240);
}

TEST(Aggregate, DenseCurvesAreAveragedPerCellSoThatEveryPointCounts) {
    Curve c;
    Rng rng(3, RngPurpose::test);
    for (int i = 0; i < 10'000; ++i) {
        c.x.push_back(i);
        c.y.push_back(rng.normal());
    }
    const std::vector<Curve> one{c};
    const Aggregate a = aggregate(one, {.cells_per_doubling = 16});
    // 0, 1, ..., 31 have a cell each; from 2^5 to 2^13 there are 16 per doubling, and 5 more of width 512 up
    // to 10,000.
    ASSERT_EQ(a.x.size(), 32u + 16 * 8 + 5);
    EXPECT_EQ(a.x.front(), 0);
    EXPECT_EQ(a.x.back(), 9999);
    // Each cell is the mean of its points, at their mean x; cells have width 256 around 4,096 + 256 k.
    for (std::size_t k = 1; k < 16; ++k) {
        const std::size_t begin = 4096 + 256 * k - 128, at = 32 + 16 * 7 + k;
        double mean = 0;
        for (std::size_t i = begin; i < begin + 256; ++i) mean += c.y[i] / 256;
        EXPECT_DOUBLE_EQ(a.x[at], static_cast<double>(begin) + 127.5);
        EXPECT_NEAR(a.centre[at], mean, 1e-12);
    }
}

TEST(Aggregate, LaterPointsDoNotChangeEarlierNumbers) {
    // Runs with thousands of points at different steps, reloaded after each of many refreshes.
    Rng rng(12, RngPurpose::test);
    std::vector<Curve> whole(4);
    for (Curve& run : whole) {
        double x = 0;
        for (int i = 0; i < 3000; ++i) {
            x += 50 + rng.below(100);
            run.x.push_back(x);
            run.y.push_back(100 * rng.normal());
        }
    }
    const auto until = [&](std::size_t points) {
        std::vector<Curve> begun;
        for (const Curve& run : whole)
            begun.push_back({{run.x.begin(), run.x.begin() + static_cast<std::ptrdiff_t>(points)},
                             {run.y.begin(), run.y.begin() + static_cast<std::ptrdiff_t>(points)}});
        return begun;
    };
    for (const std::size_t points : {199u, 200u, 201u, 500u, 1023u, 2999u}) {
        const std::vector<Curve> begun = until(points);
        const Aggregate before = aggregate(begun, {.resamples = 200}),
                        after = aggregate(until(points + 1), {.resamples = 200});
        // Compared up to the step of the slowest run; the cell of its last point is incomplete.
        double certain = begun[0].x.back();
        for (const Curve& run : begun) certain = std::min(certain, run.x.back());
        certain *= 1 - 1.0 / 256;
        std::size_t same = 0;
        for (; same < before.x.size() && before.x[same] < certain; ++same) {
            ASSERT_EQ(before.x[same], after.x[same]) << points;
            ASSERT_EQ(before.centre[same], after.centre[same]) << points << " at " << before.x[same];
            ASSERT_EQ(before.n[same], after.n[same]);
            if (before.n[same] < 2) continue;
            ASSERT_EQ(before.low[same], after.low[same]);
            ASSERT_EQ(before.high[same], after.high[same]);
        }
        EXPECT_GT(same, 100u) << "too few points were compared";
    }
}

TEST(Aggregate, NanIsAGapOfItsRunAlsoInTheGroup) {
    Curve gap, steady;
    for (int i = 0; i <= 100; ++i) {
        gap.x.push_back(i);
        gap.y.push_back(i > 10 && i < 90 ? std::numeric_limits<double>::quiet_NaN() : 0);
        steady.x.push_back(i);
        steady.y.push_back(100);
    }
    const std::vector<Curve> runs{gap, steady};
    const Aggregate a = aggregate(runs, {});
    for (std::size_t k = 0; k < a.x.size(); ++k) {
        const bool alone = a.x[k] > 10 && a.x[k] < 90;
        EXPECT_EQ(a.n[k], alone ? 1 : 2) << a.x[k];
        EXPECT_EQ(a.centre[k], alone ? 100 : 50) << a.x[k];
        EXPECT_EQ(std::isnan(a.low[k]), alone);
    }
    // A run with few points is not drawn across a gap either.
    const std::vector<Curve> few{{{0, 50, 100}, {0, std::numeric_limits<double>::quiet_NaN(), 0}}, steady};
    EXPECT_EQ(aggregate(few, {}).n[25], 1);
    // Without the gap, points are connected by lines.
    const std::vector<Curve> line{{{0, 100}, {0, 0}}, steady};
    EXPECT_EQ(aggregate(line, {}).n[25], 2);
}

TEST(Aggregate, OrderOfRunsAndGapsDoNotChangeNumbers) {
    Rng rng(4, RngPurpose::test);
    std::vector<Curve> runs(5);
    for (Curve& run : runs)
        for (int i = 0; i < 50; ++i) run.x.push_back(i), run.y.push_back(rng.normal());
    const Aggregate a = aggregate(runs, {});
    std::reverse(runs.begin(), runs.end());
    // Gaps between points do not count as points.
    runs[0].x.insert(runs[0].x.begin() + 10, 9.5),
        runs[0].y.insert(runs[0].y.begin() + 10, std::numeric_limits<double>::quiet_NaN());
    const Aggregate b = aggregate(runs, {});
    EXPECT_EQ(a.x, b.x);
    EXPECT_EQ(a.centre, b.centre);
    EXPECT_EQ(a.low, b.low);
    EXPECT_EQ(a.high, b.high);
}

TEST(Aggregate, BandsOverFewRunsHaveTheStatedCoverage) {
    // One point drawn from a normal distribution per run. 2,000 trials: standard error 1.1 % at 50 %, 0.6 %
    // at 93 %; the bound is four standard errors at 50 %.
    constexpr int kTrials = 2000;
    Rng rng(21, RngPurpose::test);
    for (const std::size_t n : {2u, 3u, 4u, 5u, 6u, 8u}) {
        int held = 0;
        std::vector<Curve> runs(n);
        for (int trial = 0; trial < kTrials; ++trial) {
            for (Curve& run : runs) run = {{1}, {rng.normal()}};
            const Aggregate a = aggregate(runs, {.resamples = 400});
            held += a.low[0] <= 0 && a.high[0] >= 0 ? 1 : 0;
        }
        EXPECT_NEAR(held / double{kTrials}, bandCoverage(n), 0.044) << n;
    }
}

Json config(double rate, int seed) {
    return {{"env", {{"id", "catch"}}},
            {"algo", {{"id", "ppo"}, {"learning_rate", rate}}},
            {"run", {{"seed", seed}, {"steps", 1000}, {"threads", seed}}},
            {"checkpoint", {{"every_s", seed}}}};
}

std::vector<RunScore> scores(std::initializer_list<double> a, std::initializer_list<double> b) {
    std::vector<RunScore> runs;
    int seed = 0;
    for (const double s : a)
        ++seed, runs.push_back({.id = seed, .name = "", .config = config(0.1, seed), .score = s});
    for (const double s : b)
        ++seed, runs.push_back({.id = seed, .name = "", .config = config(0.2, seed), .score = s});
    return runs;
}

TEST(Comparison, GroupsIgnoreTheSeedAndSettingsWithoutEffect) {
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
    EXPECT_EQ(compareRuns(scores({10, 11, 12, 10, 11}, {20, 21, 22, 20, 21}), 6).differences[0].verdict,
              GroupDifference::Verdict::worse);
}

TEST(Comparison, UndecidedStatesHowManyMoreSeeds) {
    // Interquartile means (0.75 * 1 + 2 + 0.75 * 3) / 2.5 = 2 and 3; variances 2.05 both: n = (1.960 +
    // 0.842)^2 * 2 * 2.05 / 1 = 32.2.
    const Comparison c = compareRuns(scores({0, 1, 2, 3, 3.5}, {1, 2, 3, 4, 4.5}));
    const GroupDifference& d = c.differences[1];
    EXPECT_EQ(d.verdict, GroupDifference::Verdict::undecided);
    EXPECT_DOUBLE_EQ(d.difference, 1);
    ASSERT_TRUE(d.more_seeds);
    EXPECT_EQ(*d.more_seeds, 33 - 5);
    EXPECT_EQ(d.text, "not yet distinguishable; about 28 more seeds");
    // Of the 25 pairs, the values of the second group win 1, 2, 3, 5 and 5; three pairs tie.
    EXPECT_DOUBLE_EQ(d.improvement, (16 + 1.5) / 25);
    EXPECT_LT(d.improvement_low, d.improvement);
    EXPECT_GT(d.improvement_high, d.improvement);
}

TEST(Comparison, FewSeedsDecideNothingUnlessAnExactTestDoes) {
    using Verdict = GroupDifference::Verdict;
    const auto verdict = [](const Comparison& c) { return c.differences[1].verdict; };
    EXPECT_EQ(verdict(compareRuns(scores({1, 2}, {50, 60}))), Verdict::too_few);
    // Three against three: even the most extreme of 20 splits has p = 2/20.
    const Comparison three = compareRuns(scores({1, 2, 3}, {50, 51, 52}));
    EXPECT_EQ(verdict(three), Verdict::too_few);
    EXPECT_DOUBLE_EQ(three.differences[1].p_value, 0.1);
    EXPECT_NE(three.differences[1].text.find("3 against 3 cannot show a difference; use at least 5 each"),
              std::string::npos)
        << three.differences[1].text;
    // Four against four: only the most extreme of 70 splits and its mirror image are as far apart, even with
    // other groups present.
    std::vector<RunScore> runs = scores({1, 2, 3, 4}, {50, 51, 52, 53});
    EXPECT_EQ(verdict(compareRuns(runs)), Verdict::better);
    EXPECT_DOUBLE_EQ(compareRuns(runs).differences[1].p_value, 2.0 / 70);
    for (int id = 9; id <= 12; ++id)
        runs.push_back({.id = id, .name = "", .config = config(0.3, id), .score = 1.0 * id});
    EXPECT_EQ(verdict(compareRuns(runs)), Verdict::better);
    // One run within the other side's range: 6 of the 70 splits are at least as far apart.
    const Comparison four = compareRuns(scores({1, 2, 3, 51.5}, {50, 51, 52, 53}));
    EXPECT_EQ(verdict(four), Verdict::too_few);
    EXPECT_NE(four.differences[1].text.find("4 against 4 show only large differences; use at least 5 each"),
              std::string::npos)
        << four.differences[1].text;
    // More runs on the other side can compensate for this overlap.
    EXPECT_EQ(verdict(compareRuns(scores({1, 2, 3, 4}, {50, 51, 52, 53, 54, 55}))), Verdict::better);
    // With one seed on a side there is no interval.
    const GroupDifference one = compareRuns(scores({1}, {50})).differences[1];
    EXPECT_EQ(one.verdict, Verdict::too_few);
    EXPECT_TRUE(std::isnan(one.ci_low));
    const GroupDifference equal = compareRuns(scores({1, 1, 1, 1, 1}, {1, 1, 1, 1, 1})).differences[1];
    EXPECT_EQ(equal.verdict, Verdict::undecided);
    EXPECT_FALSE(equal.more_seeds);
    EXPECT_TRUE(compareRuns({}).groups.empty());
}

TEST(Comparison, RunsOfOneSeedAreOneSampleAndTheNewestCounts) {
    std::vector<RunScore> runs;
    for (int id = 1; id <= 6; ++id)
        runs.push_back({.id = id,
                        .name = "",
                        .config = config(id <= 3 ? 0.1 : 0.2, 1),
                        .score = id <= 3 ? 182.5 + id : 121.0});
    const Comparison c = compareRuns(runs);
    EXPECT_EQ(c.groups[0].scores, std::vector<double>{185.5});
    EXPECT_EQ(c.groups[0].runs, std::vector<std::int64_t>{3});
    EXPECT_EQ(c.groups[0].repeated, (std::vector<std::int64_t>{1, 2}));
    EXPECT_NE(c.groups[0].note.find("runs 1, 2"), std::string::npos) << c.groups[0].note;
    EXPECT_EQ(c.differences[1].verdict, GroupDifference::Verdict::too_few);
    // An ignored run may select the baseline.
    EXPECT_EQ(compareRuns(runs, 4).baseline, 1u);
}

TEST(Comparison, RunsOfOtherLengthsAreMarkedAndOtherBudgetsAreSeparateGroups) {
    std::vector<RunScore> runs = scores({500, 182, 183, 184, 185}, {190, 191, 192, 193, 194});
    for (RunScore& run : runs) run.steps = run.id == 1 ? 60'070 : 6'144;
    runs[2].running = true;
    const Comparison c = compareRuns(runs);
    EXPECT_EQ(c.groups[0].first_steps, 6'144);
    EXPECT_EQ(c.groups[0].last_steps, 60'070);
    EXPECT_NE(c.groups[0].note.find("different numbers of steps: scores from step 6144 to step 60070"),
              std::string::npos)
        << c.groups[0].note;
    EXPECT_NE(c.groups[0].note.find("Still running: run 3"), std::string::npos) << c.groups[0].note;
    EXPECT_TRUE(c.groups[1].note.empty());
    EXPECT_NE(c.differences[1].text.find("different numbers of steps"), std::string::npos);
    runs[0].config["run"]["steps"] = 60'000;
    EXPECT_EQ(compareRuns(runs).groups.size(), 3u);
}

TEST(Comparison, RunsOfDifferentLengthsMeetAtTheSmallestStepOfTheirTask) {
    std::vector<RunScore> runs = scores({1, 2}, {3, 4});
    const auto far = [&](std::initializer_list<std::int64_t> steps) {
        std::size_t i = 0;
        for (const std::int64_t step : steps) runs[i++].steps = step;
        return commonSteps(runs);
    };
    EXPECT_EQ(far({1000, 1000, 1000, 1000}), (std::vector<std::int64_t>{0, 0, 0, 0}));
    EXPECT_EQ(far({1000, 1064, 1032, 1000}), (std::vector<std::int64_t>{0, 0, 0, 0}))
        << "evaluation schedules may differ slightly";
    EXPECT_EQ(far({1000, 4000, 2000, 1500}), (std::vector<std::int64_t>{1000, 1000, 1000, 1000}));
    EXPECT_EQ(far({0, 4000, 2000, 4000}), (std::vector<std::int64_t>{0, 2000, 2000, 2000}))
        << "the steps of the first run are unknown";
    for (std::size_t i = 2; i < 4; ++i) runs[i].config["env"]["id"] = "pendulum";
    EXPECT_EQ(far({1000, 4000, 90000, 90000}), (std::vector<std::int64_t>{1000, 1000, 0, 0}))
        << "runs of other tasks are compared separately";
    EXPECT_EQ(latestStepFor(1000), 1050);
    EXPECT_TRUE(commonSteps({}).empty());
}

TEST(Comparison, OtherTasksHaveNoDifference) {
    std::vector<RunScore> runs = scores({500, 490, 480, 495, 499}, {-240, -250, -230, -245, -244});
    for (std::size_t i = 5; i < runs.size(); ++i)
        runs[i].config["env"]["id"] = "pendulum", runs[i].config["algo"]["learning_rate"] = 0.1;
    const GroupDifference d = compareRuns(runs).differences[1];
    EXPECT_EQ(d.verdict, GroupDifference::Verdict::other_task);
    EXPECT_TRUE(std::isnan(d.difference));
    EXPECT_TRUE(std::isnan(d.improvement));
    const Json a{{"env", {{"id", "catch"}, {"wrap", {{"reward_scale", 1}, {"sticky_actions", 0}}}}},
                 {"eval", {{"greedy", true}}}};
    Json b = a;
    b["env"]["wrap"]["reward_scale"] = 0.1;
    b["eval"]["episodes"] = 5;
    EXPECT_TRUE(sameTask(a, b)) << "reward scaling does not change reported returns";
    b["env"]["wrap"]["sticky_actions"] = 0.25;
    EXPECT_FALSE(sameTask(a, b));
    b = a;
    b["eval"]["greedy"] = false;
    EXPECT_TRUE(sameTask(a, b)) << "the selection of actions does not change the game";
    EXPECT_TRUE(sameTask(Json(), Json::object()));
    // Returns of greedy evaluations, of sampled ones and of training are not compared with each other.
    for (const auto& [evaluated, greedy] : {std::pair{false, true}, {true, false}}) {
        std::vector<RunScore> kinds = scores({500, 490, 480, 495, 499}, {30, 31, 32, 33, 34});
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            kinds[i].evaluated = i < 5 || evaluated;
            kinds[i].greedy = i < 5 || greedy;
        }
        EXPECT_EQ(compareRuns(kinds).differences[1].verdict, GroupDifference::Verdict::other_task);
    }
}

TEST(Comparison, TheKeyOfAGroupContainsOnlyWhatChangesTheScore) {
    const auto with = [](const char* pointer, const Json& value) {
        Json json = config(0.1, 1);
        json[Json::json_pointer(pointer)] = value;
        return withoutSeed(json);
    };
    const Json key = withoutSeed(config(0.1, 1));
    for (const char* pointer : {"/run/seed", "/run/threads", "/run/keep_awake", "/run/tensorboard",
                                "/run/horizon", "/actor/stall_s", "/actor/restarts", "/checkpoint/every_s",
                                "/eval/episodes", "/eval/every_steps"}) {
        Json rest = with(pointer, 77);
        // A section that contained only such fields counts as absent.
        if (rest.contains("actor") && rest["actor"].empty()) rest.erase("actor");
        EXPECT_EQ(rest, key) << pointer;
    }
    for (const char* pointer :
         {"/eval/greedy", "/run/steps", "/run/minutes", "/run/engine", "/run/device", "/actor/num_envs"})
        EXPECT_NE(with(pointer, 77), key) << pointer;
}

TEST(Comparison, ShortenedNamesOfDifferentGroupsDiffer) {
    const std::string common = "algo.id=vtrace, env.wrap.reward_scale=0.1, algo.gamma=0.9";
    const std::vector<std::string> names{common + ", algo.epochs=1", common + ", algo.epochs=2",
                                         "algo.id=ppo", "algo.epochs=1, " + common,
                                         "algo.epochs=2, " + common};
    const std::vector<std::string> texts = shortNames(names, 40);
    EXPECT_EQ(texts[0], "algo.id=vtrace, env...0.9, algo.epochs=1");
    EXPECT_EQ(texts[2], names[2]);
    for (const std::string& text : texts) EXPECT_LE(text.size(), 40U) << text;
    EXPECT_EQ(std::set<std::string>(texts.begin(), texts.end()).size(), names.size());
    // Only the middle differs.
    EXPECT_EQ(shortNames({common + " 1 " + common, common + " 2 " + common}, 40)[1], common + " 2 " + common);
}

TEST(Comparison, HidingARunOfAnotherGroupChangesNoNumberOfAGroup) {
    const Comparison both = compareRuns(scores({1, 5, 3, 9}, {4, 5, 6})),
                     one = compareRuns(scores({1, 5, 3, 9}, {}));
    EXPECT_EQ(both.groups[0].centre, one.groups[0].centre);
    EXPECT_EQ(both.groups[0].ci_low, one.groups[0].ci_low);
    EXPECT_EQ(both.groups[0].ci_high, one.groups[0].ci_high);
}

TEST(Comparison, FalseAlarmsAreRareAndIntervalsHoldAtEveryNumberOfSeeds) {
    // Both sides are drawn from one normal distribution. Coloured verdicts occur in at most the test's 5 % of
    // trials, and the 95 % interval of a group contains the true centre in about 95 % of trials. 600 trials:
    // standard error 0.9 %; the bound is three standard errors above 5 %. With three seeds a resample has
    // only ten different outcomes, and the widened interval misses in 7 to 8 % of trials; that bound has the
    // same tolerance.
    // Trials with eight seeds take most of the time; outside the long form there are half as many.
    for (const int n : {3, 4, 5, 8}) {
        const int trials = n == 8 && !test::isLong() ? 300 : 600;
        Rng rng(9, RngPurpose::test);
        int alarms = 0, missed = 0, missed_difference = 0;
        for (int trial = 0; trial < trials; ++trial) {
            std::vector<RunScore> runs;
            for (int i = 0; i < 2 * n; ++i)
                runs.push_back(
                    {.id = i + 1, .name = "", .config = config(i < n ? 0.1 : 0.2, i), .score = rng.normal()});
            const Comparison c = compareRuns(runs, 0, 300);
            const GroupDifference& d = c.differences[1];
            alarms +=
                d.verdict == GroupDifference::Verdict::better || d.verdict == GroupDifference::Verdict::worse
                    ? 1
                    : 0;
            missed += c.groups[0].ci_low > 0 || c.groups[0].ci_high < 0 ? 1 : 0;
            missed_difference += d.ci_low > 0 || d.ci_high < 0 ? 1 : 0;
        }
        const std::string text = "n = " + std::to_string(n) + ": " + std::to_string(alarms) + " alarms, " +
                                 std::to_string(missed) + " and " + std::to_string(missed_difference) +
                                 " missed of " + std::to_string(trials);
        RecordProperty("seeds_" + std::to_string(n), text);
        EXPECT_LE(alarms, trials * 0.077) << text;
        EXPECT_LE(missed, trials * (n == 3 ? 0.11 : 0.077)) << text;
        EXPECT_LE(missed_difference, trials * 0.077) << text;
        EXPECT_GE(missed, trials * 0.02) << text << ": the interval is too wide";
        EXPECT_EQ(alarms == 0, n < 4)
            << text << ": differences can be found with four or more runs, and never with fewer";
    }
}

TEST(PermutationTest, CountsSplitsThatAreAsFarApart) {
    const std::vector<double> a{1, 2, 3}, b{4, 5, 6};
    EXPECT_DOUBLE_EQ(permutationTest(a, b), 2.0 / 20);
    // {1, 2, 4} against {3, 5, 6}: |7 - 14| / 3; only 123|456, 124|356 and their mirror images are at least
    // as far apart.
    EXPECT_DOUBLE_EQ(permutationTest(std::vector<double>{1, 2, 4}, std::vector<double>{3, 5, 6}), 4.0 / 20);
    // Centres of the middle two values: {2, 3} against {6, 7}. Swapping 4 and 5 does not change them, but the
    // means are then closer.
    EXPECT_DOUBLE_EQ(permutationTest(std::vector<double>{1, 2, 3, 4}, std::vector<double>{5, 6, 7, 8}),
                     2.0 / 70);
    EXPECT_DOUBLE_EQ(permutationTest(std::vector<double>{1, 2, 3, 5}, std::vector<double>{4, 6, 7, 8}),
                     4.0 / 70);
    EXPECT_DOUBLE_EQ(leastPValue(4, 4), 2.0 / 70);
    EXPECT_DOUBLE_EQ(leastPValue(3, 3), 2.0 / 20);
    EXPECT_EQ(permutationTest(std::vector<double>{1, 1, 1}, std::vector<double>{1, 1, 1, 1}), 1);
    EXPECT_EQ(permutationTest({}, b), 1);
    // Many values: random splits. None of them separates 20 from 20 by chance.
    std::vector<double> low, high;
    for (int i = 0; i < 20; ++i) {
        low.push_back(i);
        high.push_back(100 + i);
    }
    EXPECT_LT(permutationTest(low, high), 1e-3);
    EXPECT_GT(permutationTest(low, high), 0);
    // Quantiles from a table of Student's t-distribution.
    for (const auto& [degrees, quantile] :
         {std::pair{1, 12.706}, {2, 4.303}, {4, 2.776}, {6, 2.447}, {9, 2.262}, {30, 2.042}})
        EXPECT_NEAR(studentQuantile975(degrees), quantile, 0.005 * quantile);
    EXPECT_NEAR(welchDegrees(1, 6, 1, 6), 10, 1e-12);
}

Json settings(const char* env, const char* algo, Json of_algo, Json of_run = Json::object()) {
    of_algo["id"] = algo;
    return {{"env", {{"id", env}}}, {"algo", std::move(of_algo)}, {"run", std::move(of_run)}};
}

TEST(GroupNames, BeginWithTheMostDistinctiveSettingAndOmitSharedOnes) {
    using Names = std::vector<std::string>;
    const auto run = [](double gamma, double rate, int steps, double minutes) {
        return settings("cartpole", "ppo", {{"gamma", gamma}, {"learning_rate", rate}, {"epochs", 10}},
                        {{"steps", steps}, {"minutes", minutes}});
    };
    const std::vector<Json> configs{run(0.98, 0.005, 1000, 0), run(0.98, 0.001, 1000, 0),
                                    run(0.9, 0.0003, 500, 0.5)};
    EXPECT_EQ(
        groupNames(configs, FieldNames::last_part),
        (Names{"learning_rate=0.005, gamma=0.98, steps=1000", "learning_rate=0.001, gamma=0.98, steps=1000",
               "learning_rate=0.0003, gamma=0.9, steps=500, minutes=0.5"}));
    EXPECT_EQ(groupNames({configs[0], configs[1]}, FieldNames::whole),
              (Names{"algo.learning_rate=0.005", "algo.learning_rate=0.001"}));
    EXPECT_EQ(groupNames({configs[0]}, FieldNames::whole), Names{"cartpole ppo"});
    EXPECT_TRUE(groupNames({}, FieldNames::whole).empty());
    // A limit that is usually omitted is shown if it is the only difference.
    EXPECT_EQ(groupNames({run(0.98, 0.005, 1000, 0), run(0.98, 0.005, 1000, 2)}, FieldNames::last_part)[1],
              "minutes=2.0");
    const Names empty_else = groupNames(
        {settings("a", "x", {{"k", nullptr}}), settings("a", "x", {{"k", 1}})}, FieldNames::last_part);
    EXPECT_EQ(empty_else, (Names{"k=-", "k=1"}));
}

TEST(GroupNames, EnvironmentAndAlgorithmReplaceTheirOwnSettings) {
    using Names = std::vector<std::string>;
    const std::vector<Json> configs{settings("cartpole", "ppo", {{"learning_rate", 0.1}, {"epochs", 4}}),
                                    settings("cartpole", "ppo", {{"learning_rate", 0.2}, {"epochs", 4}}),
                                    settings("cartpole", "vtrace", {{"learning_rate", 0.1}, {"rho", 1}}),
                                    settings("pendulum", "ppo", {{"learning_rate", 0.3}, {"epochs", 8}})};
    EXPECT_EQ(groupNames(configs, FieldNames::last_part),
              (Names{"cartpole, ppo, learning_rate=0.1", "cartpole, ppo, learning_rate=0.2",
                     "cartpole, vtrace, learning_rate=0.1", "pendulum"}));
    // Two settings with the same last part are named in full.
    EXPECT_EQ(groupNames({{{"env", {{"id", "a"}, {"size", 1}}}, {"network", {{"size", 2}}}},
                          {{"env", {{"id", "a"}, {"size", 3}}}, {"network", {{"size", 4}}}}},
                         FieldNames::last_part)[0],
              "env.size=1, network.size=2");
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
