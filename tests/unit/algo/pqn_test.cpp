// SPDX-License-Identifier: Apache-2.0
// Parallel Q-learning: targets compared with their definition in double, the gradient with central
// differences of the loss, the schedule of epsilon and the supported environments.
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "core/algo/algorithm.hpp"
#include "core/base/rng.hpp"
#include "tests/unit/algo/fake_step.hpp"

namespace seedbed {
namespace {

constexpr int kSteps = 9, kColumns = 4, kActions = 3, kRows = kSteps * kColumns;
constexpr double kGamma = 0.9, kLambda = 0.7;

ActionDistribution threeChoices() {
    Spaces spaces;
    spaces.actions = {{.name = "action", .kind = ActionLeaf::Kind::discrete, .n = kActions}};
    return {spaces, false};
}

std::unique_ptr<Algorithm> makePqn(Json params = Json::object()) {
    params["gamma"] = kGamma;
    params["lambda"] = kLambda;
    return algorithmRegistry().find("pqn")->make(params, threeChoices());
}

// Random rows with terminations and with extra rows of truncations.
struct Problem {
    Batch batch;
    NetPlan plan;
    std::vector<float> q;  // including the row after the rollout

    Problem() {
        Rng rng(3, RngPurpose::test);
        plan.head_words = kActions;
        for (int i = 0; i < (kRows + kColumns) * kActions; ++i) q.push_back(static_cast<float>(rng.normal()));
        batch.steps = kSteps;
        batch.columns = kColumns;
        for (int row = 0; row < kRows; ++row) {
            batch.valid.push_back(rng.bernoulli(0.15) ? 0 : 1);
            const bool valid = batch.valid.back() != 0;
            batch.reward.push_back(valid ? static_cast<float>(rng.normal()) : 0.0f);
            batch.discount.push_back(valid && !rng.bernoulli(0.2) ? 1.0f : 0.0f);
            batch.action.push_back(static_cast<float>(rng.below(kActions)));
        }
        batch.value.assign(kRows, 0.0f);
    }
    double best(int row) const {
        const auto begin = q.begin() + static_cast<std::ptrdiff_t>(row * kActions);
        return static_cast<double>(*std::max_element(begin, begin + kActions));
    }
};

TEST(Pqn, TargetsAreLambdaReturnsOfTheBestValues) {
    Problem p;
    const auto algorithm = makePqn();
    ASSERT_TRUE(algorithm->prepare(p.batch, {}, [&](std::size_t, std::vector<float>& heads) {
        heads = p.q;
        return Result<const NetPlan*>(&p.plan);
    }));
    int terminations = 0, truncations = 0;
    for (int column = 0; column < kColumns; ++column) {
        double next = p.best(kRows + column);
        for (int step = kSteps - 1; step >= 0; --step) {
            const int row = step * kColumns + column;
            const auto at = static_cast<std::size_t>(row);
            if (p.batch.valid[at] == 0) {
                next = p.best(row);
                ++truncations;
            } else {
                const double ahead = kLambda * next + (1 - kLambda) * p.best(row + kColumns);
                next = static_cast<double>(p.batch.reward[at]) +
                       kGamma * static_cast<double>(p.batch.discount[at]) * ahead;
                terminations += p.batch.discount[at] == 0 ? 1 : 0;
            }
            // Floats hold about seven digits.
            EXPECT_NEAR(static_cast<double>(p.batch.target[at]), next, 1e-5) << row;
        }
    }
    EXPECT_GT(terminations, 0);
    EXPECT_GT(truncations, 0);
    EXPECT_TRUE(p.batch.advantage.empty());
}

TEST(Pqn, GradientIsThatOfTheLoss) {
    Problem p;
    Rng rng(4, RngPurpose::test);
    std::vector<float> target, q(p.q.begin(), p.q.begin() + kRows * kActions);
    for (int row = 0; row < kRows; ++row) target.push_back(static_cast<float>(rng.normal()));
    Chunk chunk;
    chunk.sequences = kRows;
    chunk.action = p.batch.action.data();
    chunk.target = target.data();
    chunk.valid = p.batch.valid.data();
    chunk.valid_rows = 50;
    std::vector<double> sums(3, 0.0);
    const std::vector<float> gradient = learnOnce(*makePqn(), chunk, p.plan, q, sums.data());
    const auto loss = [&] {
        double sum = 0;
        for (std::size_t row = 0; row < kRows; ++row) {
            const std::size_t at = row * kActions + static_cast<std::size_t>(p.batch.action[row]);
            const double error = static_cast<double>(q[at]) - static_cast<double>(target[row]);
            if (p.batch.valid[row] != 0) sum += 0.5 * error * error;
        }
        return sum;
    };
    EXPECT_NEAR(sums[0], loss(), 1e-9);
    ASSERT_EQ(gradient.size(), q.size());
    for (std::size_t i = 0; i < q.size(); ++i) {
        const float before = q[i];
        const float above = q[i] = before + 0.01f;
        const double high = loss();
        const float below = q[i] = before - 0.01f;
        const double low = loss();
        q[i] = before;
        // The loss is quadratic: only the gradient's rounding to float remains.
        EXPECT_NEAR(static_cast<double>(gradient[i]),
                    (high - low) / (static_cast<double>(above) - static_cast<double>(below)) / 50, 1e-8);
    }
}

TEST(Pqn, ExploresLessOverItsHorizon) {
    const auto algorithm = makePqn({{"epsilon_start", 0.8}, {"epsilon_end", 0.2}, {"epsilon_horizon", 100}});
    EXPECT_EQ(algorithm->acting({}).kind, ActingRule::Kind::epsilon_greedy);
    EXPECT_DOUBLE_EQ(algorithm->acting({}).epsilon, 0.8);
    EXPECT_DOUBLE_EQ(algorithm->acting({.steps = 50}).epsilon, 0.5);
    EXPECT_DOUBLE_EQ(algorithm->acting({.steps = 1000}).epsilon, 0.2);
}

TEST(Pqn, FitsOneDiscreteActionWithoutAMask) {
    const AlgorithmEntry& entry = *algorithmRegistry().find("pqn");
    Spaces spaces = threeChoices().spaces();
    EXPECT_TRUE(entry.fits(spaces));
    spaces.has_mask = true;
    EXPECT_FALSE(entry.fits(spaces));
    spaces = {};
    spaces.actions = {{.name = "action", .kind = ActionLeaf::Kind::box, .n = 1}};
    EXPECT_FALSE(entry.fits(spaces));
}

}  // namespace
}  // namespace seedbed
