// SPDX-License-Identifier: Apache-2.0
// Importance of settings compared with values computed by hand, planted effects and noise.
#include "core/analysis/importance.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "core/base/rng.hpp"

namespace seedbed {
namespace {

using Verdict = SettingImportance::Verdict;

struct Sweep {
    std::vector<Json> configs;
    std::vector<double> scores;
    void add(Json algo, double score, const char* env = "cartpole") {
        configs.push_back({{"env", {{"id", env}}}, {"algo", std::move(algo)}});
        scores.push_back(score);
    }
    Importance importance() const { return settingImportance(configs, scores); }
};

TEST(Importance, SharesOfAHandComputedSetAreEtaAndEpsilonSquared) {
    Sweep sweep;
    for (const double off : {0, 1, 2, 3, 4}) {
        sweep.add({{"x", 1}}, off);
        sweep.add({{"x", 2}}, 4 + off);
    }
    const Importance found = sweep.importance();
    ASSERT_EQ(found.state, Importance::State::measured);
    ASSERT_EQ(found.settings.size(), 1u);
    // Means 2 and 6 around 4: 10 * 4 = 40 between the groups, 2 * 10 within them.
    EXPECT_DOUBLE_EQ(found.settings[0].eta_squared, 40.0 / 60);
    // Epsilon squared: (40 - 1 * 20 / 8) / 60. The correction is estimated from 2,000 permutations.
    EXPECT_NEAR(found.settings[0].share, 37.5 / 60, 0.01);
    // Exact: 4 of the 252 splits, because the value 4 occurs twice.
    EXPECT_NEAR(found.settings[0].p_value, 0.016, 0.012);
    EXPECT_EQ(found.settings[0].verdict, Verdict::explains);
    EXPECT_LT(found.settings[0].chance, found.settings[0].share);
}

TEST(Importance, ARandomSearchReportsThePlantedEffectAndNoOther) {
    Rng rng(5, RngPurpose::test);
    Sweep sweep;
    for (int i = 0; i < 60; ++i) {
        const double rate = rng.uniform(), x = rng.uniform();
        const char* kind = rng.bernoulli(0.5) ? "a" : "b";
        // Best in the middle, which a linear correlation would miss.
        sweep.add({{"rate", rate}, {"kind", kind}, {"x", x}},
                  -20 * (rate - 0.5) * (rate - 0.5) + 0.3 * rng.normal());
    }
    const Importance found = sweep.importance();
    ASSERT_EQ(found.settings.size(), 3u);
    EXPECT_EQ(found.settings[0].fields, std::vector<std::string>{"algo.rate"});
    EXPECT_EQ(found.settings[0].groups, 5u);
    EXPECT_GT(found.settings[0].share, 0.6);  // ranges of rates contain part of the effect
    EXPECT_EQ(found.settings[0].verdict, Verdict::explains);
    EXPECT_EQ(found.settings[1].verdict, Verdict::chance);
    EXPECT_EQ(found.settings[2].verdict, Verdict::chance);
}

TEST(Importance, NoiseIsReportedInAtMostOneOfTwentySweeps) {
    Rng rng(21, RngPurpose::test);
    int reported = 0;
    for (int trial = 0; trial < 200; ++trial) {
        Sweep sweep;
        // The score depends on the configuration, but on none of its settings; three seeds of each.
        for (int config = 0; config < 12; ++config) {
            const Json algo{{"x", rng.uniform()}, {"y", rng.uniform()}, {"z", config % 3}, {"w", config % 2}};
            const double level = 3 * rng.normal();
            for (int seed = 0; seed < 3; ++seed) sweep.add(algo, level + rng.normal());
        }
        for (const SettingImportance& one : sweep.importance().settings)
            if (one.verdict == Verdict::explains) {
                ++reported;
                break;
            }
    }
    EXPECT_LE(reported, 19);  // 10 expected; three standard deviations are 9
}

TEST(Importance, AGridFindsASmallEffectNextToALargeOne) {
    Rng rng(7, RngPurpose::test);
    Sweep sweep;
    for (const int large : {0, 1})
        for (const int small : {0, 1})
            for (int seed = 0; seed < 5; ++seed)
                sweep.add({{"large", large}, {"small", small}}, 100 * large + 4 * small + rng.normal());
    const Importance found = sweep.importance();
    ASSERT_EQ(found.settings.size(), 2u);
    EXPECT_EQ(found.settings[0].fields.front(), "algo.large");
    EXPECT_GT(found.settings[0].share, 0.95);
    EXPECT_LT(found.settings[1].share, 0.05);
    EXPECT_EQ(found.settings[1].verdict, Verdict::explains);
}

TEST(Importance, SettingsThatChangeTogetherAreOneAndMissingOnesAreLeftOut) {
    Sweep sweep;
    for (int i = 0; i < 12; ++i) {
        Json algo{{"id", i % 2 == 0 ? "ppo" : "dqn"}, {"together", i % 2}};
        if (i % 2 == 0) algo["only"] = i % 4;
        sweep.add(algo, i % 2 + 0.01 * i);
    }
    const Importance found = sweep.importance();
    ASSERT_EQ(found.settings.size(), 2u);
    EXPECT_EQ(found.settings[0].fields, (std::vector<std::string>{"algo.id", "algo.together"}));
    EXPECT_EQ(found.settings[0].runs, 12u);
    EXPECT_EQ(found.settings[1].runs, 6u);
    EXPECT_EQ(found.settings[1].verdict, Verdict::too_few);
}

TEST(Importance, StatesWhyItCannotBeMeasured) {
    Sweep sweep;
    for (int i = 0; i < 9; ++i) sweep.add({{"x", i % 2}}, i);
    EXPECT_EQ(sweep.importance().state, Importance::State::too_few_runs);
    sweep.add({{"x", 1}}, 9);
    EXPECT_EQ(sweep.importance().state, Importance::State::measured);
    sweep.add({{"x", 1}}, 9, "pong");
    EXPECT_EQ(sweep.importance().state, Importance::State::other_tasks);
    EXPECT_EQ(settingImportance({}, {}).state, Importance::State::too_few_runs);
    Sweep same;
    for (int i = 0; i < 12; ++i) same.add({{"x", 1}}, i);
    EXPECT_EQ(same.importance().state, Importance::State::no_setting);
    Sweep words;  // a different word for every run
    for (int i = 0; i < 12; ++i) words.add({{"x", std::string(1, static_cast<char>('a' + i))}}, i);
    EXPECT_EQ(words.importance().settings.at(0).verdict, Verdict::too_few);
    Sweep equal;
    for (int i = 0; i < 12; ++i) equal.add({{"x", i % 2}}, 7);
    EXPECT_EQ(equal.importance().settings.at(0).verdict, Verdict::chance);
    EXPECT_EQ(equal.importance().settings.at(0).share, 0);
}

}  // namespace
}  // namespace seedbed
