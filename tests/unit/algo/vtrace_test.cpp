// SPDX-License-Identifier: Apache-2.0
// V-trace's loss compared with the O(T^2) definition of its targets in double, and its gradient with central
// differences of the closed form, for every action space; the learned entropy cost; schedules.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "core/algo/algorithm.hpp"
#include "core/algo/returns.hpp"
#include "core/base/rng.hpp"
#include "tests/unit/algo/fake_step.hpp"
#include "tests/unit/algo/policy_problem.hpp"

namespace seedbed {
namespace {

constexpr int kSteps = 15, kSequences = 13;

std::unique_ptr<Algorithm> makeVtrace(const Json& params, const ActionDistribution& distribution) {
    return algorithmRegistry().find("vtrace")->make(params, distribution);
}

// Near the bounds of a squashed action, atanh differs between float and double, so actions stay within the
// middle 98 % of the range.
void keepFromBounds(PolicyProblem& p) {
    float* action = p.action.data();
    for (int row = 0; row < p.rows; ++row)
        for (const ActionLeaf& leaf : p.spaces.actions)
            for (int i = 0; i < leaf.words(); ++i, ++action) {
                if (leaf.kind == ActionLeaf::Kind::discrete) continue;
                const auto low = static_cast<float>(leaf.low[static_cast<std::size_t>(i)]),
                           high = static_cast<float>(leaf.high[static_cast<std::size_t>(i)]);
                *action = std::clamp(*action, low + 0.01f * (high - low), high - 0.01f * (high - low));
            }
    p.distribution.logProb(p.rows, p.policy.data(), p.spaces.has_mask ? p.mask.data() : nullptr,
                           p.action.data(), p.log_prob.data());
}

// kSteps rows and the bootstrap row of kSequences columns, with terminations, truncations and rows that are
// masked because of their age.
PolicyProblem columnsProblem(const PolicyCase& c, std::uint64_t seed) {
    PolicyProblem p = randomPolicyProblem(c, seed, (kSteps + 1) * kSequences);
    Rng rng(seed, RngPurpose::test, 1);
    double valid_rows = 0;
    for (std::size_t row = 0; row < p.valid.size(); ++row) {
        const bool bootstrap = row >= static_cast<std::size_t>(kSteps * kSequences),
                   truncated = rng.bernoulli(0.08), masked = rng.bernoulli(0.05);
        p.valid[row] = bootstrap || truncated || masked ? 0 : 1;
        p.reward[row] = p.valid[row] != 0 ? static_cast<float>(rng.normal()) : 0.0f;
        p.discount[row] = p.valid[row] != 0 && !rng.bernoulli(0.1) ? 1.0f : 0.0f;
        valid_rows += p.valid[row];
    }
    if (c.squash) keepFromBounds(p);
    p.chunk.sequences = kSequences;
    p.chunk.steps = kSteps + 1;
    p.chunk.valid_rows = 1.5 * valid_rows;
    return p;
}

struct Settings {
    double gamma, lambda, rho_bar, c_bar, pg_rho_bar, value_cost, entropy_cost, kl_cost;
    explicit Settings(const Json& j)
        : gamma(j.value("gamma", 0.99)),
          lambda(j.value("lambda", 1.0)),
          rho_bar(j.value("rho_bar", 1.0)),
          c_bar(j.value("c_bar", 1.0)),
          pg_rho_bar(j.value("pg_rho_bar", 1.0)),
          value_cost(j.value("value_cost", 0.5)),
          entropy_cost(j.value("entropy_cost", 0.01)),
          kl_cost(j.value("kl_cost", 0.0)) {}
};

// Espeholt et al. 2018, eq. 1 and section 4.2, as sums in double over one column.
class Definition {
public:
    Definition(const PolicyProblem& p, const Settings& s, int column) : p_(p), s_(s), column_(column) {}

