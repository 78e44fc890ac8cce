// SPDX-License-Identifier: Apache-2.0
// Results of comparisons: verdict, p-value and interval agree, intervals stay within valid bounds, and runs
// whose settings changed are separate groups.
#include <cmath>

#include <gtest/gtest.h>

#include "core/analysis/comparison.hpp"
#include "core/analysis/config_difference.hpp"
#include "core/analysis/permutation_test.hpp"
#include "core/analysis/setting_history.hpp"
#include "core/base/rng.hpp"

namespace seedbed {
namespace {

Json config(double rate, int seed) {
    return {{"env", {{"id", "cartpole"}}},
            {"algo", {{"id", "ppo"}, {"learning_rate", rate}}},
            {"run", {{"seed", seed}, {"steps", 1000}}}};
}

std::vector<RunScore> scores(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<RunScore> runs;
    int id = 0;
    for (const auto* side : {&a, &b})
        for (const double score : *side) {
            ++id;
            runs.push_back(
                {.id = id, .name = "", .config = config(side == &a ? 0.1 : 0.2, id), .score = score});
        }
    return runs;
}

TEST(Agreement, VerdictPValueAndIntervalsNeverContradictEachOther) {
    using Verdict = GroupDifference::Verdict;
    Rng rng(5, RngPurpose::test);
    int decided = 0, undecided = 0;
    for (int trial = 0; trial < 400; ++trial) {
        const std::size_t sizes[] = {2 + rng.below(7), 2 + rng.below(7)};
        std::vector<double> sides[2];
        const double apart = 4 * rng.uniform();
        for (int side = 0; side < 2; ++side)
            for (std::size_t i = 0; i < sizes[side]; ++i) {
                // Scores of a solved task are often equal.
                const double score = rng.normal() + side * apart;
                sides[side].push_back(trial % 3 == 0 ? std::min(1.0, score) : score);
            }
        const GroupDifference d = compareRuns(scores(sides[0], sides[1]), 0, 100).differences[1];
        const bool significant = d.p_value <= 0.05;
        const bool named = d.verdict == Verdict::better || d.verdict == Verdict::worse;
        ASSERT_EQ(significant, named) << trial << ": p = " << d.p_value << ", " << d.text;
        if (std::isnan(d.ci_low)) {
            ASSERT_FALSE(significant) << trial;
            continue;
        }
        ASSERT_EQ(significant, d.ci_low > 0 || d.ci_high < 0) << trial << ": " << d.text;
        ASSERT_LE(d.ci_low, d.difference + 1e-9) << trial;
        ASSERT_GE(d.ci_high, d.difference - 1e-9) << trial;
        if (!significant) ASSERT_TRUE(d.improvement_low <= 0.5 && d.improvement_high >= 0.5) << trial;
        else ASSERT_TRUE(d.improvement_low >= 0.5 || d.improvement_high <= 0.5) << trial;
        (significant ? decided : undecided) += 1;
    }
    EXPECT_GT(decided, 50);
    EXPECT_GT(undecided, 50);
}

TEST(Agreement, TheIntervalOfTheTestHoldsTheDifferenceItDoesNotReject) {
    const std::vector<double> a{10, 11, 12, 10.5, 11.5}, b{20, 21, 22, 20.5, 21.5};
    const auto interval = permutationInterval(a, b);
    ASSERT_TRUE(interval);
    EXPECT_LT(interval->second, 0);
    // Shifts just inside the interval are not rejected; those just outside are.
    const auto p = [&](double shift) {
        std::vector<double> moved = a;
        for (double& value : moved) value -= shift;
        return permutationTest(moved, b);
    };
    EXPECT_GT(p(interval->first + 0.01), 0.05);
    EXPECT_LE(p(interval->first - 0.01), 0.05);
    EXPECT_GT(p(interval->second - 0.01), 0.05);
    EXPECT_LE(p(interval->second + 0.01), 0.05);
    EXPECT_FALSE(permutationInterval(std::vector<double>{1, 2, 3}, std::vector<double>{4, 5, 6}))
        << "with three runs on each side, no split is rare enough";
}

TEST(Agreement, IntervalsNeedThreeSeedsAndStayWithinTheReturnsThatArePossible) {
    const Comparison few = compareRuns(scores({500}, {500, 96}));
    for (const RunGroup& group : few.groups) {
        EXPECT_TRUE(std::isnan(group.ci_low));
        EXPECT_TRUE(std::isnan(group.ci_high));
    }
    std::vector<RunScore> runs = scores({500, 490, 20}, {500, 500, 499.5});
    const Comparison wide = compareRuns(runs);
    EXPECT_GT(wide.groups[0].ci_high, 500) << "nothing is known about the environment";
    EXPECT_NEAR(wide.groups[0].widening, std::sqrt(1.5) * 4.3027 / 1.959964, 1e-3);
    for (RunScore& run : runs) run.range = {0, 500};
    const Comparison bounded = compareRuns(runs);
    for (const RunGroup& group : bounded.groups) {
        EXPECT_GE(group.ci_low, 0);
        EXPECT_LE(group.ci_high, 500);
        EXPECT_LE(group.ci_low, group.centre);
        EXPECT_GE(group.ci_high, group.centre);
    }
}

SettingChange change(std::int64_t step, const char* key, Json before, Json after,
                     SettingSource source = SettingSource::live) {
    return {step, 0, key, std::move(before), std::move(after), source};
}

TEST(SettingHistory, RunsWithChangedSettingsAreSeparateGroups) {
    Json now = config(0.1, 3);
    now["run"]["steps"] = 2000;
    now["run"]["threads"] = 4;
    const std::vector<SettingChange> changes{
        change(500, "algo.learning_rate", 0.4, 0.2), change(600, "run.threads", 2, 4),
        change(20'480, "algo.learning_rate", 0.2, 0.1, SettingSource::rollback),
        change(20'480, "run.steps", 1000, 2000, SettingSource::resume)};
    EXPECT_EQ(originalConfig(now, changes)["algo"]["learning_rate"], 0.4);
    EXPECT_EQ(originalConfig(now, changes)["run"]["threads"], 2);
    EXPECT_EQ(originalConfig(now, changes)["run"]["steps"], 2000) << "the step limit is the newest one";
    EXPECT_EQ(configOverTime(now, changes)["algo"]["learning_rate"],
              "0.4 (0.2 from step 500; 0.1 from step 20,480)");
    EXPECT_FALSE(affectsLearning(changes[1]));
    EXPECT_FALSE(affectsLearning(changes[3]));
    EXPECT_EQ(changeText(changes[2]), "20,480: algo.learning_rate 0.2 -> 0.1 (rollback)");
    // Compared with runs that always had the newest rate, and with runs that always had the first one.
    for (const double rate : {0.1, 0.4}) {
        std::vector<RunScore> runs;
        for (int id = 1; id <= 2; ++id) {
            Json constant = config(rate, id);
            constant["run"]["steps"] = 2000;
            constant["run"]["threads"] = 4;
            runs.push_back({.id = id, .name = "", .config = constant, .score = 1.0 * id});
        }
        runs.push_back({.id = 3, .name = "", .config = configOverTime(now, changes), .score = 9});
        const Comparison c = compareRuns(runs);
        ASSERT_EQ(c.groups.size(), 2U) << rate;
        EXPECT_EQ(c.groups[1].runs, std::vector<std::int64_t>{3});
        EXPECT_EQ(c.groups[1].label, "algo.learning_rate=0.4 (0.2 from step 500; 0.1 from step 20,480)");
    }
    // Changes that do not affect learning leave the group unchanged.
    const std::vector<SettingChange> harmless{changes[1], changes[3]};
    EXPECT_EQ(withoutSeed(configOverTime(now, harmless)), withoutSeed(now));
}

TEST(SettingHistory, AValueThatAppliedToNoStepDoesNotSplitAGroup) {
    const std::vector<SettingChange> undone{change(500, "algo.learning_rate", 0.4, 0.2),
                                            change(500, "algo.learning_rate", 0.2, 0.4)};
    EXPECT_EQ(configOverTime(config(0.4, 3), undone), config(0.4, 3));
    const std::vector<SettingChange> from_the_start{change(0, "algo.learning_rate", 0.4, 0.2)};
    EXPECT_EQ(configOverTime(config(0.2, 3), from_the_start), config(0.2, 3));
    const std::vector<SettingChange> replaced{change(500, "algo.learning_rate", 0.4, 0.3),
                                              change(500, "algo.learning_rate", 0.3, 0.2)};
    EXPECT_EQ(configOverTime(config(0.2, 3), replaced)["algo"]["learning_rate"], "0.4 (0.2 from step 500)");
}

}  // namespace
}  // namespace seedbed
