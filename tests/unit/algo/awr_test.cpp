// SPDX-License-Identifier: Apache-2.0
// The loss of AWR compared with its closed form in double, and its gradient with central differences of that
// form, for every action space; returns and advantages with their definition.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/algo/fake_step.hpp"
#include "tests/unit/algo/policy_problem.hpp"

namespace seedbed {
namespace {

std::unique_ptr<Algorithm> makeAwr(const Json& params, const ActionDistribution& distribution) {
    return algorithmRegistry().find("awr")->make(params, distribution);
}

class AwrLoss : public testing::TestWithParam<PolicyCase> {};

// The float rounding error of log-probabilities (6e-8 times about 100), relative to the row's weight.
constexpr double kTolerance = 2e-5;

TEST_P(AwrLoss, GradientIsThatOfTheClosedForm) {
    const PolicyCase& c = GetParam();
    const double value_cost = c.params.value("value_cost", 0.5),
                 entropy_cost = c.params.value("entropy_cost", 0.0),
                 beta = c.params.value("temperature", 1.0), most = c.params.value("weight_max", 20.0);
    const bool normalise = c.params.value("normalise_advantages", true);
    const PolicyProblem p = randomPolicyProblem(c, 14, 203);
    const auto algorithm = makeAwr(c.params, p.distribution);
    std::vector<double> sums(algorithm->metrics().size(), 0.0), expected(sums.size(), 0.0);
    const std::vector<float> gradient = learnOnce(*algorithm, p.chunk, p.plan, p.heads, sums.data());

    const double mean = normalise ? p.chunk.advantage_mean : 0,
                 deviation = normalise ? p.chunk.advantage_std + 1e-5 : 1;
    const auto stride = static_cast<std::size_t>(p.plan.head_words);
    for (std::size_t row = 0; row < static_cast<std::size_t>(p.rows); ++row) {
        const float* g = gradient.data() + row * stride;
        if (p.valid[row] == 0) {
            for (std::size_t i = 0; i < stride; ++i) EXPECT_EQ(g[i], 0.0f) << "row " << row << " is masked";
            continue;
        }
        // Peng et al. 2019, algorithm 1 and section 3.3.
        const double whole = std::exp((static_cast<double>(p.advantage[row]) - mean) / deviation / beta),
                     weight = std::min(whole, most);
        const auto loss = [&](const std::vector<double>& at) {
            const LeafTerms terms = rowTerms(p, row, at.data() + 1);
            const double error = at[0] - static_cast<double>(p.target[row]);
            return (-weight * terms.log_prob + value_cost * 0.5 * error * error -
                    entropy_cost * terms.entropy) /
                   p.chunk.valid_rows;
        };
        const std::vector<double> heads = headsOf(p, row);
        const LeafTerms here = rowTerms(p, row, heads.data() + 1);
        const double behaviour = p.log_prob[row], error = heads[0] - static_cast<double>(p.target[row]);
        // The log ratio in the metric is bounded.
        expected[0] -= weight * (behaviour + std::clamp(here.log_prob - behaviour, -20.0, 20.0));
        expected[1] += 0.5 * error * error;
        expected[2] += here.entropy;
        expected[3] += here.kl;
        expected[4] += weight;
        expected[5] += whole > most ? 1 : 0;
        const double scale = (1 + weight) / p.chunk.valid_rows;
        for (std::size_t i = 0; i < heads.size(); ++i) {
            constexpr double kStep = 1e-5;
            std::vector<double> up = heads, down = heads;
            up[i] += kStep;
            down[i] -= kStep;
            EXPECT_NEAR(g[i + 1], (loss(up) - loss(down)) / (2 * kStep), kTolerance * scale)
                << "row " << row << ", head word " << i;
        }
        EXPECT_EQ(g[0], 0.0f);
        EXPECT_EQ(g[stride - 1], 0.0f) << "the column belongs to no head";
    }
    EXPECT_GT(expected[5], 0) << "some weights are clipped";
    for (std::size_t i = 0; i < sums.size(); ++i)
        EXPECT_NEAR(sums[i], expected[i], 1e-4 * std::max(1.0, std::abs(expected[i])))
            << algorithm->metrics()[i];
}

std::vector<PolicyCase> cases() {
    const Json some = {{"entropy_cost", 0.03}, {"value_cost", 0.7}, {"weight_max", 3.0}};
    return {
        {"discrete2", {choice(2)}, false, false, {{"weight_max", 4.0}}},
        {"discrete18", {choice(18)}, false, false, some},
        {"masked", {choice(6)}, true, false, some},
        {"multi_discrete_masked", {choice(3), choice(5)}, true, false, some},
        {"gaussian", {box({-1, -1, -1}, {1, 1, 1})}, false, false, some},
        {"squashed", {box({-2, -1}, {2, 1})}, false, true, some},
        {"product", {choice(4), box({-1, -1}, {1, 1})}, false, false, some},
        {"cold", {choice(3)}, false, false, {{"temperature", 0.2}}},
        {"absolute",
         {choice(3)},
         false,
         false,
         {{"normalise_advantages", false}, {"temperature", 2.0}, {"weight_max", 2.0}}},
    };
}

INSTANTIATE_TEST_SUITE_P(Spaces, AwrLoss, testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

// Two columns: one with a termination, one with a truncation whose extra row has valid = 0.
TEST(Awr, ReturnsAreTheirDefinition) {
    constexpr int kSteps = 6, kColumns = 2, kRows = kSteps * kColumns;
    constexpr double kGamma = 0.9, kLambda = 0.7;
    const auto algorithm = makeAwr({{"gamma", kGamma}, {"lambda", kLambda}}, {});
    NetPlan plan;
    plan.head_words = 1;
    plan.heads = {{.name = "value", .kind = "value", .begin = 0, .width = 1}};
    Batch batch;
    batch.steps = kSteps;
    batch.columns = kColumns;
    std::vector<float> values;
    for (int row = 0; row < kRows; ++row) {
        batch.reward.push_back(static_cast<float>(std::sin(row)));
        batch.discount.push_back(1);
        batch.valid.push_back(1);
        batch.value.push_back(100);  // estimated by the acting policy, which is older
    }
    for (int row = 0; row < kRows + kColumns; ++row) values.push_back(static_cast<float>(std::cos(row)));
    constexpr int kTerminated = 2 * kColumns, kExtra = 3 * kColumns + 1;
    batch.discount[kTerminated] = 0;
    batch.valid[kExtra] = 0;
    batch.reward[kExtra] = batch.discount[kExtra] = 0;
    const EvaluateNetwork evaluate = [&](std::size_t net,
                                         std::vector<float>& heads) -> Result<const NetPlan*> {
        EXPECT_EQ(net, 0u);
        heads = values;
        return &plan;
    };
    ASSERT_TRUE(algorithm->prepare(batch, {}, evaluate).has_value());

    // R_t = r_t + gamma ((1 - lambda) V(s_{t+1}) + lambda R_{t+1}), with R = V where the window or episode is
    // truncated, and r_t alone where it is terminated.
    for (int column = 0; column < kColumns; ++column) {
        double next = values[static_cast<std::size_t>(kRows + column)], next_value = next;
        for (int t = kSteps - 1; t >= 0; --t) {
            const auto row = static_cast<std::size_t>(t * kColumns + column);
            const double value = values[row];
            double here = batch.reward[row] + kGamma * static_cast<double>(batch.discount[row]) *
                                                  ((1 - kLambda) * next_value + kLambda * next);
            if (batch.valid[row] == 0) here = value;
            EXPECT_NEAR(batch.target[row], here, 1e-6) << "row " << row;
            EXPECT_NEAR(batch.advantage[row], here - value, 1e-6) << "row " << row;
            next = here;
            next_value = value;
        }
    }
}

TEST(Awr, LearnsWindowsOfAReplay) {
    const LearnPlan plan = makeAwr({{"sequence", 20}, {"batch_size", 3}, {"replay_ratio", 5.0}}, {})->plan();
    ASSERT_TRUE(plan.replay.has_value());
    EXPECT_EQ(plan.replay->sequence, 20);
    EXPECT_EQ(plan.replay->batch, 3);
    EXPECT_EQ(plan.replay->ratio, 5);
    EXPECT_FALSE(plan.replay->prioritised);
    EXPECT_EQ(plan.windowRows(), 20);
}

}  // namespace
}  // namespace seedbed
