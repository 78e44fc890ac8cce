// SPDX-License-Identifier: Apache-2.0
// The decisions of population-based training.
#include "core/jobs/population_rules.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "core/session/settings.hpp"
#include "tests/unit/base/must.hpp"

namespace seedbed {
namespace {

using testing::must;

constexpr const char* kRate = "algo.learning_rate";

Json cartpole() { return must(runConfigSchema().complete({{"env", {{"id", "cartpole"}}}})); }

PopulationRules rulesOf(int members, std::uint64_t seed = 1) {
    PopulationRules rules;
    rules.members = members;
    rules.steps = 1000;
    rules.every = 100;
    rules.seed = seed;
    rules.mutations = {must(parseMutation("algo.learning_rate=1e-5..1e-3:log", cartpole()))};
    return rules;
}

// A round that ended with these scores.
std::vector<PopulationRound> ended(const PopulationRules& rules, const std::vector<double>& scores) {
    std::vector<PopulationRound> rows = firstRound(rules);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].state = RoundState::done;
        rows[i].end_step = 100 + static_cast<std::int64_t>(i);
        rows[i].score = scores[i];
    }
    return rows;
}

std::string errorOf(const std::string& mutation) {
    const auto parsed = parseMutation(mutation, cartpole());
    return parsed ? "" : parsed.error().message;
}

TEST(PopulationRules, ReadsARangeAndItsScale) {
    const Mutation rate = must(parseMutation("algo.learning_rate=1e-5..1e-3:log", cartpole()));
    EXPECT_EQ(rate, (Mutation{kRate, 1e-5, 1e-3, true, false}));
    const Mutation cost = must(parseMutation("algo.entropy_cost=0..0.1", cartpole()));
    EXPECT_EQ(cost, (Mutation{"algo.entropy_cost", 0, 0.1, false, false}));
    EXPECT_TRUE(must(parseMutation("algo.lr_horizon=100..5000:linear", cartpole())).is_integer);
}

TEST(PopulationRules, RefusesWhatCannotBeMutated) {
    const auto expect = [](const std::string& mutation, const std::string& part) {
        EXPECT_NE(errorOf(mutation).find(part), std::string::npos) << mutation << ": " << errorOf(mutation);
    };
    expect("algo.learning_rate", "invalid --mutate");
    expect("algo.learning_rate=1e-5", "invalid --mutate");
    expect("algo.lr_horizon=100.2..100.8", "fewer than two integers");
    expect("algo.lr_horizon=100..100.8", "fewer than two integers");
    Json adaptive = cartpole();
    adaptive["algo"]["lr_schedule"] = "kl_adaptive";
    const auto refused = parseMutation("algo.learning_rate=1e-5..1e-3", adaptive);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("kl_adaptive"), std::string::npos) << refused.error().message;
    expect("algo.learning_rate=a..b", "invalid --mutate");
    expect("algo.learning_rate=1e-5..1e-3:cubic", "invalid --mutate");
    expect("algo.learning_rat=1e-5..1e-3", "unknown setting 'algo.learning_rat'; did you mean");
    expect("algo.lr_schedule=1..2", "is not a number");
    expect("network.hidden=1..2", "is not a number");
    expect("algo.gamma=0.9..0.99", "cannot change during a run");
    expect("algo.gamma=0.9..0.99", kRate);
    expect("run.steps=1..2", "cannot change during a run");
    expect("algo.learning_rate=1e-3..20", "outside the allowed one: 0 to 10");
    expect("algo.learning_rate=-1..1", "outside the allowed one");
    expect("algo.learning_rate=1e-3..1e-5", "is empty");
    expect("algo.learning_rate=0..1e-3:log", "begins above 0");
}

TEST(PopulationRules, RefusesAPopulationThatCannotWork) {
    const auto refuses = [](const std::function<void(PopulationRules&)>& change, const std::string& part) {
        PopulationRules rules = rulesOf(4);
        EXPECT_TRUE(checkRules(rules));
        change(rules);
        const auto checked = checkRules(rules);
        ASSERT_FALSE(checked);
        EXPECT_NE(checked.error().message.find(part), std::string::npos) << checked.error().message;
    };
    refuses([](auto& rules) { rules.members = 1; }, "2 to 256 members, not 1");
    refuses([](auto& rules) { rules.mutations.clear(); }, "--mutate");
    refuses([](auto& rules) { rules.mutations.push_back(rules.mutations[0]); }, "twice");
    refuses([](auto& rules) { rules.steps = 0; }, "--steps");
    refuses([](auto& rules) { rules.every = 1001; }, "--every");
}

