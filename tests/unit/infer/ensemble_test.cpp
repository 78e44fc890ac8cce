// SPDX-License-Identifier: Apache-2.0
// Acting with an ensemble: every episode of a column follows one member, all members are used, evaluations
// use their mean, and the choice does not depend on how columns are divided into groups.
#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "core/infer/span_inference.hpp"

namespace seedbed {
namespace ensemble {
namespace {

constexpr int kActions = 3, kMembers = 4, kEpisode = 5, kRows = 400;

Spaces spaces() {
    ObsLeaf obs;
    obs.shape = {2};
    ActionLeaf action;
    action.n = kActions;
    return {{obs}, {action}, false};
}

struct Network {
    NetPlan plan;
    std::unique_ptr<EngineNet> net;
    Params params;

    Network() {
        NetworkParams settings;
        settings.hidden = {8};
        plan = *buildPlan(*makeNetSpec(spaces(), settings, {{"q", "q", 0, false, kMembers, 2}}));
        net = std::move(*compileNet("reference", plan, EngineOptions{}));
        params = initialParams(plan, 3);
    }
    // The heads of the constant observation: [actions, members], then the means.
    std::vector<float> heads() const {
        const float obs[2] = {0.5, -0.25};
        std::vector<float> out(static_cast<std::size_t>(plan.head_words));
        Rows rows{.sequences = 1, .steps = 1, .obs = {reinterpret_cast<const std::uint8_t*>(obs)}};
        EXPECT_TRUE(net->context()->run(params, rows, {out.data(), nullptr}, Keep::nothing).has_value());
        return out;
    }
};

// Acts in columns [first, first + columns) with episodes of kEpisode rows; returns the stored values by row
// and column.
std::vector<std::vector<float>> act(const Network& network, int first, int columns, int members) {
    const auto ring =
        *Ring::create({.spaces = spaces(), .columns = columns, .rows = 4, .policy_words = kActions});
    SpanInference span(*network.net, ActionDistribution(spaces(), false), *ring,
                       {.seed = 7, .first_lane = static_cast<std::uint32_t>(first)});
    ThreadTimes times;
    std::vector<std::vector<float>> values;
    for (int row = 0; row < kRows; ++row) {
        const std::uint64_t t = ring->head();
        for (int n = 0; n < columns; ++n) {
            reinterpret_cast<float*>(ring->obs(0, t))[2 * n] = 0.5F;
            reinterpret_cast<float*>(ring->obs(0, t))[2 * n + 1] = -0.25F;
            ring->episodeStep(t)[n] = row % kEpisode;
            ring->first(t)[n] = row % kEpisode == 0 ? 1 : 0;
            ring->valid(t)[n] = 1;
        }
        const ActingRule rule{.kind = ActingRule::Kind::epsilon_greedy, .epsilon = 0, .members = members};
        EXPECT_TRUE(span.act(network.params, times, rule).has_value());
        for (int n = 0; n < columns; ++n) {
            const float* stored = ring->policy(t) + n * kActions;
            values.emplace_back(stored, stored + kActions);
            EXPECT_EQ(ring->action(t)[n],
                      static_cast<float>(std::max_element(stored, stored + kActions) - stored));
            EXPECT_EQ(ring->logProb(t)[n], 0);
        }
        EXPECT_TRUE(ring->hasRoom());
        ring->advance();
    }
    return values;
}

TEST(Ensemble, EveryEpisodeFollowsOneMember) {
    const Network network;
    const std::vector<float> heads = network.heads();
    std::map<std::vector<float>, int> member_of;
    for (int member = 0; member < kMembers; ++member) {
        std::vector<float> values;
        for (int a = 0; a < kActions; ++a)
            values.push_back(heads[static_cast<std::size_t>(a * kMembers + member)]);
        member_of[values] = member;
    }
    ASSERT_EQ(member_of.size(), kMembers) << "priors and initial values differ";
    const auto values = act(network, 0, 2, kMembers);
    std::map<int, int> episodes;
    std::set<std::pair<int, int>> pairs;
    for (std::size_t row = 0; row < kRows; row += kEpisode) {
        int members[2] = {};
        for (std::size_t n = 0; n < 2; ++n) {
            const auto found = member_of.find(values[2 * row + n]);
            ASSERT_NE(found, member_of.end());
            for (std::size_t step = 1; step < kEpisode; ++step)
                EXPECT_EQ(values[2 * (row + step) + n], found->first);
            members[n] = found->second;
            ++episodes[found->second];
        }
        pairs.insert({members[0], members[1]});
    }
    EXPECT_EQ(pairs.size(), 16u) << "columns choose independently";
    // 160 episodes, 40 per member: four standard deviations.
    for (const auto& [member, count] : episodes) EXPECT_NEAR(count, 40, 22) << member;
}

TEST(Ensemble, TheMemberDependsOnTheColumnOfTheRunOnly) {
    const Network network;
    const auto both = act(network, 4, 2, kMembers), second = act(network, 5, 1, kMembers);
    for (std::size_t row = 0; row < kRows; ++row) EXPECT_EQ(both[2 * row + 1], second[row]);
}

TEST(Ensemble, WithoutTheRuleTheMeanOfAllMembersActs) {
    const Network network;
    const std::vector<float> heads = network.heads();
    for (const std::vector<float>& values : act(network, 0, 1, 1))
        for (int a = 0; a < kActions; ++a) {
            float sum = 0;
            for (int j = 0; j < kMembers; ++j) sum += heads[static_cast<std::size_t>(a * kMembers + j)];
            EXPECT_FLOAT_EQ(values[static_cast<std::size_t>(a)], sum / kMembers);
        }
}

}  // namespace
}  // namespace ensemble
}  // namespace seedbed
