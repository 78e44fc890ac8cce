// SPDX-License-Identifier: Apache-2.0
// DQN's loss compared with its closed form in double, and its gradient with central differences of that form;
// n-step targets at the ends of episodes; importance weights, priorities and masks; epsilon schedule.
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "core/algo/algorithm.hpp"
#include "core/algo/returns.hpp"
#include "core/base/rng.hpp"
#include "tests/unit/algo/fake_step.hpp"

namespace seedbed {
namespace {

constexpr int kSequences = 23, kActions = 4;
constexpr double kGamma = 0.9;

std::unique_ptr<Algorithm> makeDqn(Json params, const ActionDistribution& distribution) {
    params["gamma"] = kGamma;
    return algorithmRegistry().find("dqn")->make(params, distribution);
}

ActionDistribution fourChoices(bool mask = false) {
    Spaces spaces;
    spaces.actions = {{.name = "action", .kind = ActionLeaf::Kind::discrete, .n = kActions}};
    spaces.has_mask = mask;
    return {spaces, false};
}

// Sequences of one learned row and `n` rows ahead, with terminations and truncations.
struct Problem {
    int n;
    NetPlan plan;
    std::vector<float> q, next_online, next_target, action, reward, discount, weight;
    std::vector<std::uint8_t> valid, successor_mask;
    Chunk chunk;

    explicit Problem(int steps, std::uint64_t seed = 5) : n(steps) {
        plan.head_words = kActions;
        Rng rng(seed, RngPurpose::test);
        const auto fill = [&](std::vector<float>& to, int count) {
            for (int i = 0; i < count; ++i) to.push_back(static_cast<float>(rng.normal()));
        };
        fill(q, kSequences * kActions);
        fill(next_online, kSequences * kActions);
        fill(next_target, kSequences * kActions);
        for (int row = 0; row < (n + 1) * kSequences; ++row) {
            const bool last = row >= n * kSequences;
            // The learned row is valid; extra rows have no reward.
            valid.push_back(last || (row >= kSequences && rng.bernoulli(0.2)) ? 0 : 1);
            action.push_back(static_cast<float>(rng.below(kActions)));
            reward.push_back(valid.back() != 0 ? static_cast<float>(rng.normal()) : 0.0f);
            discount.push_back(valid.back() != 0 && !rng.bernoulli(0.2) ? 1.0f : 0.0f);
        }
        for (int i = 0; i < kSequences; ++i) weight.push_back(static_cast<float>(rng.uniform(0.1, 1)));
        chunk.sequences = kSequences;
        chunk.steps = n + 1;
        chunk.learned = 1;
        chunk.action = action.data();
        chunk.reward = reward.data();
        chunk.discount = discount.data();
        chunk.valid = valid.data();
        chunk.valid_rows = 1.5 * kSequences;
    }

