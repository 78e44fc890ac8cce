// SPDX-License-Identifier: Apache-2.0
// Returns compared with their definitions as sums in float64, with random terminations, truncations and
// masked rows; and cases computed by hand.
#include "core/algo/returns.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/rng.hpp"

namespace seedbed {
namespace {

// One [T, N] problem with its own settings.
struct Problem {
    int steps = 0, columns = 0, n = 1;
    double gamma = 1, lambda = 1;
    VtraceParams vtrace;
    std::vector<float> reward, discount, value, last_value, log_ratio;
    std::vector<std::uint8_t> valid;
    double largest = 0;  // max(|reward|, |value|)

    ReturnInput input() const {
        return {.steps = steps,
                .columns = columns,
                .reward = reward.data(),
                .discount = discount.data(),
                .value = value.data(),
                .last_value = last_value.data(),
                .valid = valid.data(),
                .gamma = gamma};
    }
    std::size_t rows() const { return reward.size(); }
    // Upper limit of an undiscounted sum of unit inputs; rounding errors of float grow with the results.
    double scale() const {
        double horizon = 0;
        for (int k = 0; k <= steps; ++k) horizon += std::pow(gamma, k);
        return largest * horizon;
    }
};

Problem randomProblem(Rng& rng) {
    Problem p;
    p.steps = 1 + static_cast<int>(rng.below(64));
    p.columns = 1 + static_cast<int>(rng.below(150));
    p.n = 1 + static_cast<int>(rng.below(static_cast<std::uint32_t>(p.steps + 3)));
    p.gamma = rng.bernoulli(0.2) ? 1.0 : rng.uniform(0.5, 1.0);
    p.lambda = rng.bernoulli(0.2) ? 1.0 : rng.uniform();
    p.vtrace = {.lambda = p.lambda,
                .rho_bar = rng.uniform(0.5, 12),
                .c_bar = rng.uniform(0.1, 1),
                .pg_rho_bar = rng.uniform(0.5, 12),
                .n = rng.bernoulli(0.5) ? 0 : p.n};
    const double size = std::pow(10.0, rng.uniform(-2, 3)), end = rng.uniform(0, 0.3),
                 cut = rng.uniform(0, 0.3), masked = rng.bernoulli(0.3) ? 0.2 : 0.0;
    const auto number = [&] {
        const double x = rng.uniform(-size, size);
        p.largest = std::max(p.largest, std::abs(x));
        return static_cast<float>(x);
    };
    for (int row = 0; row < p.steps * p.columns; ++row) {
        p.reward.push_back(number());
        p.value.push_back(number());
        p.discount.push_back(rng.bernoulli(end) ? 0.0f : 1.0f);
        // Ratios from 0 to 12.
        p.log_ratio.push_back(static_cast<float>(std::log(std::max(1e-30, rng.uniform(0, 12)))));
        const bool truncated = rng.bernoulli(cut), stale = rng.bernoulli(masked);
        p.valid.push_back(truncated || stale ? 0 : 1);
        // The extra row of a truncation ends its episode; a masked row does not.
        if (truncated) {
            p.discount.back() = 0;
            p.reward.back() = 0;
        }
    }
    for (int column = 0; column < p.columns; ++column) p.last_value.push_back(number());
    return p;
}

// The definitions for one column in double; t is a row, up to and including row T.
struct Column {
    const Problem& p;
    int column;
    std::size_t at(int t) const {
        return static_cast<std::size_t>(t) * static_cast<std::size_t>(p.columns) +
               static_cast<std::size_t>(column);
    }
    double value(int t) const {
        return t == p.steps ? p.last_value[static_cast<std::size_t>(column)] : p.value[at(t)];
    }
    double carried(int t) const { return p.gamma * p.discount[at(t)]; }
    bool valid(int t) const { return p.valid[at(t)] != 0; }
    double difference(int t) const { return p.reward[at(t)] + carried(t) * value(t + 1) - value(t); }
    // First row from t on whose target is its own value.
    int stop(int t) const {
        while (t < p.steps && valid(t)) ++t;
        return t;
    }
    double ratio(int t) const { return std::exp(static_cast<double>(p.log_ratio[at(t)])); }

