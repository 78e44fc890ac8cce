// SPDX-License-Identifier: Apache-2.0
// PPO's loss against its closed form in double and the central differences of that, for every action space; schedules and early stop.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "core/algo/algorithm.hpp"
#include "core/base/rng.hpp"

namespace seedbed {
namespace {

ActionLeaf choice(int n) { return {.name = "choice", .kind = ActionLeaf::Kind::discrete, .n = n}; }
ActionLeaf box(std::vector<double> low, std::vector<double> high) {
    return {.name = "box", .kind = ActionLeaf::Kind::box, .n = 0, .low = std::move(low), .high = std::move(high)};
}

struct Case {
    std::string name;
    std::vector<ActionLeaf> actions;
    bool mask = false, squash = false;
    Json params = Json::object();
};

std::unique_ptr<Algorithm> makePpo(const Json& params, const ActionDistribution& distribution) {
    return algorithmRegistry().find("ppo")->make(params, distribution);
}

// A chunk with everything it points to; the value head comes before the policy head, so that offsets matter.
struct Problem {
    Spaces spaces;
    bool squash = false;
    ActionDistribution distribution;
    NetPlan plan;
    int rows = 0;
    std::vector<float> heads, action, log_prob, policy, value, reward, discount, advantage, target;
    std::vector<std::uint8_t> valid, first, mask;
    Chunk chunk;
};

// Behaviour parameters of one row: moderate, so that double and float agree on them.
void randomPolicyRow(Rng& rng, const Spaces& spaces, float* to) {
    for (const ActionLeaf& leaf : spaces.actions) {
        const int words = leaf.kind == ActionLeaf::Kind::discrete ? leaf.n : 2 * leaf.words();
        for (int i = 0; i < words; ++i) *to++ = static_cast<float>(0.6 * rng.normal());
    }
}

void randomMask(Rng& rng, const Spaces& spaces, std::uint8_t* to) {
    for (const ActionLeaf& leaf : spaces.actions) {
        if (leaf.kind != ActionLeaf::Kind::discrete) continue;
        for (int i = 0; i < leaf.n; ++i) to[i] = rng.bernoulli(0.6) ? 1 : 0;
        to[rng.below(static_cast<std::uint32_t>(leaf.n))] = 1;
        to += leaf.n;
    }
}

Problem randomProblem(const Case& c, std::uint64_t seed, int rows) {
    Rng rng(seed, RngPurpose::test);
    Problem p;
    p.spaces.actions = c.actions, p.spaces.has_mask = c.mask, p.squash = c.squash, p.rows = rows;
    p.distribution = ActionDistribution(p.spaces, c.squash);
    const int words = p.distribution.words(), mask_bytes = p.spaces.maskBytes();
    p.plan.head_words = words + 3;
    p.plan.heads = {{"value", "value", 1, 1, 0}, {"policy", "policy", 2, words, 0}};
    const auto n = static_cast<std::size_t>(rows), w = static_cast<std::size_t>(words), stride = w + 3;
    p.heads.assign(n * stride, 7.0f), p.policy.resize(n * w), p.mask.resize(n * static_cast<std::size_t>(mask_bytes));
    p.action.resize(n * static_cast<std::size_t>(p.spaces.actionWords())), p.log_prob.resize(n);
    for (std::size_t row = 0; row < n; ++row) {
        randomPolicyRow(rng, p.spaces, p.policy.data() + row * w);
        if (c.mask) randomMask(rng, p.spaces, p.mask.data() + row * static_cast<std::size_t>(mask_bytes));
        // Small and large steps away from what acted: ratios on both sides of the clip.
        const double step = rng.bernoulli(0.5) ? 0.05 : 0.5;
        for (std::size_t i = 0; i < w; ++i) p.heads[row * stride + 2 + i] = p.policy[row * w + i] + static_cast<float>(step * rng.normal());
        p.heads[row * stride + 1] = static_cast<float>(rng.normal());
        p.value.push_back(p.heads[row * stride + 1] + static_cast<float>(0.4 * rng.normal()));
        p.target.push_back(static_cast<float>(rng.normal())), p.advantage.push_back(static_cast<float>(1 + 2 * rng.normal()));
        p.valid.push_back(rng.bernoulli(0.85) ? 1 : 0);
    }
    p.reward.assign(n, 0), p.discount.assign(n, 1), p.first.assign(n, 0);
    p.distribution.sample(rows, p.policy.data(), c.mask ? p.mask.data() : nullptr, Selection::sample, {seed, RngPurpose::test, 0, 1},
                          p.action.data(), p.log_prob.data());
    p.chunk = {.sequences = rows,
               .steps = 1,
               .action = p.action.data(),
               .log_prob = p.log_prob.data(),
               .policy = p.policy.data(),
               .value = p.value.data(),
               .reward = p.reward.data(),
               .discount = p.discount.data(),
               .advantage = p.advantage.data(),
               .target = p.target.data(),
               .valid = p.valid.data(),
               .first = p.first.data(),
               .mask = c.mask ? p.mask.data() : nullptr,
               .valid_rows = 1.5 * rows,
               .advantage_mean = 0.75,
               .advantage_std = 2.5};
    return p;
}

// The same in double, from the formulas of the papers.
struct LeafTerms {
    double log_prob = 0, entropy = 0, kl = 0;
};

LeafTerms categoricalTerms(int n, const double* z, const float* b, const std::uint8_t* mask, int action) {
    const auto allowed = [&](int i) { return mask == nullptr || mask[i] != 0; };
    double sum = 0, behaviour_sum = 0;
    for (int i = 0; i < n; ++i)
        if (allowed(i)) sum += std::exp(z[i]), behaviour_sum += std::exp(static_cast<double>(b[i]));
    LeafTerms terms;
    terms.log_prob = z[action] - std::log(sum);
    for (int i = 0; i < n; ++i) {
        if (!allowed(i)) continue;
        const double log_p = z[i] - std::log(sum), log_b = b[i] - std::log(behaviour_sum);
        terms.entropy -= std::exp(log_p) * log_p;
        terms.kl += std::exp(log_b) * (log_b - log_p);
    }
    return terms;
}

LeafTerms boxTerms(const ActionLeaf& leaf, bool squash, const double* z, const float* b, const float* action) {
    LeafTerms terms;
    const int dim = leaf.words();
    for (int i = 0; i < dim; ++i) {
        const auto index = static_cast<std::size_t>(i);
        double u = action[i], log_jacobian = 0;
        if (squash) {
            const double centre = (leaf.low[index] + leaf.high[index]) / 2, half = (leaf.high[index] - leaf.low[index]) / 2;
            const double y = (static_cast<double>(action[i]) - centre) / half;
            u = std::atanh(y), log_jacobian = std::log(half * (1 - y * y));
        }
        const double mean = z[i], log_std = z[dim + i], std = std::exp(log_std), then_mean = b[i],
                     then_std = std::exp(static_cast<double>(b[dim + i]));
        terms.log_prob += -0.5 * std::pow((u - mean) / std, 2) - log_std - 0.5 * std::log(2 * std::numbers::pi) - log_jacobian;
        terms.entropy += log_std + 0.5 * std::log(2 * std::numbers::pi * std::numbers::e) + log_jacobian;
        terms.kl += std::log(std / then_std) + (then_std * then_std + std::pow(then_mean - mean, 2)) / (2 * std * std) - 0.5;
    }
    return terms;
}

LeafTerms rowTerms(const Problem& p, std::size_t row, const double* policy) {
    const float* behaviour = p.policy.data() + row * static_cast<std::size_t>(p.distribution.words());
    const float* action = p.action.data() + row * static_cast<std::size_t>(p.spaces.actionWords());
    const std::uint8_t* mask = p.spaces.has_mask ? p.mask.data() + row * static_cast<std::size_t>(p.spaces.maskBytes()) : nullptr;
    LeafTerms sum;
    for (const ActionLeaf& leaf : p.spaces.actions) {
        const bool discrete = leaf.kind == ActionLeaf::Kind::discrete;
        const LeafTerms terms = discrete ? categoricalTerms(leaf.n, policy, behaviour, mask, static_cast<int>(action[0]))
                                         : boxTerms(leaf, p.squash, policy, behaviour, action);
        sum.log_prob += terms.log_prob, sum.entropy += terms.entropy, sum.kl += terms.kl;
        const int words = discrete ? leaf.n : 2 * leaf.words();
        policy += words, behaviour += words, action += leaf.words();
        if (discrete && mask != nullptr) mask += leaf.n;
    }
    return sum;
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

// Schulman et al. 2017, eq. 7 and 9, of one row; heads: value, policy.
RowLoss rowLoss(const Problem& p, const Settings& s, std::size_t row, const std::vector<double>& heads) {
    const LeafTerms terms = rowTerms(p, row, heads.data() + 1);
    const auto words = static_cast<std::ptrdiff_t>(p.distribution.words()), begin = static_cast<std::ptrdiff_t>(row) * words;
    const std::vector<double> behaviour(p.policy.begin() + begin, p.policy.begin() + begin + words);
    const LeafTerms then = rowTerms(p, row, behaviour.data());
    const double ratio = std::exp(terms.log_prob - then.log_prob);
    const double advantage = s.normalise ? (p.advantage[row] - p.chunk.advantage_mean) / (p.chunk.advantage_std + 1e-8) : p.advantage[row];
    const double bounded = std::clamp(ratio, 1 - s.clip, 1 + s.clip);
    const double value = heads[0], target = p.target[row], then_value = p.value[row];
    const double error = std::pow(value - target, 2);
    const double limited = std::pow(then_value + std::clamp(value - then_value, -s.value_clip, s.value_clip) - target, 2);
    RowLoss loss;
    loss.policy = -std::min(ratio * advantage, bounded * advantage);
    loss.value = 0.5 * (s.value_clip > 0 ? std::max(error, limited) : error);
    loss.entropy = terms.entropy, loss.kl = terms.kl, loss.clipped = bounded != ratio ? 1 : 0;
    loss.kink = std::min(std::abs(ratio - (1 - s.clip)), std::abs(ratio - (1 + s.clip)));
    if (s.value_clip > 0)
        loss.kink = std::min(
            {loss.kink, std::abs(std::abs(value - then_value) - s.value_clip), error == limited ? 1.0 : std::abs(error - limited)});
    return loss;
}

std::vector<double> headsOf(const Problem& p, std::size_t row) {
    std::vector<double> heads;
    const auto stride = static_cast<std::size_t>(p.plan.head_words);
    for (std::size_t i = 1; i < stride - 1; ++i) heads.push_back(p.heads[row * stride + i]);
    return heads;
}

class PpoLoss : public testing::TestWithParam<Case> {};

// In float, at probabilities and densities of order one: rounding of log-probabilities (6e-8 times about 10) times the advantage.
constexpr double kTolerance = 2e-5;

TEST_P(PpoLoss, GradientIsThatOfTheClosedForm) {
    const Case& c = GetParam();
    Settings settings;
    settings.clip = c.params.value("clip", 0.2), settings.value_clip = c.params.value("value_clip", 0.0);
    settings.value_cost = c.params.value("value_cost", 0.5), settings.entropy_cost = c.params.value("entropy_cost", 0.0);
    settings.normalise = c.params.value("normalise_advantages", true);
    const Problem p = randomProblem(c, 11, 203);
    const auto algorithm = makePpo(c.params, p.distribution);
    std::vector<float> gradient(p.heads.size(), 0.0f);
    const NetIo io{&p.plan, p.heads.data(), gradient.data()};
    std::vector<double> sums(algorithm->metrics().size(), 0.0);
    algorithm->loss(p.chunk, {&io, 1}, sums.data());

    RowLoss expected;
    int clipped = 0, unclipped = 0, value_clipped = 0, compared = 0;
    const auto stride = static_cast<std::size_t>(p.plan.head_words);
    for (std::size_t row = 0; row < static_cast<std::size_t>(p.rows); ++row) {
        const float* g = gradient.data() + row * stride;
        if (p.valid[row] == 0) {
            for (std::size_t i = 0; i < stride; ++i) EXPECT_EQ(g[i], 0.0f) << "row " << row << " does not count";
            continue;
        }
        std::vector<double> heads = headsOf(p, row);
        const RowLoss here = rowLoss(p, settings, row, heads);
        expected.policy += here.policy, expected.value += here.value, expected.entropy += here.entropy, expected.kl += here.kl,
            expected.clipped += here.clipped;
        EXPECT_EQ(g[0], 0.0f);
        EXPECT_EQ(g[stride - 1], 0.0f) << "columns of no head";
        if (here.kink < 1e-3) continue;
        ++compared;
        double largest = 0;
        for (std::size_t i = 1; i < stride - 1; ++i) largest = std::max(largest, std::abs(static_cast<double>(g[i])));
        for (std::size_t i = 0; i < heads.size(); ++i) {
            constexpr double kStep = 1e-5;
            std::vector<double> up = heads, down = heads;
            up[i] += kStep, down[i] -= kStep;
            const double slope = (rowLoss(p, settings, row, up).total(settings) - rowLoss(p, settings, row, down).total(settings)) /
                                 (2 * kStep) / p.chunk.valid_rows;
            EXPECT_NEAR(g[i + 1], slope, kTolerance * std::max(largest, 1.0 / p.chunk.valid_rows)) << "row " << row << ", head word " << i;
        }
        (here.clipped != 0 ? clipped : unclipped) += 1;
        value_clipped += g[1] == 0.0f ? 1 : 0;
    }
    // Both sides of every branch were there.
    EXPECT_GT(compared, 140);
    EXPECT_GT(clipped, 20);
    EXPECT_GT(unclipped, 20);
    if (settings.value_clip > 0) EXPECT_GT(value_clipped, 5);
    else EXPECT_EQ(value_clipped, 0);
    const double counted[] = {expected.policy, expected.value, expected.entropy, expected.kl, expected.clipped};
    for (std::size_t i = 0; i < sums.size(); ++i)
        EXPECT_NEAR(sums[i], counted[i], 1e-4 * std::max(1.0, std::abs(counted[i]))) << algorithm->metrics()[i];
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
    all.push_back({"no_normalisation", {choice(3)}, false, false, {{"normalise_advantages", false}, {"clip", 0.1}, {"value_cost", 1.5}}});
    all.push_back({"value_clip", {choice(3)}, false, false, {{"value_clip", 0.3}, {"entropy_cost", 0.01}}});
    all.push_back({"value_clip_gaussian", {box({-1}, {1})}, false, false, {{"value_clip", 0.3}}});
    return all;
}

INSTANTIATE_TEST_SUITE_P(Spaces, PpoLoss, testing::ValuesIn(cases()), [](const auto& test) { return test.param.name; });

TEST(Ppo, AddsToSumsAndGradients) {
    const Problem p = randomProblem({"", {choice(3)}}, 5, 40);
    const auto algorithm = makePpo({{"entropy_cost", 0.1}}, p.distribution);
    std::vector<float> once(p.heads.size(), 0.0f), twice(p.heads.size(), 0.0f);
    std::vector<double> sums(5, 0.0), both(5, 0.0);
    const NetIo first{&p.plan, p.heads.data(), once.data()}, second{&p.plan, p.heads.data(), twice.data()};
    algorithm->loss(p.chunk, {&first, 1}, sums.data());
    for (int i = 0; i < 2; ++i) algorithm->loss(p.chunk, {&second, 1}, both.data());
    for (std::size_t i = 0; i < once.size(); ++i) EXPECT_FLOAT_EQ(twice[i], 2 * once[i]);
    for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_DOUBLE_EQ(both[i], 2 * sums[i]);
}

TEST(Ppo, RowsDoNotDependOnTheirNeighbours) {
    for (const Case& c : cases()) {
        const Problem p = randomProblem(c, 6, 37);
        const auto algorithm = makePpo(c.params, p.distribution);
        std::vector<float> all(p.heads.size(), 0.0f), alone(p.heads.size(), 0.0f);
        std::vector<double> sums(5, 0.0);
        NetIo io{&p.plan, p.heads.data(), all.data()};
        algorithm->loss(p.chunk, {&io, 1}, sums.data());
        const auto stride = static_cast<std::size_t>(p.plan.head_words);
        for (std::size_t row = 0; row < static_cast<std::size_t>(p.rows); ++row) {
            Chunk one = p.chunk;
            one.sequences = 1;
            one.action += row * static_cast<std::size_t>(p.spaces.actionWords()),
                one.policy += row * static_cast<std::size_t>(p.distribution.words());
            one.log_prob += row, one.value += row, one.advantage += row, one.target += row, one.valid += row;
            if (one.mask != nullptr) one.mask += row * static_cast<std::size_t>(p.spaces.maskBytes());
            io = {&p.plan, p.heads.data() + row * stride, alone.data() + row * stride};
            algorithm->loss(one, {&io, 1}, sums.data());
        }
        EXPECT_EQ(all, alone) << c.name;
    }
}

TEST(Ppo, UnchangedParametersHaveRatioOne) {
    for (const Case& c : cases()) {
        Problem p = randomProblem(c, 7, 64);
        const auto words = static_cast<std::size_t>(p.distribution.words()), stride = static_cast<std::size_t>(p.plan.head_words);
        for (std::size_t row = 0; row < static_cast<std::size_t>(p.rows); ++row)
            std::copy_n(p.policy.begin() + static_cast<std::ptrdiff_t>(row * words), words,
                        p.heads.begin() + static_cast<std::ptrdiff_t>(row * stride + 2));
        const auto algorithm = makePpo({{"normalise_advantages", false}}, p.distribution);
        std::vector<float> gradient(p.heads.size(), 0.0f);
        const NetIo io{&p.plan, p.heads.data(), gradient.data()};
        std::vector<double> sums(5, 0.0);
        algorithm->loss(p.chunk, {&io, 1}, sums.data());
        double advantages = 0;
        for (std::size_t row = 0; row < static_cast<std::size_t>(p.rows); ++row) advantages += p.valid[row] != 0 ? p.advantage[row] : 0.0f;
        EXPECT_EQ(sums[0], -advantages) << c.name << ": bit for bit";
        EXPECT_EQ(sums[3], 0.0) << c.name;
        EXPECT_EQ(sums[4], 0.0) << c.name;
    }
}

Batch smallBatch() {
    Batch batch;
    batch.steps = 2, batch.columns = 1;
    batch.reward = {1, 1}, batch.discount = {1, 0}, batch.value = {0.5f, 0.25f}, batch.valid = {1, 1}, batch.last_value = {9};
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
    const auto algorithm = makePpo({{"learning_rate", 1e-3}, {"lr_schedule", "linear"}, {"lr_horizon", 1000}, {"lr_end", 1e-4}}, {});
    EXPECT_DOUBLE_EQ(algorithm->learningRate({.steps = 0}), 1e-3);
    EXPECT_DOUBLE_EQ(algorithm->learningRate({.steps = 500}), 5.5e-4);
    EXPECT_DOUBLE_EQ(algorithm->learningRate({.steps = 1000}), 1e-4);
    EXPECT_DOUBLE_EQ(algorithm->learningRate({.steps = 5000}), 1e-4);
    EXPECT_DOUBLE_EQ(makePpo({{"learning_rate", 1e-3}}, {})->learningRate({.steps = 5000}), 1e-3);
}

TEST(Ppo, ClipAndEntropyFollowTheirSchedules) {
    const Case c{"", {choice(3)}};
    const Problem p = randomProblem(c, 3, 64);
    const auto lossOf = [&](Algorithm& algorithm) {
        std::vector<float> gradient(p.heads.size(), 0.0f);
        const NetIo io{&p.plan, p.heads.data(), gradient.data()};
        std::vector<double> sums(5, 0.0);
        algorithm.loss(p.chunk, {&io, 1}, sums.data());
        return gradient;
    };
    const auto half =
        makePpo({{"clip", 0.4}, {"clip_schedule", "linear"}, {"entropy_cost", 0.2}, {"entropy_schedule", "linear"}, {"lr_horizon", 100}},
                p.distribution);
    Batch batch = smallBatch();
    ASSERT_TRUE(half->prepare(batch, {.steps = 50}, {}));
    const auto constant = makePpo({{"clip", 0.2}, {"entropy_cost", 0.1}}, p.distribution);
    EXPECT_EQ(lossOf(*half), lossOf(*constant));
}

TEST(Ppo, KlAdaptiveRateFollowsTheKlAndIsSaved) {
    const Json params = {{"learning_rate", 1e-3}, {"lr_schedule", "kl_adaptive"}, {"desired_kl", 0.01}, {"lr_min", 8e-4}, {"lr_max", 2e-3}};
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
    const LearnPlan plan = makePpo({{"rollout_length", 32}, {"epochs", 3}, {"minibatches", 7}, {"sequence", "columns"}}, {})->plan();
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