TEST(PopulationRules, AreTheSameAfterTheyWereStored) {
    PopulationRules rules = rulesOf(5, 77);
    rules.objective = "eval/return";
    rules.lower_is_better = true;
    rules.fraction = 0.5;
    rules.resample = 0;
    const PopulationRules read = rulesFromJson(Json::parse(toJson(rules).dump()));
    EXPECT_EQ(toJson(read), toJson(rules));
    EXPECT_EQ(read.mutations, rules.mutations);
    EXPECT_EQ(read.rounds(), 10);
    EXPECT_EQ(read.endOf(3), 300);
    rules.steps = 950;
    EXPECT_EQ(rules.rounds(), 10);
    EXPECT_EQ(rules.endOf(10), 950);
}

TEST(PopulationRules, FirstSettingsFillTheRange) {
    const PopulationRules rules = rulesOf(200);
    double sum = 0;
    std::set<double> different;
    for (const PopulationRound& row : firstRound(rules)) {
        EXPECT_EQ(row.round, 1);
        EXPECT_EQ(row.parent, row.member);
        EXPECT_EQ(row.state, RoundState::training);
        const double rate = row.settings.at(kRate).get<double>();
        EXPECT_GE(rate, 1e-5);
        EXPECT_LE(rate, 1e-3);
        different.insert(rate);
        sum += std::log10(rate);
    }
    EXPECT_NEAR(sum / 200, -4, 0.15) << "log-uniform";
    EXPECT_GT(different.size(), 190U);
}

TEST(PopulationRules, TheWorstQuarterCopiesTheBest) {
    const PopulationRules rules = rulesOf(8);
    const auto before = ended(rules, {5, 1, 8, 3, 2, 9, 4, 6});
    const auto next = nextRound(rules, before);
    ASSERT_EQ(next.size(), 8U);
    for (std::size_t i = 0; i < next.size(); ++i) {
        const PopulationRound& row = next[i];
        EXPECT_EQ(row.round, 2);
        EXPECT_EQ(row.member, static_cast<int>(i) + 1);
        if (row.member != 2 && row.member != 5) {
            EXPECT_EQ(row.parent, row.member);
            EXPECT_EQ(row.settings, before[i].settings);
            EXPECT_EQ(row.state, RoundState::training);
            continue;
        }
        EXPECT_TRUE(row.parent == 3 || row.parent == 6) << row.parent;
        EXPECT_EQ(row.parent_step, before[static_cast<std::size_t>(row.parent) - 1].end_step);
        EXPECT_EQ(row.state, RoundState::copying);
        EXPECT_NE(row.settings, before[i].settings);
    }
}

TEST(PopulationRules, AMutationChangesByAFactorOrDrawsANewValue) {
    PopulationRules rules = rulesOf(2);
    std::set<double> factors;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        rules.seed = seed;
        rules.resample = 0;
        auto before = ended(rules, {1, 0});
        before[0].settings[kRate] = 1e-4;
        const PopulationRound copy = nextRound(rules, before)[1];
        ASSERT_EQ(copy.parent, 1);
        factors.insert(copy.settings.at(kRate).get<double>() / 1e-4);
        // At the border of the range it stays inside.
        before[0].settings[kRate] = 1e-3;
        EXPECT_LE(nextRound(rules, before)[1].settings.at(kRate).get<double>(), 1e-3);
        rules.resample = 1;
        const double drawn = nextRound(rules, before)[1].settings.at(kRate).get<double>();
        EXPECT_GE(drawn, 1e-5);
        EXPECT_LE(drawn, 1e-3);
    }
    ASSERT_EQ(factors.size(), 2U);
    EXPECT_NEAR(*factors.begin(), 0.8, 1e-9);
    EXPECT_NEAR(*factors.rbegin(), 1.25, 1e-9);
}

TEST(PopulationRules, OnALinearScaleASettingIsShifted) {
    PopulationRules rules = rulesOf(2);
    rules.resample = 0;
    rules.mutations = {must(parseMutation("algo.entropy_cost=0..0.1", cartpole())),
                       must(parseMutation("algo.lr_horizon=1..4", cartpole()))};
    auto before = ended(rules, {1, 0});
    before[0].settings = {{"algo.entropy_cost", 0.05}, {"algo.lr_horizon", 2}};
    const Json after = nextRound(rules, before)[1].settings;
    const double cost = after.at("algo.entropy_cost").get<double>();
    EXPECT_TRUE(std::abs(cost - 0.04) < 1e-9 || std::abs(cost - 0.06) < 1e-9) << cost;
    EXPECT_TRUE(after.at("algo.lr_horizon") == 1 || after.at("algo.lr_horizon") == 3)
        << "small integers also change";
}