    // sum_k (prod_{t <= j < k} gamma_j lambda) delta_k
    double advantage(int t) const {
        double sum = 0;
        for (int k = t; k < stop(t); ++k) {
            double weight = 1;
            for (int j = t; j < k; ++j) weight *= carried(j) * p.lambda;
            sum += weight * difference(k);
        }
        return sum;
    }
    // sum_{k < m} (prod gamma_j) r_k + (prod gamma_j) V(x_{t + m})
    double nStep(int t) const {
        const int end = std::min(stop(t), t + std::min(p.n, p.steps - t));
        double sum = 0;
        for (int k = t; k <= end; ++k) {
            double weight = 1;
            for (int j = t; j < k; ++j) weight *= carried(j);
            sum += weight * (k < end ? static_cast<double>(p.reward[at(k)]) : value(end));
        }
        return sum;
    }
    int vtraceRows() const { return p.vtrace.n == 0 ? p.steps : p.vtrace.n; }
    // Espeholt et al. 2018, eq. 1, with n = `rows` and lambda in the trace coefficients.
    double vtrace(int t, int rows) const {
        double sum = value(t);
        if (t == p.steps) return sum;
        for (int k = t; k < std::min(stop(t), t + rows); ++k) {
            double weight = 1;
            for (int j = t; j < k; ++j) weight *= carried(j) * p.lambda * std::min(p.vtrace.c_bar, ratio(j));
            sum += weight * std::min(p.vtrace.rho_bar, ratio(k)) * difference(k);
        }
        return sum;
    }
    // Mixes both bootstraps and omits the weight of the row itself.
    double vtraceGaeAdvantage(int t) const {
        if (!valid(t)) return 0;
        return p.reward[at(t)] +
               carried(t) * (value(t + 1) + p.lambda * (vtrace(t + 1, vtraceRows() - 1) - value(t + 1))) -
               value(t);
    }
    double vtraceAdvantage(int t) const {
        if (!valid(t)) return 0;
        return std::min(p.vtrace.pg_rho_bar, ratio(t)) *
               (p.reward[at(t)] + carried(t) * vtrace(t + 1, vtraceRows() - 1) - value(t));
    }
};

// The error bound, relative to `scale`.
constexpr double kTolerance = 2e-6;

TEST(Returns, EqualTheirDefinitionsOnRandomProblems) {
    constexpr std::uint64_t kSeed = 20240601;
    Rng rng(kSeed, RngPurpose::test);
    int cases = 0;
    double worst = 0;
    for (int problem = 0; cases < 100'000; ++problem) {
        const Problem p = randomProblem(rng);
        cases += p.columns;
        std::vector<float> advantage(p.rows()), target(p.rows()), steps(p.rows()), v(p.rows()),
            gain(p.rows());
        std::vector<float> same_v(p.rows()), mixed(p.rows());
        gae(p.input(), p.lambda, advantage.data(), target.data());
        nStepReturns(p.input(), p.n, steps.data());
        vtrace(p.input(), p.log_ratio.data(), p.vtrace, v.data(), gain.data());
        vtraceGae(p.input(), p.log_ratio.data(), p.vtrace, same_v.data(), mixed.data());
        ASSERT_EQ(v, same_v);
        // A target of V-trace grows with rho_bar, an advantage with both clips.
        const double scale = p.scale(), v_scale = scale * std::max(1.0, p.vtrace.rho_bar),
                     gain_scale = v_scale * std::max(1.0, p.vtrace.pg_rho_bar);
        // Only every fourth row of a column, because the definitions cost O(T^2) per row.
        for (int column = 0; column < p.columns; ++column) {
            const Column c{p, column};
            for (int t = static_cast<int>(rng.below(4)); t < p.steps; t += 4) {
                const std::size_t row = c.at(t);
                const double errors[] = {std::abs(advantage[row] - c.advantage(t)) / scale,
                                         std::abs(target[row] - (c.advantage(t) + c.value(t))) / scale,
                                         std::abs(steps[row] - c.nStep(t)) / scale,
                                         std::abs(v[row] - c.vtrace(t, c.vtraceRows())) / v_scale,
                                         std::abs(gain[row] - c.vtraceAdvantage(t)) / gain_scale,
                                         std::abs(mixed[row] - c.vtraceGaeAdvantage(t)) / v_scale};
                for (std::size_t kind = 0; kind < std::size(errors); ++kind) {
                    worst = std::max(worst, errors[kind]);
                    ASSERT_LE(errors[kind], kTolerance)
                        << "quantity " << kind << ", problem " << problem << " of Rng(" << kSeed
                        << ", test), row " << t << ", column " << column;
                }
            }
        }
    }
    RecordProperty("worst_error", std::to_string(worst));
}

TEST(Returns, VtraceOnPolicyIsTheNStepReturn) {
    Rng rng(7, RngPurpose::test);
    for (int problem = 0; problem < 200; ++problem) {
        Problem p = randomProblem(rng);
        std::fill(p.log_ratio.begin(), p.log_ratio.end(), 0.0f);
        std::vector<float> steps(p.rows()), v(p.rows()), gain(p.rows());
        const int n = problem % 2 == 0 ? p.n : p.steps;
        nStepReturns(p.input(), n, steps.data());
        vtrace(p.input(), p.log_ratio.data(), {.n = n}, v.data(), gain.data());
        for (std::size_t row = 0; row < p.rows(); ++row)
            ASSERT_NEAR(v[row], steps[row], kTolerance * p.scale()) << problem;
    }
}

TEST(Returns, GaeWithLambdaOneIsTheReturnMinusTheValue) {
    Rng rng(8, RngPurpose::test);
    Problem p = randomProblem(rng);
    std::vector<float> advantage(p.rows()), target(p.rows()), steps(p.rows());
    gae(p.input(), 1, advantage.data(), target.data());
    nStepReturns(p.input(), p.steps, steps.data());
    for (std::size_t row = 0; row < p.rows(); ++row)
        ASSERT_NEAR(target[row], steps[row], kTolerance * p.scale());
}

TEST(Returns, BothFormsOfAnEstimatorAgreeOnPolicy) {
    Rng rng(9, RngPurpose::test);
    for (int problem = 0; problem < 200; ++problem) {
        Problem p = randomProblem(rng);
        std::fill(p.log_ratio.begin(), p.log_ratio.end(), 0.0f);
        const Estimator estimator{.n = problem % 2 == 0 ? p.n : 0, .lambda = p.lambda};
        std::vector<float> advantage(p.rows()), target(p.rows()), corrected(p.rows()), v(p.rows());
        estimateAdvantages(p.input(), estimator, nullptr, advantage.data(), target.data());
        estimateAdvantages(p.input(), estimator, p.log_ratio.data(), corrected.data(), v.data());
        for (std::size_t row = 0; row < p.rows(); ++row) {
            ASSERT_NEAR(target[row], v[row], kTolerance * p.scale()) << problem;
            ASSERT_NEAR(advantage[row], corrected[row], kTolerance * p.scale()) << problem;
            if (estimator.n == 0) continue;
            ASSERT_EQ(advantage[row], target[row] - p.value[row]);
        }
    }
}

// Three rows of one column with gamma 1/2: reward 1, 2, 4; values 8, 16, 32; row T has value 64.
Problem threeRows() {
    Problem p;
    p.steps = 3;
    p.columns = 1;
    p.gamma = 0.5;
    p.reward = {1, 2, 4};
    p.value = {8, 16, 32};
    p.last_value = {64};
    p.discount = {1, 1, 1};
    p.valid = {1, 1, 1};
    p.log_ratio = {0, 0, 0};
    return p;
}

TEST(Returns, TerminationDoesNotBootstrap) {
    Problem p = threeRows();
    p.discount[1] = 0;  // the second action terminates the episode
    std::vector<float> target(3), advantage(3);
    nStepReturns(p.input(), 3, target.data());
    EXPECT_EQ(target, (std::vector<float>{1 + 0.5f * 2, 2, 4 + 0.5f * 64}));
    gae(p.input(), 1, advantage.data(), target.data());
    EXPECT_EQ(target, (std::vector<float>{2, 2, 36}));
    EXPECT_EQ(advantage, (std::vector<float>{2 - 8, 2 - 16, 36 - 32}));
    vtrace(p.input(), p.log_ratio.data(), {}, target.data(), advantage.data());
    EXPECT_EQ(target, (std::vector<float>{2, 2, 36}));
    EXPECT_EQ(advantage, (std::vector<float>{-6, -14, 4}));
}

TEST(Returns, TruncationBootstrapsFromTheFinalObservation) {
    // The first action reaches the time limit: the second row is the extra one, with the value of the true
    // final observation.
    Problem p = threeRows();
    p.valid[1] = 0;
    p.discount[1] = 0;
    p.reward[1] = 0;
    std::vector<float> target(3), advantage(3);
    nStepReturns(p.input(), 3, target.data());
    EXPECT_EQ(target, (std::vector<float>{1 + 0.5f * 16, 16, 36}));
    gae(p.input(), 0.25, advantage.data(), target.data());
    EXPECT_EQ(target, (std::vector<float>{9, 16, 36}));
    EXPECT_EQ(advantage, (std::vector<float>{1, 0, 4}));
    vtrace(p.input(), p.log_ratio.data(), {}, target.data(), advantage.data());
    EXPECT_EQ(target, (std::vector<float>{9, 16, 36}));
    EXPECT_EQ(advantage, (std::vector<float>{1, 0, 4}));
}

TEST(Returns, AnInvalidRowDoesNotUseLaterRows) {
    // Masked only because of its age: the episode continues, but the row's target is its own value.
    Problem p = threeRows();
    p.valid[1] = 0;
    std::vector<float> target(3), advantage(3);
    gae(p.input(), 0.9, advantage.data(), target.data());
    EXPECT_EQ(target, (std::vector<float>{9, 16, 36}));
    nStepReturns(p.input(), 2, target.data());
    EXPECT_EQ(target, (std::vector<float>{9, 16, 36}));
}

TEST(Returns, HugeLogRatiosStayFinite) {
    Problem p = threeRows();
    p.log_ratio = {1000, -1000, 1e30f};
    std::vector<float> target(3), advantage(3);
    const double unbounded = INFINITY;
    vtrace(p.input(), p.log_ratio.data(),
           {.lambda = 1, .rho_bar = unbounded, .c_bar = 1, .pg_rho_bar = unbounded}, target.data(),
           advantage.data());
    for (int i = 0; i < 3; ++i)
        EXPECT_TRUE(std::isfinite(target[static_cast<std::size_t>(i)]) &&
                    std::isfinite(advantage[static_cast<std::size_t>(i)]));
}

}  // namespace
}  // namespace seedbed
