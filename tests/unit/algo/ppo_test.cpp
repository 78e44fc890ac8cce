// SPDX-License-Identifier: Apache-2.0
// PPO's loss compared with its closed form in double, and its gradient with central differences of that form,
// for every action space; schedules and early stopping.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "core/algo/algorithm.hpp"
#include "core/base/rng.hpp"
#include "tests/unit/algo/fake_step.hpp"
#include "tests/unit/algo/policy_problem.hpp"

namespace seedbed {
namespace {

using Case = PolicyCase;
using Problem = PolicyProblem;

std::unique_ptr<Algorithm> makePpo(const Json& params, const ActionDistribution& distribution) {
    return algorithmRegistry().find("ppo")->make(params, distribution);
}

struct Settings {
    double clip = 0.2, value_clip = 0, value_cost = 0.5, entropy_cost = 0;
    bool normalise = true;
};

struct RowLoss {
    double policy = 0, value = 0, entropy = 0, kl = 0, clipped = 0;
    double kink = 1;  // distance to the nearest point where the loss has no derivative
    double total(const Settings& s) const { return policy + s.value_cost * value - s.entropy_cost * entropy; }
};

// Schulman et al. 2017, eq. 7 and 9, for one row; heads: value, policy.
RowLoss rowLoss(const Problem& p, const Settings& s, std::size_t row, const std::vector<double>& heads) {
    const LeafTerms terms = rowTerms(p, row, heads.data() + 1);
    const auto words = static_cast<std::ptrdiff_t>(p.distribution.words()),
               begin = static_cast<std::ptrdiff_t>(row) * words;
    const std::vector<double> behaviour(p.policy.begin() + begin, p.policy.begin() + begin + words);
    const LeafTerms then = rowTerms(p, row, behaviour.data());
    const double ratio = std::exp(terms.log_prob - then.log_prob);
    const double advantage =
        s.normalise ? (p.advantage[row] - p.chunk.advantage_mean) / (p.chunk.advantage_std + 1e-8)
                    : p.advantage[row];
    const double bounded = std::clamp(ratio, 1 - s.clip, 1 + s.clip);
    const double value = heads[0], target = p.target[row], then_value = p.value[row];
    const double error = std::pow(value - target, 2);
    const double limited =
        std::pow(then_value + std::clamp(value - then_value, -s.value_clip, s.value_clip) - target, 2);
    RowLoss loss;
    loss.policy = -std::min(ratio * advantage, bounded * advantage);
    loss.value = 0.5 * (s.value_clip > 0 ? std::max(error, limited) : error);
    loss.entropy = terms.entropy;
    loss.kl = terms.kl;
    loss.clipped = bounded != ratio ? 1 : 0;
    loss.kink = std::min(std::abs(ratio - (1 - s.clip)), std::abs(ratio - (1 + s.clip)));
    if (s.value_clip > 0)
        loss.kink = std::min({loss.kink, std::abs(std::abs(value - then_value) - s.value_clip),
                              error == limited ? 1.0 : std::abs(error - limited)});
    return loss;
}

class PpoLoss : public testing::TestWithParam<Case> {};

// For probabilities and densities of order one: the float rounding error of log-probabilities (6e-8 times
// about 10), times the advantage.
constexpr double kTolerance = 2e-5;

TEST_P(PpoLoss, GradientIsThatOfTheClosedForm) {
    const Case& c = GetParam();
    Settings settings;
    settings.clip = c.params.value("clip", 0.2);
    settings.value_clip = c.params.value("value_clip", 0.0);
    settings.value_cost = c.params.value("value_cost", 0.5);
    settings.entropy_cost = c.params.value("entropy_cost", 0.0);
    settings.normalise = c.params.value("normalise_advantages", true);
    const Problem p = randomPolicyProblem(c, 11, 203);
    const auto algorithm = makePpo(c.params, p.distribution);
    std::vector<double> sums(algorithm->metrics().size(), 0.0);
    const std::vector<float> gradient = learnOnce(*algorithm, p.chunk, p.plan, p.heads, sums.data());

    RowLoss expected;
    int clipped = 0, unclipped = 0, value_clipped = 0, compared = 0;
    const auto stride = static_cast<std::size_t>(p.plan.head_words);
    for (std::size_t row = 0; row < static_cast<std::size_t>(p.rows); ++row) {
        const float* g = gradient.data() + row * stride;
        if (p.valid[row] == 0) {
            for (std::size_t i = 0; i < stride; ++i) EXPECT_EQ(g[i], 0.0f) << "row " << row << " is masked";
            continue;
        }
        std::vector<double> heads = headsOf(p, row);
        const RowLoss here = rowLoss(p, settings, row, heads);
        expected.policy += here.policy;
        expected.value += here.value;
        expected.entropy += here.entropy;
        expected.kl += here.kl;
        expected.clipped += here.clipped;
        EXPECT_EQ(g[0], 0.0f);
        EXPECT_EQ(g[stride - 1], 0.0f) << "the column belongs to no head";
        if (here.kink < 1e-3) continue;
        ++compared;
        double largest = 0;
        for (std::size_t i = 1; i < stride - 1; ++i)
            largest = std::max(largest, std::abs(static_cast<double>(g[i])));
        for (std::size_t i = 0; i < heads.size(); ++i) {
            constexpr double kStep = 1e-5;
            std::vector<double> up = heads, down = heads;
            up[i] += kStep;
            down[i] -= kStep;
            const double slope = (rowLoss(p, settings, row, up).total(settings) -
                                  rowLoss(p, settings, row, down).total(settings)) /
                                 (2 * kStep) / p.chunk.valid_rows;
            EXPECT_NEAR(g[i + 1], slope, kTolerance * std::max(largest, 1.0 / p.chunk.valid_rows))
                << "row " << row << ", head word " << i;
        }
        (here.clipped != 0 ? clipped : unclipped) += 1;
        value_clipped += g[1] == 0.0f ? 1 : 0;
    }
    // The rows cover both sides of every branch.
    EXPECT_GT(compared, 140);
    EXPECT_GT(clipped, 20);
    EXPECT_GT(unclipped, 20);
    if (settings.value_clip > 0) EXPECT_GT(value_clipped, 5);
    else EXPECT_EQ(value_clipped, 0);
    const double counted[] = {expected.policy, expected.value, expected.entropy, expected.kl,
                              expected.clipped};
    for (std::size_t i = 0; i < sums.size(); ++i)
        EXPECT_NEAR(sums[i], counted[i], 1e-4 * std::max(1.0, std::abs(counted[i])))
            << algorithm->metrics()[i];
}

std::vector<Case> cases() {
    const Json plain = {{"entropy_cost", 0.03}};
    std::vector<Case> all{
        {"discrete2", {choice(2)}, false, false, plain},
        {"discrete5", {choice(5)}, false, false, plain},
        {"discrete18", {choice(18)}, false, false, plain},
        {"masked", {choice(6)}, true, false, plain},
        {"multi_discrete", {choice(3), choice(2), choice(4)}, false, false, plain},
        {"multi_discrete_masked", {choice(3), choice(5)}, true, false, plain},
        {"gaussian", {box({-1, -1, -1}, {1, 1, 1})}, false, false, plain},
        {"squashed", {box({-2, 0}, {2, 3})}, false, true, plain},
        {"product", {choice(4), box({-1, -1}, {1, 1})}, false, false, plain},
        {"product_masked_squashed", {choice(4), box({-1}, {1}), choice(3)}, true, true, plain},
    };
    all.push_back({"no_entropy", {choice(3)}, false, false, Json::object()});
    all.push_back({"no_normalisation",
                   {choice(3)},
                   false,
                   false,
                   {{"normalise_advantages", false}, {"clip", 0.1}, {"value_cost", 1.5}}});
    all.push_back({"value_clip", {choice(3)}, false, false, {{"value_clip", 0.3}, {"entropy_cost", 0.01}}});
    all.push_back({"value_clip_gaussian", {box({-1}, {1})}, false, false, {{"value_clip", 0.3}}});
    return all;
}

INSTANTIATE_TEST_SUITE_P(Spaces, PpoLoss, testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

TEST(Ppo, AddsToSums) {
    const Problem p = randomPolicyProblem({"", {choice(3)}}, 5, 40);
    const auto algorithm = makePpo({{"entropy_cost", 0.1}}, p.distribution);
    std::vector<double> sums(5, 0.0), both(5, 0.0);
    learnOnce(*algorithm, p.chunk, p.plan, p.heads, sums.data());
    for (int i = 0; i < 2; ++i) learnOnce(*algorithm, p.chunk, p.plan, p.heads, both.data());
    for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_DOUBLE_EQ(both[i], 2 * sums[i]);
}

TEST(Ppo, RowsDoNotDependOnTheirNeighbours) {
    for (const Case& c : cases()) {
        const Problem p = randomPolicyProblem(c, 6, 37);
        const auto algorithm = makePpo(c.params, p.distribution);
        std::vector<double> sums(5, 0.0);
        const std::vector<float> all = learnOnce(*algorithm, p.chunk, p.plan, p.heads, sums.data());
        std::vector<float> alone;
        const auto stride = static_cast<std::size_t>(p.plan.head_words);
        for (std::size_t row = 0; row < static_cast<std::size_t>(p.rows); ++row) {
            Chunk one = p.chunk;
            one.sequences = 1;
            one.action += row * static_cast<std::size_t>(p.spaces.actionWords());
            one.policy += row * static_cast<std::size_t>(p.distribution.words());
            one.log_prob += row;
            one.value += row;
            one.advantage += row;
            one.target += row;
            one.valid += row;
            if (one.mask != nullptr) one.mask += row * static_cast<std::size_t>(p.spaces.maskBytes());
            const auto begin = p.heads.begin() + static_cast<std::ptrdiff_t>(row * stride);
            const std::vector<float> gradient = learnOnce(
                *algorithm, one, p.plan, {begin, begin + static_cast<std::ptrdiff_t>(stride)}, sums.data());
            alone.insert(alone.end(), gradient.begin(), gradient.end());
        }
        EXPECT_EQ(all, alone) << c.name;
    }
}

TEST(Ppo, UnchangedParametersHaveRatioOne) {
    for (const Case& c : cases()) {
        Problem p = randomPolicyProblem(c, 7, 64);
        const auto words = static_cast<std::size_t>(p.distribution.words()),
                   stride = static_cast<std::size_t>(p.plan.head_words);
        for (std::size_t row = 0; row < static_cast<std::size_t>(p.rows); ++row)
            std::copy_n(p.policy.begin() + static_cast<std::ptrdiff_t>(row * words), words,
                        p.heads.begin() + static_cast<std::ptrdiff_t>(row * stride + 2));
        const auto algorithm = makePpo({{"normalise_advantages", false}}, p.distribution);
        std::vector<double> sums(5, 0.0);
        learnOnce(*algorithm, p.chunk, p.plan, p.heads, sums.data());
        double advantages = 0;
        for (std::size_t row = 0; row < static_cast<std::size_t>(p.rows); ++row)
            advantages += p.valid[row] != 0 ? p.advantage[row] : 0.0f;
        EXPECT_EQ(sums[0], -advantages) << c.name << ": bit for bit";
        EXPECT_EQ(sums[3], 0.0) << c.name;
        EXPECT_EQ(sums[4], 0.0) << c.name;
    }
}

Batch smallBatch() {
    Batch batch;
    batch.steps = 2;
    batch.columns = 1;
    batch.reward = {1, 1};
    batch.discount = {1, 0};
    batch.value = {0.5f, 0.25f};
    batch.valid = {1, 1};
    batch.last_value = {9};
    return batch;
}

TEST(Ppo, PreparesAdvantagesAndTargets) {
    const auto algorithm = makePpo({{"gamma", 0.5}, {"lambda", 1.0}}, {});
    Batch batch = smallBatch();
    ASSERT_TRUE(algorithm->prepare(batch, {}, {}));
    EXPECT_EQ(batch.target, (std::vector<float>{1.5f, 1}));
    EXPECT_EQ(batch.advantage, (std::vector<float>{1, 0.75f}));
}

TEST(Ppo, LinearScheduleRunsOverItsOwnHorizon) {
    const auto algorithm = makePpo(
        {{"learning_rate", 1e-3}, {"lr_schedule", "linear"}, {"lr_horizon", 1000}, {"lr_end", 1e-4}}, {});
    EXPECT_DOUBLE_EQ(algorithm->learningRate({.steps = 0}), 1e-3);
    EXPECT_DOUBLE_EQ(algorithm->learningRate({.steps = 500}), 5.5e-4);
    EXPECT_DOUBLE_EQ(algorithm->learningRate({.steps = 1000}), 1e-4);
    EXPECT_DOUBLE_EQ(algorithm->learningRate({.steps = 5000}), 1e-4);
    EXPECT_DOUBLE_EQ(makePpo({{"learning_rate", 1e-3}}, {})->learningRate({.steps = 5000}), 1e-3);
}

TEST(Ppo, ClipAndEntropyFollowTheirSchedules) {
    const Case c{"", {choice(3)}};
    const Problem p = randomPolicyProblem(c, 3, 64);
    const auto lossOf = [&](Algorithm& algorithm) {
        std::vector<double> sums(5, 0.0);
        return learnOnce(algorithm, p.chunk, p.plan, p.heads, sums.data());
    };
    const auto half = makePpo({{"clip", 0.4},
                               {"clip_schedule", "linear"},
                               {"entropy_cost", 0.2},
                               {"entropy_schedule", "linear"},
                               {"lr_horizon", 100}},
                              p.distribution);
    Batch batch = smallBatch();
    ASSERT_TRUE(half->prepare(batch, {.steps = 50}, {}));
    const auto constant = makePpo({{"clip", 0.2}, {"entropy_cost", 0.1}}, p.distribution);
    EXPECT_EQ(lossOf(*half), lossOf(*constant));
}

TEST(Ppo, KlAdaptiveRateFollowsTheKlAndIsSaved) {
    const Json params = {{"learning_rate", 1e-3},
                         {"lr_schedule", "kl_adaptive"},
                         {"desired_kl", 0.01},
                         {"lr_min", 8e-4},
                         {"lr_max", 2e-3}};
    const auto algorithm = makePpo(params, {});
    const auto update = [&](double kl) {
        const std::vector<double> sums{0, 0, 0, kl * 50, 0};
        algorithm->updateDone(sums, 50);
        return algorithm->learningRate({});
    };
    EXPECT_DOUBLE_EQ(update(0.015), 1e-3);
    EXPECT_DOUBLE_EQ(update(0.004), 1.5e-3);
    EXPECT_DOUBLE_EQ(update(0.004), 2e-3) << "upper bound";
    EXPECT_DOUBLE_EQ(update(0.021), 2e-3 / 1.5);
    Archive saved = Archive::saving();
    algorithm->archive(saved);
    const auto other = makePpo(params, {});
    Archive loaded = Archive::loading(saved.bytes());
    other->archive(loaded);
    EXPECT_TRUE(loaded.finish());
    EXPECT_DOUBLE_EQ(other->learningRate({}), 2e-3 / 1.5);
    EXPECT_DOUBLE_EQ((update(0.5), update(0.5)), 8e-4) << "lower bound";
}

TEST(Ppo, TargetKlEndsTheUpdate) {
    const auto algorithm = makePpo({{"target_kl", 0.02}}, {});
    EXPECT_TRUE(algorithm->minibatchDone(std::vector<double>{0, 0, 0, 0.029 * 64, 0}, 64));
    EXPECT_FALSE(algorithm->minibatchDone(std::vector<double>{0, 0, 0, 0.031 * 64, 0}, 64));
    EXPECT_TRUE(makePpo(Json::object(), {})->minibatchDone(std::vector<double>{0, 0, 0, 1e9, 0}, 64));
}

TEST(Ppo, PlanComesFromTheParameters) {
    const LearnPlan plan =
        makePpo({{"rollout_length", 32}, {"epochs", 3}, {"minibatches", 7}, {"sequence", "columns"}}, {})
            ->plan();
    EXPECT_EQ(plan.rollout_length, 32);
    EXPECT_EQ(plan.epochs, 3);
    EXPECT_EQ(plan.minibatches, 7);
    EXPECT_EQ(plan.unit, LearnPlan::Unit::columns);
    EXPECT_EQ(makePpo(Json::object(), {})->plan().unit, LearnPlan::Unit::rows);
}

TEST(Ppo, IsRegisteredWithADescription) {
    const AlgorithmEntry* entry = algorithmRegistry().find("PPO");
    ASSERT_NE(entry, nullptr);
    EXPECT_EQ(entry->id, "ppo");
    Json params = entry->params->defaults();
    EXPECT_TRUE(entry->params->set(params, "clip", "0.3"));
    EXPECT_FALSE(entry->params->set(params, "clip", "3"));
    EXPECT_FALSE(entry->params->set(params, "lr_schedule", "cosine"));
}

}  // namespace
}  // namespace seedbed