    // The definition: rewards up to the n-th, the first termination or the first extra row, which bootstraps.
    double target(int s, double next) const {
        double sum = 0, factor = 1;
        for (int k = 0; k < n; ++k) {
            const auto at = static_cast<std::size_t>(k * kSequences + s);
            if (k > 0 && valid[at] == 0) break;
            sum += factor * static_cast<double>(reward[at]);
            factor *= kGamma * static_cast<double>(discount[at]);
            if (discount[at] == 0) break;
        }
        return sum + factor * next;
    }
    FakeStep step(double* sums, float* priorities = nullptr) const {
        return FakeStep(chunk,
                        {{.plan = &plan, .rows = q, .successors = next_online},
                         {.plan = &plan, .successors = next_target}},
                        sums, priorities);
    }
    double nextValue(int s, bool double_q) const {
        const auto begin = static_cast<std::ptrdiff_t>(s * kActions);
        const std::vector<float>& chooser = double_q ? next_online : next_target;
        const auto best = std::max_element(chooser.begin() + begin, chooser.begin() + begin + kActions);
        return static_cast<double>(next_target[static_cast<std::size_t>(best - chooser.begin())]);
    }
};

double lossOf(double error, bool huber) {
    const double size = std::abs(error);
    return huber && size > 1 ? size - 0.5 : 0.5 * error * error;
}

TEST(Dqn, GradientIsThatOfTheClosedForm) {
    int ended = 0;
    for (const int n : {1, 3, 5})
        for (const bool double_q : {false, true})
            for (const bool huber : {false, true}) {
                Problem p(n);
                p.chunk.weight = p.weight.data();
                const auto algorithm =
                    makeDqn({{"n_step", n}, {"double_q", double_q}, {"loss", huber ? "huber" : "squared"}},
                            fourChoices());
                std::vector<double> sums(3, 0.0);
                std::vector<float> priorities(kSequences, -1.0f);
                FakeStep step = p.step(sums.data(), priorities.data());
                algorithm->learn(step);
                const std::vector<float>& gradient = step.net(0).gradients;
                EXPECT_TRUE(step.net(1).gradients.empty()) << "the target network is not trained";
                double loss_sum = 0, q_sum = 0, error_sum = 0;
                for (int s = 0; s < kSequences; ++s) {
                    const double target = p.target(s, p.nextValue(s, double_q));
                    ended += p.target(s, 1) == p.target(s, 2) ? 1 : 0;
                    const int action = static_cast<int>(p.action[static_cast<std::size_t>(s)]);
                    const auto weight = static_cast<double>(p.weight[static_cast<std::size_t>(s)]);
                    for (int a = 0; a < kActions; ++a) {
                        const auto at = static_cast<std::size_t>(s * kActions + a);
                        const auto total = [&](double q) {
                            return a == action ? weight * lossOf(target - q, huber) / p.chunk.valid_rows
                                               : 0.0;
                        };
                        const auto q = static_cast<double>(p.q[at]);
                        // Float rounding errors of values of order one.
                        EXPECT_NEAR(static_cast<double>(gradient[at]),
                                    (total(q + 1e-5) - total(q - 1e-5)) / 2e-5, 2e-6)
                            << "n " << n << ", sequence " << s << ", action " << a;
                        if (a != action) continue;
                        loss_sum += weight * lossOf(target - q, huber);
                        q_sum += q;
                        error_sum += std::abs(target - q);
                        EXPECT_NEAR(static_cast<double>(priorities[static_cast<std::size_t>(s)]),
                                    std::abs(target - q), 1e-5);
                    }
                }
                EXPECT_NEAR(sums[0], loss_sum, 1e-4);
                EXPECT_NEAR(sums[1], q_sum, 1e-4);
                EXPECT_NEAR(sums[2], error_sum, 1e-4);
            }
    EXPECT_GT(ended, 20) << "some targets do not bootstrap";
}

TEST(Dqn, ForbiddenActionsAreNotTheBestOfTheSuccessor) {
    Problem p(1);
    p.successor_mask.assign(kSequences * kActions, 1);
    for (int s = 0; s < kSequences; ++s) {
        const auto begin = static_cast<std::ptrdiff_t>(s * kActions);
        const auto best =
            std::max_element(p.next_target.begin() + begin, p.next_target.begin() + begin + kActions);
        p.successor_mask[static_cast<std::size_t>(best - p.next_target.begin())] = 0;
        std::fill_n(p.discount.begin(), kSequences, 1.0f);
    }
    p.chunk.successor_mask = p.successor_mask.data();
    const auto algorithm = makeDqn({{"double_q", false}, {"loss", "squared"}}, fourChoices(true));
    std::vector<double> sums(3, 0.0);
    FakeStep step = p.step(sums.data());
    algorithm->learn(step);
    for (int s = 0; s < kSequences; ++s) {
        std::vector<float> next(p.next_target.begin() + s * kActions,
                                p.next_target.begin() + (s + 1) * kActions);
        std::sort(next.begin(), next.end());
        const auto at = static_cast<std::size_t>(s * kActions) +
                        static_cast<std::size_t>(p.action[static_cast<std::size_t>(s)]);
        const double error =
            p.target(s, static_cast<double>(next[kActions - 2])) - static_cast<double>(p.q[at]);
        EXPECT_NEAR(static_cast<double>(step.net(0).gradients[at]), -error / p.chunk.valid_rows, 1e-6);
    }
}

TEST(Dqn, NStepReturnsBootstrapFromTruncationsAndNotFromTerminations) {
    // Rows: reward 1, 2, 4; one column.
    const std::vector<float> reward{1, 2, 4}, all{1, 1, 1}, terminated{1, 0, 1}, truncated{1, 1, 0};
    const std::vector<std::uint8_t> valid{1, 1, 1}, extra{1, 1, 0};
    const NStepReturn full = nStepReturn(reward.data(), all.data(), valid.data(), 1, 3, 0.5);
    EXPECT_EQ(full.rows, 3);
    EXPECT_DOUBLE_EQ(full.reward, 1 + 1 + 1);
    EXPECT_DOUBLE_EQ(full.discount, 0.125);
    const NStepReturn end = nStepReturn(reward.data(), terminated.data(), valid.data(), 1, 3, 0.5);
    EXPECT_DOUBLE_EQ(end.reward, 2);
    EXPECT_DOUBLE_EQ(end.discount, 0) << "a termination has no value";
    const NStepReturn cut = nStepReturn(reward.data(), truncated.data(), extra.data(), 1, 3, 0.5);
    EXPECT_EQ(cut.rows, 2) << "the extra row has the last observation";
    EXPECT_DOUBLE_EQ(cut.reward, 2);
    EXPECT_DOUBLE_EQ(cut.discount, 0.25);
    // The row n later is not read.
    EXPECT_EQ(nStepReturn(reward.data(), all.data(), valid.data(), 1, 1, 0.5).rows, 1);
}

TEST(Dqn, EpsilonDecreasesOverItsHorizonAndFormsALadder) {
    const auto algorithm = makeDqn(
        {{"epsilon_start", 1.0}, {"epsilon_end", 0.1}, {"epsilon_horizon", 1000}, {"epsilon_ladder", 7}},
        fourChoices());
    ActingRule rule = algorithm->acting({.steps = 500});
    EXPECT_EQ(rule.kind, ActingRule::Kind::epsilon_greedy);
    EXPECT_DOUBLE_EQ(rule.epsilon, 0.55);
    EXPECT_DOUBLE_EQ(algorithm->acting({.steps = 2000}).epsilon, 0.1);
    rule.columns = 3;
    EXPECT_DOUBLE_EQ(rule.epsilonOf(0), 0.55);
    EXPECT_DOUBLE_EQ(rule.epsilonOf(1), std::pow(0.55, 4.5));
    EXPECT_DOUBLE_EQ(rule.epsilonOf(2), std::pow(0.55, 8));
}

TEST(Dqn, FitsOneDiscreteActionOnly) {
    const AlgorithmEntry& entry = *algorithmRegistry().find("dqn");
    Spaces spaces = fourChoices().spaces();
    EXPECT_TRUE(entry.fits(spaces));
    spaces.actions.push_back(spaces.actions[0]);
    EXPECT_FALSE(entry.fits(spaces));
    spaces.actions = {{.name = "force", .kind = ActionLeaf::Kind::box, .low = {-1}, .high = {1}}};
    EXPECT_FALSE(entry.fits(spaces));
}

}  // namespace
}  // namespace seedbed