TEST(PopulationRules, EqualSeedsDecideEqually) {
    const auto decisions = [](std::uint64_t seed) {
        const PopulationRules rules = rulesOf(8, seed);
        std::vector<std::string> texts;
        for (const PopulationRound& row : nextRound(rules, ended(rules, {5, 1, 8, 3, 2, 9, 4, 6})))
            texts.push_back(std::to_string(row.parent) + row.settings.dump());
        return texts;
    };
    EXPECT_EQ(decisions(3), decisions(3));
    EXPECT_NE(decisions(3), decisions(4));
}

TEST(PopulationRules, ALowerObjectiveMayBeBetter) {
    PopulationRules rules = rulesOf(4);
    rules.lower_is_better = true;
    const auto next = nextRound(rules, ended(rules, {4, 1, 3, 2}));
    EXPECT_EQ(next[0].parent, 2);
    EXPECT_EQ(ranked(rules, ended(rules, {4, 1, 3, 2}))[0].member, 2);
}

TEST(PopulationRules, NothingIsCopiedWithoutABetterMember) {
    const PopulationRules rules = rulesOf(4);
    for (const PopulationRound& row : nextRound(rules, ended(rules, {1, 1, 1, 1})))
        EXPECT_EQ(row.parent, row.member) << "equal scores";
    auto before = ended(rules, {1, 2, 3, 4});
    for (PopulationRound& row : before) row.score.reset();
    for (const PopulationRound& row : nextRound(rules, before))
        EXPECT_EQ(row.parent, row.member) << "no scores";
    before[2].score = 7;
    for (const PopulationRound& row : nextRound(rules, before))
        EXPECT_EQ(row.parent, row.member) << "one score cannot be compared";
}

TEST(PopulationRules, AFailedMemberIsReplaced) {
    const PopulationRules rules = rulesOf(4);
    auto before = ended(rules, {4, 3, 2, 1});
    before[0].state = RoundState::failed;
    before[0].score.reset();
    auto next = nextRound(rules, before);
    EXPECT_EQ(next[0].parent, 2);
    EXPECT_EQ(next[0].state, RoundState::copying);
    EXPECT_EQ(next[3].parent, 2) << "the worst of the others still copies";
    // The last one that has not failed is copied by all.
    for (const int member : {2, 3}) before[static_cast<std::size_t>(member) - 1] = before[0];
    before[1].member = 2;
    before[2].member = 3;
    next = nextRound(rules, before);
    for (const int member : {1, 2, 3}) EXPECT_EQ(next[static_cast<std::size_t>(member) - 1].parent, 4);
    EXPECT_EQ(next[3].parent, 4);
    EXPECT_EQ(next[3].state, RoundState::training);
}

TEST(PopulationRules, TheLineageIsATree) {
    PopulationRules rules = rulesOf(3);
    std::vector<PopulationRound> rows = ended(rules, {1, 2, 3});
    std::vector<PopulationRound> second = nextRound(rules, rows);
    ASSERT_EQ(second[0].parent, 3);
    for (PopulationRound& row : second) {
        row.state = RoundState::done;
        row.end_step = 200;
        row.score = row.member == 1 ? 9 : row.member;
    }
    const std::vector<PopulationRound> third = nextRound(rules, second);
    ASSERT_EQ(third[1].parent, 1);
    rows.insert(rows.end(), second.begin(), second.end());
    rows.insert(rows.end(), third.begin(), third.end());
    const std::vector<LineageNode> nodes = lineageOf(rows);
    ASSERT_EQ(nodes.size(), 5U);
    for (int root = 0; root < 3; ++root) {
        EXPECT_EQ(nodes[static_cast<std::size_t>(root)].parent, -1);
        EXPECT_EQ(nodes[static_cast<std::size_t>(root)].member, root + 1);
    }
    EXPECT_EQ(nodes[0].last_round, 1);
    EXPECT_EQ(nodes[3].member, 1);
    EXPECT_EQ(nodes[3].parent, 2) << "a copy of member 3";
    EXPECT_EQ(nodes[3].begin_step, 102);
    EXPECT_EQ(nodes[3].end_step, 200);
    EXPECT_EQ(nodes[3].score, 9);
    EXPECT_EQ(nodes[4].member, 2);
    EXPECT_EQ(nodes[4].parent, 3) << "a copy of the copy";
    EXPECT_EQ(nodes[2].last_round, 3);
}

}  // namespace
}  // namespace seedbed
