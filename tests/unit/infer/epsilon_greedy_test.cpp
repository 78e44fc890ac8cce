// SPDX-License-Identifier: Apache-2.0
// Epsilon-greedy actions: how often they explore, which choices they take, the log-probability of the
// mixture, and their independence of the batch.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "core/nn/distribution.hpp"

namespace seedbed {
namespace {

constexpr int kChoices = 4;

ActionDistribution choices(bool mask) {
    Spaces spaces;
    spaces.actions = {{.name = "action", .kind = ActionLeaf::Kind::discrete, .n = kChoices}};
    spaces.has_mask = mask;
    return {spaces, false};
}

struct Drawn {
    std::vector<float> action, log_prob;
};

Drawn draw(const ActionDistribution& distribution, const std::vector<float>& q, const std::uint8_t* mask,
           const std::vector<float>& epsilon, SampleKey key) {
    Drawn drawn{std::vector<float>(epsilon.size()), std::vector<float>(epsilon.size())};
    distribution.sampleEpsilonGreedy(static_cast<int>(epsilon.size()), q.data(), mask, epsilon.data(), key,
                                     drawn.action.data(), drawn.log_prob.data());
    return drawn;
}

TEST(EpsilonGreedy, ExploresUniformlyWithItsProbability) {
    const ActionDistribution distribution = choices(false);
    const std::vector<float> q{1, 3, 2, 0}, epsilon{0.2f};
    constexpr int kDraws = 20000;
    int count[kChoices] = {};
    for (int t = 0; t < kDraws; ++t) {
        const Drawn drawn =
            draw(distribution, q, nullptr, epsilon, {.seed = 1, .step = static_cast<std::uint64_t>(t)});
        const auto action = static_cast<std::size_t>(drawn.action[0]);
        ++count[action];
        EXPECT_NEAR(drawn.log_prob[0], std::log(action == 1 ? 0.85 : 0.05), 1e-6);
    }
    // Standard deviation at most 0.0025.
    EXPECT_NEAR(count[1], 0.85 * kDraws, 0.01 * kDraws);
    for (const int other : {0, 2, 3}) EXPECT_NEAR(count[other], 0.05 * kDraws, 0.006 * kDraws);
}

TEST(EpsilonGreedy, NeverTakesAForbiddenChoice) {
    const ActionDistribution distribution = choices(true);
    const std::vector<float> q{1, 3, 2, 0}, epsilon{0.5f};
    const std::uint8_t mask[] = {1, 0, 0, 1}, none[] = {0, 0, 0, 0};
    int count[kChoices] = {};
    for (std::uint64_t t = 0; t < 4000; ++t) {
        const Drawn drawn = draw(distribution, q, mask, epsilon, {.seed = 2, .step = t});
        ++count[static_cast<std::size_t>(drawn.action[0])];
        EXPECT_NEAR(drawn.log_prob[0], std::log(drawn.action[0] == 0 ? 0.75 : 0.25), 1e-6);
    }
    EXPECT_NEAR(count[0], 3000, 150);
    EXPECT_EQ(count[1] + count[2], 0);
    // As in sample(), a mask that forbids everything is ignored.
    EXPECT_EQ(draw(distribution, q, none, {0.0f}, {}).action[0], 1);
}

TEST(EpsilonGreedy, RowsDoNotDependOnTheirNeighbours) {
    const ActionDistribution distribution = choices(false);
    std::vector<float> q, epsilon;
    for (int i = 0; i < 150 * kChoices; ++i) q.push_back(std::sin(static_cast<float>(i)));
    for (int i = 0; i < 150; ++i) epsilon.push_back(static_cast<float>(i) / 150);
    const Drawn all = draw(distribution, q, nullptr, epsilon, {.seed = 3, .lane = 7, .step = 5});
    int greedy = 0;
    for (std::uint32_t i = 0; i < 150; ++i) {
        const auto begin = q.begin() + i * kChoices;
        const Drawn alone = draw(distribution, {begin, begin + kChoices}, nullptr, {epsilon[i]},
                                 {.seed = 3, .lane = 7 + i, .step = 5});
        EXPECT_EQ(alone.action[0], all.action[i]);
        EXPECT_EQ(alone.log_prob[0], all.log_prob[i]);
        greedy +=
            std::max_element(begin, begin + kChoices) - begin == static_cast<int>(all.action[i]) ? 1 : 0;
    }
    EXPECT_GT(greedy, 80);
    EXPECT_LT(greedy, 115);
}

}  // namespace
}  // namespace seedbed
