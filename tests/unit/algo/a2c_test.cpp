// SPDX-License-Identifier: Apache-2.0
// The loss of A2C compared with its closed form in double, and its gradient with central differences of that
// form, for every action space.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/algo/fake_step.hpp"
#include "tests/unit/algo/policy_problem.hpp"

namespace seedbed {
namespace {

std::unique_ptr<Algorithm> makeA2c(const Json& params, const ActionDistribution& distribution) {
    return algorithmRegistry().find("a2c")->make(params, distribution);
}

struct RowLoss {
    double policy = 0, value = 0, entropy = 0, kl = 0;
};

// Mnih et al. 2016, section 4; heads: value, policy.
RowLoss rowLoss(const PolicyProblem& p, bool normalise, std::size_t row, const std::vector<double>& heads) {
    const LeafTerms terms = rowTerms(p, row, heads.data() + 1);
    const double mean = normalise ? p.chunk.advantage_mean : 0, std = normalise ? p.chunk.advantage_std : 1;
    return {.policy = -terms.log_prob * (static_cast<double>(p.advantage[row]) - mean) / std,
            .value = 0.5 * std::pow(heads[0] - static_cast<double>(p.target[row]), 2),
            .entropy = terms.entropy,
            .kl = terms.kl};
}

class A2cLoss : public testing::TestWithParam<PolicyCase> {};

// The float rounding error of log-probabilities (6e-8 times about 10), times advantages of up to 7.
constexpr double kTolerance = 2e-5;

TEST_P(A2cLoss, GradientIsThatOfTheClosedForm) {
    const PolicyCase& c = GetParam();
    const double value_cost = c.params.value("value_cost", 0.5),
                 entropy_cost = c.params.value("entropy_cost", 0.01);
    const bool normalise = c.params.value("normalise_advantages", false);
    const PolicyProblem p = randomPolicyProblem(c, 12, 203);
    const auto algorithm = makeA2c(c.params, p.distribution);
    std::vector<double> sums(algorithm->metrics().size(), 0.0);
    const std::vector<float> gradient = learnOnce(*algorithm, p.chunk, p.plan, p.heads, sums.data());

    RowLoss expected;
    const auto weight = [&](std::size_t row) {
        return normalise ? (p.advantage[row] - p.chunk.advantage_mean) / p.chunk.advantage_std
                         : static_cast<double>(p.advantage[row]);
    };
    const auto stride = static_cast<std::size_t>(p.plan.head_words);
    for (std::size_t row = 0; row < static_cast<std::size_t>(p.rows); ++row) {
        const float* g = gradient.data() + row * stride;
        if (p.valid[row] == 0) {
            for (std::size_t i = 0; i < stride; ++i) EXPECT_EQ(g[i], 0.0f) << "row " << row << " is masked";
            continue;
        }
        const std::vector<double> heads = headsOf(p, row);
        const RowLoss here = rowLoss(p, normalise, row, heads);
        // The log ratio in the metric is bounded; all but a few rows are far from the bound.
        const double change = -here.policy / weight(row) - p.log_prob[row];
        expected.policy -= weight(row) * (p.log_prob[row] + std::clamp(change, -20.0, 20.0));
        expected.value += here.value;
        expected.entropy += here.entropy;
        expected.kl += here.kl;
        const auto total = [&](const std::vector<double>& at) {
            const RowLoss loss = rowLoss(p, normalise, row, at);
            return (loss.policy + value_cost * loss.value - entropy_cost * loss.entropy) / p.chunk.valid_rows;
        };
        const double scale = (1 + std::abs(static_cast<double>(p.advantage[row]))) / p.chunk.valid_rows;
        for (std::size_t i = 0; i < heads.size(); ++i) {
            constexpr double kStep = 1e-5;
            std::vector<double> up = heads, down = heads;
            up[i] += kStep;
            down[i] -= kStep;
            EXPECT_NEAR(g[i + 1], (total(up) - total(down)) / (2 * kStep), kTolerance * scale)
                << "row " << row << ", head word " << i;
        }
        EXPECT_EQ(g[0], 0.0f);
        EXPECT_EQ(g[stride - 1], 0.0f) << "the column belongs to no head";
    }
    const double counted[] = {expected.policy, expected.value, expected.entropy, expected.kl};
    for (std::size_t i = 0; i < sums.size(); ++i)
        EXPECT_NEAR(sums[i], counted[i], 1e-4 * std::max(1.0, std::abs(counted[i])))
            << algorithm->metrics()[i];
}

std::vector<PolicyCase> cases() {
    const Json some = {{"entropy_cost", 0.03}, {"value_cost", 0.7}};
    return {
        {"discrete2", {choice(2)}, false, false, Json::object()},
        {"discrete18", {choice(18)}, false, false, some},
        {"masked", {choice(6)}, true, false, some},
        {"multi_discrete_masked", {choice(3), choice(5)}, true, false, some},
        {"gaussian", {box({-1, -1, -1}, {1, 1, 1})}, false, false, some},
        {"product", {choice(4), box({-1, -1}, {1, 1})}, false, false, some},
        {"normalised", {choice(3)}, false, false, {{"normalise_advantages", true}, {"entropy_cost", 0.0}}},
    };
}

INSTANTIATE_TEST_SUITE_P(Spaces, A2cLoss, testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

TEST(A2c, LearnsEachRowOnce) {
    const LearnPlan plan = makeA2c({{"rollout_length", 20}}, {})->plan();
    EXPECT_EQ(plan.rollout_length, 20);
    EXPECT_EQ(plan.epochs, 1);
    EXPECT_EQ(plan.minibatches, 1);
    EXPECT_EQ(algorithmRegistry().find("vpg"), algorithmRegistry().find("a2c"));
}

}  // namespace
}  // namespace seedbed