    std::size_t at(int t) const { return static_cast<std::size_t>(t * kSequences + column_); }
    double value(int t) const { return headsOf(p_, at(t))[0]; }
    double carried(int t) const { return s_.gamma * p_.discount[at(t)]; }
    double ratio(int t) const {
        const auto words = static_cast<std::ptrdiff_t>(p_.distribution.words()),
                   begin = static_cast<std::ptrdiff_t>(at(t)) * words;
        const std::vector<double> then(p_.policy.begin() + begin, p_.policy.begin() + begin + words),
            now = headsOf(p_, at(t));
        return std::exp(rowTerms(p_, at(t), now.data() + 1).log_prob -
                        rowTerms(p_, at(t), then.data()).log_prob);
    }
    double target(int t) const {
        double sum = value(t);
        for (int k = t; k < kSteps && p_.valid[at(k)] != 0; ++k) {
            double weight = std::min(s_.rho_bar, ratio(k));
            for (int j = t; j < k; ++j) weight *= carried(j) * s_.lambda * std::min(s_.c_bar, ratio(j));
            sum += weight * (p_.reward[at(k)] + carried(k) * value(k + 1) - value(k));
        }
        return sum;
    }
    double advantage(int t) const {
        return std::min(s_.pg_rho_bar, ratio(t)) * (p_.reward[at(t)] + carried(t) * target(t + 1) - value(t));
    }

private:
    const PolicyProblem& p_;
    const Settings& s_;
    int column_;
};

std::vector<float> gradientOf(const Algorithm& algorithm, const PolicyProblem& p,
                              std::vector<double>* sums = nullptr) {
    std::vector<double> own(algorithm.metrics().size(), 0.0);
    if (sums != nullptr) sums->resize(own.size());
    return learnOnce(algorithm, p.chunk, p.plan, p.heads, sums != nullptr ? sums->data() : own.data());
}

class VtraceLoss : public testing::TestWithParam<PolicyCase> {};

// Float rounding of 6e-8 at log-probabilities and targets of order one to ten, times ratios and advantages of
// order ten.
constexpr double kTolerance = 5e-5;

TEST_P(VtraceLoss, GradientIsThatOfTheDefinition) {
    const Settings s(GetParam().params);
    const PolicyProblem p = columnsProblem(GetParam(), 31);
    const auto algorithm = makeVtrace(GetParam().params, p.distribution);
    std::vector<double> sums;
    const std::vector<float> gradient = gradientOf(*algorithm, p, &sums);

    double policy = 0, value = 0, entropy = 0, kl = 0, clipped = 0, rows = 0;
    const auto stride = static_cast<std::size_t>(p.plan.head_words);
    for (int column = 0; column < kSequences; ++column)
        for (int t = 0; t <= kSteps; ++t) {
            const Definition definition(p, s, column);
            const std::size_t row = definition.at(t);
            const float* g = gradient.data() + row * stride;
            if (p.valid[row] == 0) {
                for (std::size_t i = 0; i < stride; ++i) ASSERT_EQ(g[i], 0.0f) << "row " << t << " is masked";
                continue;
            }
            const double target = definition.target(t), advantage = definition.advantage(t);
            const std::vector<double> here = headsOf(p, row);
            const auto loss = [&](const std::vector<double>& heads) {
                const LeafTerms terms = rowTerms(p, row, heads.data() + 1);
                return (-advantage * terms.log_prob + s.value_cost * 0.5 * std::pow(target - heads[0], 2) -
                        s.entropy_cost * terms.entropy + s.kl_cost * terms.kl) /
                       p.chunk.valid_rows;
            };
            const LeafTerms terms = rowTerms(p, row, here.data() + 1);
            policy -= advantage * terms.log_prob;
            value += 0.5 * std::pow(target - here[0], 2);
            entropy += terms.entropy;
            kl += terms.kl;
            clipped += definition.ratio(t) > s.rho_bar ? 1 : 0;
            ++rows;
            const double scale = (1 + std::abs(advantage) + std::abs(target - here[0])) / p.chunk.valid_rows;
            for (std::size_t i = 0; i < here.size(); ++i) {
                constexpr double kStep = 1e-5;
                std::vector<double> up = here, down = here;
                up[i] += kStep;
                down[i] -= kStep;
                ASSERT_NEAR(g[i + 1], (loss(up) - loss(down)) / (2 * kStep), kTolerance * scale)
                    << "row " << t << ", head word " << i;
            }
            EXPECT_EQ(g[0], 0.0f);
            EXPECT_EQ(g[stride - 1], 0.0f) << "the column belongs to no head";
        }
    EXPECT_GT(rows, 130);
    EXPECT_GT(clipped, 10) << "too few ratios were above rho_bar";
    EXPECT_LT(clipped, rows - 10) << "too few ratios were below rho_bar";
    const double expected[] = {policy, value, entropy, kl, clipped, s.entropy_cost * rows};
    for (std::size_t i = 0; i < sums.size(); ++i)
        EXPECT_NEAR(sums[i], expected[i], 2e-4 * std::max(1.0, std::abs(expected[i])))
            << algorithm->metrics()[i];
}

std::vector<PolicyCase> cases() {
    const Json some = {{"gamma", 0.9}, {"lambda", 0.9},     {"rho_bar", 1.2},
                       {"c_bar", 0.8}, {"pg_rho_bar", 1.1}, {"kl_cost", 0.2}};
    return {
        {"discrete2", {choice(2)}, false, false, some},
        {"discrete6", {choice(6)}, false, false, {{"entropy_cost", 0.1}}},
        {"masked", {choice(6)}, true, false, some},
        {"multi_discrete", {choice(3), choice(2), choice(4)}, false, false, some},
        {"multi_discrete_masked", {choice(3), choice(5)}, true, false, some},
        {"gaussian", {box({-1, -1}, {1, 1})}, false, false, some},
        {"squashed", {box({-2, 0}, {2, 3})}, false, true, some},
        {"product",
         {choice(4), box({-1, -1}, {1, 1})},
         false,
         false,
         {{"kl_cost", 1.0}, {"value_cost", 2.0}}},
        {"product_masked_squashed", {choice(4), box({-1}, {1}), choice(3)}, true, true, some},
        {"loose_bounds",
         {choice(3)},
         false,
         false,
         {{"rho_bar", 1.25}, {"c_bar", 1.5}, {"pg_rho_bar", 1e9}, {"gamma", 0.95}}},
    };
}

INSTANTIATE_TEST_SUITE_P(Spaces, VtraceLoss, testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

TEST(Vtrace, OnPolicyTheTargetIsTheNStepReturn) {
    for (const PolicyCase& c : cases()) {
        PolicyProblem p = columnsProblem(c, 22);
        const auto words = static_cast<std::size_t>(p.distribution.words()),
                   stride = static_cast<std::size_t>(p.plan.head_words);
        std::vector<float> values(p.valid.size()), returns(p.valid.size());
        for (std::size_t row = 0; row < p.valid.size(); ++row) {
            std::copy_n(p.policy.data() + row * words, words, p.heads.data() + row * stride + 2);
            values[row] = p.heads[row * stride + 1];
        }
        nStepReturns({.steps = kSteps,
                      .columns = kSequences,
                      .reward = p.reward.data(),
                      .discount = p.discount.data(),
                      .value = values.data(),
                      .last_value = values.data() + kSteps * kSequences,
                      .valid = p.valid.data(),
                      .gamma = 0.97},
                     kSteps, returns.data());
        const auto algorithm = makeVtrace({{"gamma", 0.97}, {"value_cost", 1.0}}, p.distribution);
        const std::vector<float> gradient = gradientOf(*algorithm, p);
        for (std::size_t row = 0; row < p.valid.size(); ++row) {
            const double expected =
                p.valid[row] != 0 ? (values[row] - returns[row]) / p.chunk.valid_rows : 0.0;
            // Ratios are exactly 1; the same sums in two orders, rounded to float, differ by 1e-6 for returns
            // of order 10.
            EXPECT_NEAR(gradient[row * stride + 1], expected, 1e-5 / p.chunk.valid_rows)
                << c.name << ", row " << row;
        }
    }
}

TEST(Vtrace, InvalidRowsMatterOnlyByTheirValue) {
    const PolicyCase c{"", {choice(4)}, true, false, {{"kl_cost", 0.5}}};
    const PolicyProblem p = columnsProblem(c, 23);
    PolicyProblem other = columnsProblem(c, 23);
    const auto words = static_cast<std::size_t>(p.distribution.words()),
               stride = static_cast<std::size_t>(p.plan.head_words);
    for (std::size_t row = 0; row < p.valid.size(); ++row) {
        if (p.valid[row] != 0) continue;
        other.action[row] = 3;
        other.log_prob[row] = -77;
        other.reward[row] = 1e6f;
        other.discount[row] = 1;
        for (std::size_t i = 0; i < words; ++i) {
            other.heads[row * stride + 2 + i] = -50.0f * static_cast<float>(i);
            other.policy[row * words + i] = 9;
        }
        std::fill_n(other.mask.begin() + static_cast<std::ptrdiff_t>(row * 4), 4, std::uint8_t{0});
    }
    const auto algorithm = makeVtrace(c.params, p.distribution);
    std::vector<double> sums, other_sums;
    EXPECT_EQ(gradientOf(*algorithm, p, &sums), gradientOf(*algorithm, other, &other_sums));
    EXPECT_EQ(sums, other_sums);
}

TEST(Vtrace, ColumnsDoNotDependOnTheirNeighbours) {
    for (const PolicyCase& c : cases()) {
        const PolicyProblem all = columnsProblem(c, 24);
        const auto algorithm = makeVtrace(c.params, all.distribution);
        const std::vector<float> together = gradientOf(*algorithm, all);
        const auto stride = static_cast<std::size_t>(all.plan.head_words),
                   words = static_cast<std::size_t>(all.distribution.words());
        const auto action_words = static_cast<std::size_t>(all.spaces.actionWords()),
                   mask_bytes = static_cast<std::size_t>(all.spaces.maskBytes());
        for (std::size_t column = 0; column < kSequences; column += 5) {
            PolicyProblem one = columnsProblem(c, 24);
            const auto keep = [&](auto& field, std::size_t width) {
                for (std::size_t t = 0; t <= kSteps; ++t)
                    for (std::size_t i = 0; i < width; ++i)
                        field[t * width + i] = field[(t * kSequences + column) * width + i];
            };
            keep(one.heads, stride);
            keep(one.policy, words);
            keep(one.action, action_words);
            keep(one.mask, mask_bytes);
            for (auto* field : {&one.log_prob, &one.reward, &one.discount}) keep(*field, 1);
            keep(one.valid, 1);
            one.chunk.sequences = 1;
            const std::vector<float> alone = gradientOf(*algorithm, one);
            for (std::size_t t = 0; t <= kSteps; ++t)
                for (std::size_t i = 0; i < stride; ++i)
                    ASSERT_EQ(alone[t * stride + i], together[(t * kSequences + column) * stride + i])
                        << c.name << ", row " << t;
        }
    }
}

TEST(Vtrace, SumIsTheMeanTimesTheRows) {
    const PolicyCase c{"", {choice(3)}};
    const PolicyProblem p = columnsProblem(c, 25);
    const Json params = {{"kl_cost", 0.3}, {"entropy_cost", 0.1}};
    Json sum = params;
    sum["reduction"] = "sum";
    const std::vector<float> mean = gradientOf(*makeVtrace(params, p.distribution), p),
                             total = gradientOf(*makeVtrace(sum, p.distribution), p);
    for (std::size_t i = 0; i < mean.size(); ++i)
        EXPECT_NEAR(total[i], mean[i] * p.chunk.valid_rows, 1e-5 * std::max(1.0f, std::abs(total[i])));
}

TEST(Vtrace, RatiosFarFromOneStayFinite) {
    const PolicyCase c{"", {choice(3)}};
    PolicyProblem p = columnsProblem(c, 26);
    for (std::size_t row = 0; row < p.valid.size(); ++row)
        for (std::size_t i = 0; i < 3; ++i)
            p.heads[row * static_cast<std::size_t>(p.plan.head_words) + 2 + i] =
                (row + i) % 3 == 0 ? 500.0f : -500.0f;
    std::vector<double> sums;
    for (const float g :
         gradientOf(*makeVtrace({{"rho_bar", 1e9}, {"pg_rho_bar", 1e9}}, p.distribution), p, &sums))
        ASSERT_TRUE(std::isfinite(g));
    for (const double sum : sums) EXPECT_TRUE(std::isfinite(sum));
}

// Weight of the entropy in the loss, derived from a gradient with zero advantages: rewards and values are 0.
double entropyWeight(const Algorithm& algorithm) {
    PolicyProblem p = columnsProblem({"", {choice(2)}}, 27);
    std::fill(p.reward.begin(), p.reward.end(), 0.0f);
    const auto stride = static_cast<std::size_t>(p.plan.head_words);
    for (std::size_t row = 0; row < p.valid.size(); ++row) p.heads[row * stride + 1] = 0;
    std::fill(p.valid.begin(), p.valid.end(), std::uint8_t{0});
    p.valid[0] = 1;
    p.chunk.valid_rows = 1;
    p.heads[2] = std::log(3.0f);
    p.heads[3] = 0;  // probabilities 3/4 and 1/4
    const double entropy = -0.75 * std::log(0.75) - 0.25 * std::log(0.25);
    return gradientOf(algorithm, p)[2] / (0.75 * (std::log(0.75) + entropy));
}

TEST(Vtrace, LearnedEntropyCostDescendsItsLagrangian) {
    const double start = 0.02, target = 0.9, rate = 0.05, entropy = 0.6;
    const Json params = {{"entropy_cost", start},
                         {"entropy_control", "target"},
                         {"target_entropy", target},
                         {"entropy_rate", rate}};
    const auto algorithm =
        makeVtrace(params, ActionDistribution(columnsProblem({"", {choice(2)}}, 1).spaces, false));
    EXPECT_NEAR(entropyWeight(*algorithm), start, 1e-6);
    // Slope of cost (H - target) in log cost by central differences, relative to the cost.
    const auto lagrangian = [&](double log_cost) { return std::exp(log_cost) * (entropy - target); };
    const double at = std::log(start), slope = (lagrangian(at + 1e-6) - lagrangian(at - 1e-6)) / 2e-6 / start;
    EXPECT_TRUE(algorithm->minibatchDone(std::vector<double>{0, 0, entropy * 40, 0, 0, 0}, 40));
    EXPECT_NEAR(entropyWeight(*algorithm), std::exp(at - rate * slope), 1e-6)
        << "too little entropy raises its cost";
    EXPECT_TRUE(algorithm->minibatchDone(std::vector<double>{0, 0, 1.2 * 40, 0, 0, 0}, 40));
    EXPECT_NEAR(entropyWeight(*algorithm), std::exp(at - rate * slope - rate * (1.2 - target)), 1e-6)
        << "too much entropy lowers its cost";

    Archive saved = Archive::saving();
    algorithm->archive(saved);
    const auto other =
        makeVtrace(params, ActionDistribution(columnsProblem({"", {choice(2)}}, 1).spaces, false));
    Archive loaded = Archive::loading(saved.bytes());
    other->archive(loaded);
    EXPECT_TRUE(loaded.finish());
    EXPECT_EQ(entropyWeight(*other), entropyWeight(*algorithm));

    for (int i = 0; i < 10000; ++i)
        EXPECT_TRUE(algorithm->minibatchDone(std::vector<double>{0, 0, 0, 0, 0, 0}, 40));
    EXPECT_NEAR(entropyWeight(*algorithm) / std::exp(20.0), 1, 1e-5) << "the cost is bounded";
}

TEST(Vtrace, FixedEntropyCostStays) {
    const auto algorithm = makeVtrace({{"entropy_cost", 0.03}},
                                      ActionDistribution(columnsProblem({"", {choice(2)}}, 1).spaces, false));
    EXPECT_TRUE(algorithm->minibatchDone(std::vector<double>{0, 0, 40, 0, 0, 0}, 40));
    EXPECT_NEAR(entropyWeight(*algorithm), 0.03, 1e-6);
}

TEST(Vtrace, LearningRateDecreasesOverItsOwnHorizon) {
    const Json params = {
        {"learning_rate", 6e-4}, {"lr_schedule", "linear"}, {"lr_horizon", 1000}, {"lr_end", 1e-4}};
    const auto algorithm = makeVtrace(params, {});
    EXPECT_DOUBLE_EQ(algorithm->learningRate({.steps = 0}), 6e-4);
    EXPECT_DOUBLE_EQ(algorithm->learningRate({.steps = 500}), 3.5e-4);
    EXPECT_DOUBLE_EQ(algorithm->learningRate({.steps = 5000}), 1e-4);
    // The rate depends on the number of steps, which a resumed run continues to count.
    EXPECT_DOUBLE_EQ(makeVtrace(params, {})->learningRate({.steps = 500}), 3.5e-4);
    EXPECT_DOUBLE_EQ(makeVtrace({{"learning_rate", 6e-4}}, {})->learningRate({.steps = 5000}), 6e-4);
}

TEST(Vtrace, RequestsWholeColumnsWithTheBootstrapRow) {
    const LearnPlan plan =
        makeVtrace({{"rollout_length", 32}, {"epochs", 2}, {"minibatches", 4}}, {})->plan();
    EXPECT_EQ(plan.rollout_length, 32);
    EXPECT_EQ(plan.epochs, 2);
    EXPECT_EQ(plan.minibatches, 4);
    EXPECT_EQ(plan.unit, LearnPlan::Unit::columns);
    EXPECT_EQ(plan.rows_ahead, 1);
}

}  // namespace
}  // namespace seedbed
