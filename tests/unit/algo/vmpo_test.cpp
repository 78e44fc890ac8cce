// SPDX-License-Identifier: Apache-2.0
// The loss of V-MPO compared with its closed form in double, its gradient with central differences of that
// form for every action space, and its multipliers with numerical derivatives of their losses.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/algo/fake_step.hpp"
#include "tests/unit/algo/policy_problem.hpp"

namespace seedbed {
namespace {

std::unique_ptr<Algorithm> makeVmpo(const Json& params, const ActionDistribution& distribution) {
    return algorithmRegistry().find("vmpo")->make(params, distribution);
}

// A minibatch of one chunk; the acting policy is the behaviour policy of the problem.
struct World {
    PolicyProblem p;
    Batch batch;
    std::vector<std::uint32_t> units;
    std::vector<float> acting;
    std::vector<char> is_scale;

    explicit World(const PolicyCase& c, std::uint64_t seed = 13, int rows = 151)
        : p(randomPolicyProblem(c, seed, rows)), acting(p.heads) {
        const auto words = static_cast<std::size_t>(p.distribution.words()),
                   stride = static_cast<std::size_t>(p.plan.head_words);
        for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row)
            std::copy_n(p.policy.begin() + static_cast<std::ptrdiff_t>(row * words), words,
                        acting.begin() + static_cast<std::ptrdiff_t>(row * stride + 2));
        batch.steps = 1;
        batch.columns = rows;
        batch.advantage = p.advantage;
        batch.valid = p.valid;
        units.resize(static_cast<std::size_t>(rows));
        std::iota(units.begin(), units.end(), 0u);
        for (const ActionLeaf& leaf : p.spaces.actions) {
            const bool discrete = leaf.kind == ActionLeaf::Kind::discrete;
            is_scale.insert(is_scale.end(), static_cast<std::size_t>(discrete ? leaf.n : leaf.words()), 0);
            if (!discrete) is_scale.insert(is_scale.end(), static_cast<std::size_t>(leaf.words()), 1);
        }
    }
    std::vector<float> learn(Algorithm& algorithm, std::vector<double>& sums) const {
        algorithm.minibatchBegin(batch, {units, 1, units.size()});
        sums.assign(algorithm.metrics().size(), 0.0);
        FakeStep step(p.chunk, {{.plan = &p.plan, .rows = acting}, {.plan = &p.plan, .rows = p.heads}},
                      sums.data());
        algorithm.learn(step);
        EXPECT_TRUE(step.net(0).gradients.empty()) << "the acting policy is not trained";
        return step.net(1).gradients;
    }
    // The advantages of the better half.
    std::vector<double> better() const {
        std::vector<double> all;
        for (std::size_t row = 0; row < p.valid.size(); ++row)
            if (p.valid[row] != 0) all.push_back(static_cast<double>(batch.advantage[row]));
        std::ranges::sort(all, std::greater<>());
        all.resize((all.size() + 1) / 2);
        return all;
    }
    // The divergence of means and choices (0) or deviations (1) for learned parameters of a row.
    double kl(std::size_t row, const double* policy, char scale) const {
        std::vector<double> mixed;
        for (std::size_t i = 0; i < is_scale.size(); ++i)
            mixed.push_back(is_scale[i] == scale ? policy[i]
                                                 : static_cast<double>(p.policy[row * is_scale.size() + i]));
        return rowTerms(p, row, mixed.data()).kl;
    }
};

// Song et al. 2020, eq. 4.
double temperatureLoss(const std::vector<double>& better, double eta, double limit) {
    double sum = 0;
    for (const double advantage : better) sum += std::exp((advantage - better[0]) / eta);
    return eta * limit + better[0] + eta * std::log(sum / static_cast<double>(better.size()));
}

class VmpoLoss : public testing::TestWithParam<PolicyCase> {};

// The float rounding error of log-probabilities and divergences (6e-8 times about 100).
constexpr double kTolerance = 3e-5;

TEST_P(VmpoLoss, GradientIsThatOfTheClosedForm) {
    const PolicyCase& c = GetParam();
    const double eta = c.params.value("temperature", 1.0), alpha = c.params.value("kl_cost", 1.0),
                 value_cost = c.params.value("value_cost", 1.0);
    const World world(c);
    const PolicyProblem& p = world.p;
    const auto algorithm = makeVmpo(c.params, p.distribution);
    std::vector<double> sums;
    const std::vector<float> gradient = world.learn(*algorithm, sums);
    const std::vector<double> better = world.better();
    double weights = 0;
    for (const double advantage : better) weights += std::exp(advantage / eta);

    double policy = 0, value = 0, entropy = 0, kl = 0, scale_kl = 0, valid = 0, learned = 0;
    const auto stride = static_cast<std::size_t>(p.plan.head_words);
    for (std::size_t row = 0; row < static_cast<std::size_t>(p.rows); ++row) {
        const float* g = gradient.data() + row * stride;
        if (p.valid[row] == 0) {
            for (std::size_t i = 0; i < stride; ++i) EXPECT_EQ(g[i], 0.0f) << "row " << row << " is masked";
            continue;
        }
        const double advantage = static_cast<double>(p.advantage[row]);
        const double psi = advantage >= better.back() ? std::exp(advantage / eta) / weights : 0;
        const std::vector<double> heads = headsOf(p, row);
        const auto loss = [&](const std::vector<double>& at) {
            const double error = at[0] - static_cast<double>(p.target[row]);
            return -psi * rowTerms(p, row, at.data() + 1).log_prob +
                   (alpha * (world.kl(row, at.data() + 1, 0) + world.kl(row, at.data() + 1, 1)) +
                    value_cost * 0.5 * error * error) /
                       p.chunk.valid_rows;
        };
        const LeafTerms terms = rowTerms(p, row, heads.data() + 1);
        ++valid;
        learned += psi > 0 ? 1 : 0;
        policy -= psi * terms.log_prob * p.chunk.valid_rows;
        value += 0.5 * std::pow(heads[0] - static_cast<double>(p.target[row]), 2);
        entropy += terms.entropy;
        kl += world.kl(row, heads.data() + 1, 0);
        scale_kl += world.kl(row, heads.data() + 1, 1);
        double largest = 1 / p.chunk.valid_rows;
        for (std::size_t i = 1; i < stride - 1; ++i)
            largest = std::max(largest, std::abs(static_cast<double>(g[i])));
        for (std::size_t i = 0; i < heads.size(); ++i) {
            constexpr double kStep = 1e-5;
            std::vector<double> up = heads, down = heads;
            up[i] += kStep;
            down[i] -= kStep;
            EXPECT_NEAR(g[i + 1], (loss(up) - loss(down)) / (2 * kStep), kTolerance * largest)
                << "row " << row << ", head word " << i;
        }
        EXPECT_EQ(g[0], 0.0f);
        EXPECT_EQ(g[stride - 1], 0.0f) << "the column belongs to no head";
    }
    EXPECT_EQ(learned, std::ceil(valid / 2));
    const double counted[] = {policy,      value,         entropy,  kl,
                              eta * valid, alpha * valid, scale_kl, alpha * valid};
    const bool has_scale = std::ranges::count(world.is_scale, 1) > 0;
    ASSERT_EQ(sums.size(), has_scale ? 8u : 6u);
    for (std::size_t i = 0; i < sums.size(); ++i)
        EXPECT_NEAR(sums[i], counted[i], 1e-4 * std::max(1.0, std::abs(counted[i])))
            << algorithm->metrics()[i];
}

std::vector<PolicyCase> cases() {
    const Json some = {{"temperature", 2.5}, {"kl_cost", 3.0}, {"value_cost", 0.5}};
    return {
        {"discrete2", {choice(2)}, false, false, Json::object()},
        {"discrete18", {choice(18)}, false, false, some},
        {"masked", {choice(6)}, true, false, some},
        {"multi_discrete_masked", {choice(3), choice(5)}, true, false, some},
        {"gaussian", {box({-1, -1, -1}, {1, 1, 1})}, false, false, some},
        {"product", {choice(4), box({-1, -1}, {1, 1}), choice(3)}, false, false, some},
    };
}

INSTANTIATE_TEST_SUITE_P(Spaces, VmpoLoss, testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

TEST(Vmpo, WeightsBelongToTheMinibatchNotToTheChunk) {
    const World world({"", {choice(3)}});
    const PolicyProblem& p = world.p;
    const auto algorithm = makeVmpo(Json::object(), p.distribution);
    std::vector<double> sums;
    const std::vector<float> all = world.learn(*algorithm, sums);
    std::vector<float> alone;
    const auto stride = static_cast<std::size_t>(p.plan.head_words);
    for (std::size_t row = 0; row < static_cast<std::size_t>(p.rows); ++row) {
        Chunk one = p.chunk;
        one.sequences = 1;
        one.action += row;
        one.advantage += row;
        one.target += row;
        one.valid += row;
        const auto rowOf = [&](const std::vector<float>& heads) {
            const auto begin = heads.begin() + static_cast<std::ptrdiff_t>(row * stride);
            return std::vector<float>(begin, begin + static_cast<std::ptrdiff_t>(stride));
        };
        FakeStep step(
            one, {{.plan = &p.plan, .rows = rowOf(world.acting)}, {.plan = &p.plan, .rows = rowOf(p.heads)}},
            sums.data());
        algorithm->learn(step);
        alone.insert(alone.end(), step.net(1).gradients.begin(), step.net(1).gradients.end());
    }
    EXPECT_EQ(all, alone);
}

// Adam on the logarithm of a multiplier.
struct Descent {
    double log, rate, mean = 0, square = 0;
    int steps = 0;
    double step(double slope) {
        const double gradient = slope * std::exp(log);
        ++steps;
        mean = 0.9 * mean + 0.1 * gradient;
        square = 0.999 * square + 0.001 * gradient * gradient;
        log -= rate * mean / (1 - std::pow(0.9, steps)) /
               (std::sqrt(square / (1 - std::pow(0.999, steps))) + 1e-8);
        return std::exp(log);
    }
};

TEST(Vmpo, MultipliersDescendTheirLossesAndAreSaved) {
    const double rate = 0.05, limit = 0.3, kl_limit = 0.02, scale_limit = 0.05;
    const Json params{
        {"temperature", 1.5},   {"temperature_limit", limit},         {"kl_cost", 2.0},
        {"kl_limit", kl_limit}, {"covariance_kl_limit", scale_limit}, {"multiplier_rate", rate}};
    const World first({"", {box({-1, -1}, {1, 1})}});
    const auto algorithm = makeVmpo(params, first.p.distribution),
               resumed = makeVmpo(params, first.p.distribution);
    Descent temperature{std::log(1.5), rate}, kl{std::log(2.0), rate}, scale{std::log(2.0), rate};
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        World world({"", {box({-1, -1}, {1, 1})}}, seed);
        world.p.chunk.valid_rows =
            static_cast<double>(std::ranges::count_if(world.p.valid, [](auto valid) { return valid != 0; }));
        const double rows = world.p.chunk.valid_rows;
        std::vector<double> sums;
        world.learn(*algorithm, sums);
        EXPECT_NEAR(sums[4] / rows, std::exp(temperature.log), 1e-9);
        EXPECT_NEAR(sums[5] / rows, std::exp(kl.log), 1e-9);
        EXPECT_NEAR(sums[7] / rows, std::exp(scale.log), 1e-9);
        const double eta = std::exp(temperature.log);
        const std::vector<double> better = world.better();
        constexpr double kStep = 1e-5;
        // Central differences of a loss of order 1 have an error of 1e-10.
        temperature.step(
            (temperatureLoss(better, eta + kStep, limit) - temperatureLoss(better, eta - kStep, limit)) /
            (2 * kStep));
        kl.step(kl_limit - sums[3] / rows);
        scale.step(scale_limit - sums[6] / rows);
        EXPECT_TRUE(algorithm->minibatchDone(sums, rows));
        if (seed == 3) {
            Archive saved = Archive::saving();
            algorithm->archive(saved);
            Archive loaded = Archive::loading(saved.bytes());
            resumed->archive(loaded);
            ASSERT_TRUE(loaded.finish());
        }
        if (seed <= 3) continue;
        std::vector<double> again;
        world.learn(*resumed, again);
        EXPECT_EQ(sums, again);
        EXPECT_TRUE(resumed->minibatchDone(again, rows));
    }
}

TEST(Vmpo, EqualAdvantagesAreOneHalf) {
    World world({"", {choice(2)}});
    std::ranges::fill(world.batch.advantage, -3.0f);
    world.p.advantage = world.batch.advantage;
    world.p.chunk.advantage = world.p.advantage.data();
    const auto algorithm = makeVmpo(Json::object(), world.p.distribution);
    std::vector<double> sums;
    for (const float g : world.learn(*algorithm, sums)) EXPECT_TRUE(std::isfinite(g));
    // All rows have the same weight: the loss is the mean of -log pi.
    double log_prob = 0, rows = 0;
    for (std::size_t row = 0; row < world.p.valid.size(); ++row) {
        if (world.p.valid[row] == 0) continue;
        log_prob += rowTerms(world.p, row, headsOf(world.p, row).data() + 1).log_prob;
        ++rows;
    }
    EXPECT_NEAR(sums[0] / world.p.chunk.valid_rows, -log_prob / rows, 1e-5);
}

TEST(Vmpo, TheActingPolicyCopiesTheLearnedOneEveryPeriod) {
    const auto networks = makeVmpo({{"target_period", 7}, {"novelty", "rnd"}}, {})->networks();
    ASSERT_EQ(networks.size(), 4u);
    EXPECT_FALSE(networks[0].trained);
    ASSERT_TRUE(networks[0].follow);
    EXPECT_EQ(networks[0].follow->of, 1u);
    EXPECT_EQ(networks[0].follow->tau, 1);
    EXPECT_EQ(networks[0].follow->every, 7);
    EXPECT_EQ(networks[1].copy_of, 0u);
    EXPECT_EQ(networks[0].heads, networks[1].heads);
    EXPECT_EQ(networks[3].name, "novelty_predictor");
}

}  // namespace
}  // namespace seedbed
