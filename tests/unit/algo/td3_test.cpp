// SPDX-License-Identifier: Apache-2.0
// TD3's losses compared with their closed forms in double, and its policy's gradient with central
// differences; delayed steps of the policy.
#include "tests/unit/algo/critic_step.hpp"

namespace seedbed {
namespace {

constexpr double kGamma = 0.9;
constexpr std::size_t kRows = CriticProblem::kRows, kWords = CriticProblem::kWords;

struct Td3Problem : CriticProblem {
    std::vector<double> sums = std::vector<double>(3, 0.0);
    std::unique_ptr<Algorithm> algorithm;

    explicit Td3Problem(Json params) {
        params["gamma"] = kGamma;
        params["target_noise"] = 0.4;
        fifth_next = next_policy;
        next_policy.clear();
        // The standard deviation is e^-20.
        for (auto* heads : {&policy, &fifth_next})
            for (std::size_t row = 0; row < kRows; ++row)
                for (std::size_t i = 0; i < kWords; ++i) (*heads)[row * 2 * kWords + logStdAt(i)] = -20;
        algorithm = algorithmRegistry().find("td3")->make(params, {spaces, true});
    }
    double policyLoss(std::size_t row, const std::vector<double>& heads) const {
        double a[kWords];
        for (std::size_t i = 0; i < kWords; ++i) a[i] = std::tanh(heads[meanAt(i)]);
        return -critics[0].value(row, a, kWords);
    }
};

TEST(Td3, TargetsUseClippedNoiseAndTheSmallerCritic) {
    Td3Problem p(Json::object());
    CriticStep step(p, p.sums);
    std::vector<float> noise(kRows * kWords);
    UnitActions(p.spaces).distribution().noise(static_cast<int>(kRows), step.key(0), noise.data());
    p.algorithm->learn(step);
    int clipped = 0;
    for (std::size_t row = 0; row < kRows; ++row) {
        double next[kWords], taken[kWords];
        for (std::size_t i = 0; i < kWords; ++i) {
            const double raw = 0.4 * static_cast<double>(noise[row * kWords + i]);
            clipped += std::abs(raw) > 0.5 ? 1 : 0;
            const double mean =
                std::tanh(static_cast<double>(p.fifth_next[row * 2 * kWords + Td3Problem::meanAt(i)]));
            next[i] = std::clamp(mean + std::clamp(raw, -0.5, 0.5), -1.0, 1.0);
            taken[i] = p.taken(row, i);
        }
        const double target = static_cast<double>(p.reward[row]) +
                              kGamma * static_cast<double>(p.discount[row]) * p.smallestNext(row, next);
        for (std::size_t j = 0; j < 2; ++j) {
            const double error = p.critics[j].value(row, taken, kWords) - target;
            // Float rounding errors of values of order ten.
            EXPECT_NEAR(static_cast<double>(step.trained[1 + j][row]),
                        p.valid[row] != 0 ? error / p.chunk.valid_rows : 0, 1e-6)
                << row;
        }
    }
    EXPECT_GT(clipped, 3);
}

TEST(Td3, ThePolicysGradientIsThatOfTheFirstCritic) {
    Td3Problem p(Json::object());
    CriticStep step(p, p.sums);
    p.algorithm->learn(step);
    constexpr double kStep = 1e-6;
    ASSERT_EQ(step.trained[0].size(), kRows * 2 * kWords);
    for (std::size_t row = 0; row < kRows; ++row) {
        std::vector<double> heads(p.policy.begin() + static_cast<std::ptrdiff_t>(row * 2 * kWords),
                                  p.policy.begin() + static_cast<std::ptrdiff_t>((row + 1) * 2 * kWords));
        for (std::size_t i = 0; i < 2 * kWords; ++i) {
            const double at = heads[i];
            heads[i] = at + kStep;
            const double plus = p.policyLoss(row, heads);
            heads[i] = at - kStep;
            const double minus = p.policyLoss(row, heads);
            heads[i] = at;
            const double numeric = p.valid[row] != 0 ? (plus - minus) / (2 * kStep) / p.chunk.valid_rows : 0;
            // Float rounding errors of values of order ten.
            EXPECT_NEAR(static_cast<double>(step.trained[0][row * 2 * kWords + i]), numeric, 1e-6)
                << row << " " << i;
        }
    }
}

TEST(Td3, ThePolicyAndTheTargetsChangeAfterEveryFewStepsOfTheCritics) {
    Td3Problem p(Json{{"policy_delay", 3}});
    CriticStep step(p, p.sums, false);
    p.algorithm->learn(step);
    EXPECT_TRUE(step.trained[0].empty()) << "no gradient in minibatches after which it does not step";
    EXPECT_FALSE(step.trained[1].empty());
    for (const NetworkDecl& net : p.algorithm->networks()) {
        EXPECT_EQ(net.every, net.name == "policy" ? 3 : 1) << net.name;
        EXPECT_EQ(net.follow.value_or(Follow{.every = 3}).every, 3) << net.name;
    }
}

TEST(Td3, ActsWithNoiseAfterRandomDecisions) {
    const Td3Problem p(Json{{"random_steps", 50}, {"noise", 0.3}});
    EXPECT_EQ(p.algorithm->acting({.steps = 49}).kind, ActingRule::Kind::uniform);
    EXPECT_EQ(p.algorithm->acting({.steps = 50}).kind, ActingRule::Kind::gaussian);
    EXPECT_EQ(p.algorithm->acting({.steps = 50}).noise, 0.3);
    EXPECT_EQ(Td3Problem(Json{{"noise", 0.0}}).algorithm->acting({.steps = 5000}).kind,
              ActingRule::Kind::selection);
}

}  // namespace
}  // namespace seedbed
