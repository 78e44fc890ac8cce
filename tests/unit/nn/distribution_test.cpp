// SPDX-License-Identifier: Apache-2.0
// Action distributions compared with their definitions in double, numerical integration, numerical
// differentiation and sampling frequencies.
#include "core/nn/distribution.hpp"

#include <numbers>

#include "core/base/simd.hpp"
#include "tests/unit/nn/nn_util.hpp"

namespace seedbed::testing_nn {

namespace {

// Spaces of every kind, with masks for discrete actions.
struct Case {
    std::string name;
    Spaces spaces;
    bool squash = false;
};

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const int n : {2, 3, 4, 6, 18}) {
        all.push_back({"choice of " + std::to_string(n), {.obs = {}, .actions = {choice("a", n)}}});
        all.push_back({"masked choice of " + std::to_string(n),
                       {.obs = {}, .actions = {choice("a", n)}, .has_mask = true}});
    }
    all.push_back(
        {"multi-discrete",
         {.obs = {}, .actions = {choice("a", 3), choice("b", 2), choice("c", 5)}, .has_mask = true}});
    all.push_back({"box", {.obs = {}, .actions = {box("a", {-1, -1, 0}, {1, 2, 5})}}});
    all.push_back({"squashed box", {.obs = {}, .actions = {box("a", {-1, -1, 0}, {1, 2, 5})}}, true});
    all.push_back(
        {"product",
         {.obs = {},
          .actions = {choice("a", 3), box("b", {-2, -2}, {2, 2}), choice("c", 4), box("d", {0}, {1})},
          .has_mask = true}});
    const auto scaled = [](Spaces spaces) { return withScaledActions(std::move(spaces)); };
    // The last two dimensions are not scaled: one has equal bounds, the other only one.
    all.push_back(
        {"scaled box",
         scaled({.obs = {}, .actions = {box("a", {100, -0.01, 3, 7, 0}, {200, 0.01, 5, 7, INFINITY})}})});
    all.push_back(
        {"scaled product",
         scaled({.obs = {}, .actions = {choice("a", 3), box("b", {-2, 1}, {2, 2})}, .has_mask = true})});
    all.push_back({"squashed product",
                   {.obs = {}, .actions = {box("b", {-2, -2}, {2, 2}), choice("c", 4)}, .has_mask = true},
                   true});
    return all;
}

// Whether a squashed action is so close to its bound that its tanh rounds to 1; the distribution then moves
// it slightly inside.
bool saturated(const Case& c, const float* action) {
    for (const ActionLeaf& leaf : c.spaces.actions) {
        for (std::size_t i = 0; c.squash && i < leaf.low.size(); ++i)
            if (std::min(static_cast<double>(action[i]) - leaf.low[i],
                         leaf.high[i] - static_cast<double>(action[i])) < 1e-6 * (leaf.high[i] - leaf.low[i]))
                return true;
        action += leaf.words();
    }
    return false;
}

// Random rows of one case; `stride` exceeds the number of parameters, as in a head panel.
struct Sample {
    ActionDistribution distribution;
    int rows, stride;
    std::vector<float> params, other, action, log_prob, weight;
    std::vector<std::uint8_t> mask;

    Sample(const Case& from, int count, std::uint64_t seed)
        : distribution(from.spaces, from.squash), rows(count), stride(distribution.words() + 2) {
        Rng rng(seed, RngPurpose::test, 2);
        for (int i = 0; i < rows * stride; ++i) {
            params.push_back(static_cast<float>(0.7 * rng.normal()));
            other.push_back(static_cast<float>(0.7 * rng.normal()));
        }
        for (int row = 0; row < rows; ++row) {
            weight.push_back(static_cast<float>(rng.normal()));
            for (const ActionLeaf& leaf : from.spaces.actions) {
                if (!from.spaces.has_mask || leaf.kind != ActionLeaf::Kind::discrete) continue;
                const std::uint32_t kept = rng.below(static_cast<std::uint32_t>(leaf.n));
                for (int i = 0; i < leaf.n; ++i)
                    mask.push_back(static_cast<std::uint32_t>(i) == kept || rng.below(2) == 1);
            }
        }
        action.resize(static_cast<std::size_t>(rows * from.spaces.actionWords()));
        log_prob.resize(static_cast<std::size_t>(rows));
        distribution.sample(rows, params.data(), masks(), Selection::sample,
                            {.seed = seed, .purpose = RngPurpose::test, .lane = 0, .step = 3}, action.data(),
                            log_prob.data(), stride);
    }
    const std::uint8_t* masks() const { return mask.empty() ? nullptr : mask.data(); }
};

// The definitions in double, for one row. `f` is called with the leaf, its parameters, its mask (or null) and
// its action words.
using LeafFunction = std::function<double(const ActionLeaf&, const double* p, const double* q,
                                          const std::uint8_t* mask, const float* action)>;

double sumOverLeaves(const Spaces& spaces, const double* p, const double* q, const std::uint8_t* mask,
                     const float* action, const LeafFunction& f) {
    double sum = 0;
    for (const ActionLeaf& leaf : spaces.actions) {
        const bool discrete = leaf.kind == ActionLeaf::Kind::discrete;
        sum += f(leaf, p, q, discrete ? mask : nullptr, action);
        p += discrete ? leaf.n : 2 * leaf.words();
        q += discrete ? leaf.n : 2 * leaf.words();
        action += leaf.words();
        if (discrete && mask != nullptr) mask += leaf.n;
    }
    return sum;
}

double logProbability(const ActionLeaf& leaf, const double* logits, const std::uint8_t* mask, int i) {
    double sum = 0;
    for (int j = 0; j < leaf.n; ++j) sum += mask == nullptr || mask[j] ? std::exp(logits[j]) : 0;
    return logits[i] - std::log(sum);
}

// The Gaussian variable of an action, and log |da / du|.
double variableOf(const ActionLeaf& leaf, bool squash, int i, float action, double& log_jacobian) {
    const auto d = static_cast<std::size_t>(i);
    const auto a = static_cast<double>(action);
    log_jacobian = 0;
    if (!squash && (!leaf.scaled || !std::isfinite(leaf.high[d]))) return a;
    const double centre = (leaf.low[d] + leaf.high[d]) / 2,
                 half = leaf.low[d] == leaf.high[d] ? 1 : (leaf.high[d] - leaf.low[d]) / 2;
    const double y = (a - centre) / half;
    log_jacobian = std::log(squash ? half * (1 - y * y) : half);
    return squash ? std::atanh(y) : y;
}

LeafFunction logProbOf(bool squash) {
    return [squash](const ActionLeaf& leaf, const double* p, const double*, const std::uint8_t* mask,
                    const float* action) {
        if (leaf.kind == ActionLeaf::Kind::discrete)
            return logProbability(leaf, p, mask, static_cast<int>(action[0]));
        double sum = 0;
        for (int i = 0; i < leaf.words(); ++i) {
            double jacobian = 0;
            const double u = variableOf(leaf, squash, i, action[i], jacobian);
            const double deviation = std::exp(p[leaf.words() + i]);
            sum += std::log(std::exp(-0.5 * std::pow((u - p[i]) / deviation, 2)) /
                            (deviation * std::sqrt(2 * std::numbers::pi))) -
                   jacobian;
        }
        return sum;
    };
}

LeafFunction entropyOf(bool squash) {
    return [squash](const ActionLeaf& leaf, const double* p, const double*, const std::uint8_t* mask,
                    const float* action) {
        double sum = 0;
        if (leaf.kind == ActionLeaf::Kind::discrete) {
            for (int i = 0; i < leaf.n; ++i)
                if (mask == nullptr || mask[i])
                    sum -= std::exp(logProbability(leaf, p, mask, i)) * logProbability(leaf, p, mask, i);
            return sum;
        }
        for (int i = 0; i < leaf.words(); ++i) {
            double jacobian = 0;
            variableOf(leaf, squash, i, action[i], jacobian);
            sum += p[leaf.words() + i] + 0.5 * std::log(2 * std::numbers::pi * std::numbers::e) + jacobian;
        }
        return sum;
    };
}

double klOf(const ActionLeaf& leaf, const double* p, const double* q, const std::uint8_t* mask,
            const float*) {
    double sum = 0;
    if (leaf.kind == ActionLeaf::Kind::discrete) {
        for (int i = 0; i < leaf.n; ++i)
            if (mask == nullptr || mask[i])
                sum += std::exp(logProbability(leaf, p, mask, i)) *
                       (logProbability(leaf, p, mask, i) - logProbability(leaf, q, mask, i));
        return sum;
    }
    const int n = leaf.words();
    for (int i = 0; i < n; ++i)
        sum += q[n + i] - p[n + i] +
               (std::exp(2 * p[n + i]) + std::pow(p[i] - q[i], 2)) / (2 * std::exp(2 * q[n + i])) - 0.5;
    return sum;
}

std::vector<double> rowOf(const std::vector<float>& panel, int row, int stride, int words) {
    const auto begin = panel.begin() + static_cast<std::ptrdiff_t>(row) * stride;
    return {begin, begin + words};
}

constexpr int kRows = 150;  // more than two sampling blocks, and not a multiple of one

TEST(Distribution, LogProbEntropyAndKlFollowTheirDefinitions) {
    const std::uint64_t seed = testSeed(1);
    for (const Case& c : cases()) {
        SCOPED_TRACE(c.name);
        const Sample s(c, kRows, seed);
        std::vector<float> log_prob(kRows), entropy(kRows), kl(kRows);
        s.distribution.logProb(kRows, s.params.data(), s.masks(), s.action.data(), log_prob.data(), s.stride);
        s.distribution.entropy(kRows, s.params.data(), s.masks(), s.action.data(), entropy.data(), s.stride);
        s.distribution.kl(kRows, s.params.data(), s.other.data(), s.masks(), kl.data(), s.stride, s.stride);
        const int words = s.distribution.words(), action_words = c.spaces.actionWords(),
                  mask_bytes = c.spaces.maskBytes();
        int compared = 0;
        for (int row = 0; row < kRows; ++row) {
            const auto p = rowOf(s.params, row, s.stride, words), q = rowOf(s.other, row, s.stride, words);
            const std::uint8_t* mask =
                s.mask.empty() ? nullptr : &s.mask[static_cast<std::size_t>(row * mask_bytes)];
            const float* action = &s.action[static_cast<std::size_t>(row * action_words)];
            if (saturated(c, action)) continue;
            ++compared;
            const auto r = static_cast<std::size_t>(row);
            const auto truth = [&](const LeafFunction& f) {
                return sumOverLeaves(c.spaces, p.data(), q.data(), mask, action, f);
            };
            // The float error of each leaf is a few times 1e-7, relative to terms of up to about 10.
            EXPECT_NEAR(log_prob[r], truth(logProbOf(c.squash)), 4e-6) << row;
            EXPECT_NEAR(entropy[r], truth(entropyOf(c.squash)), 4e-6) << row;
            EXPECT_NEAR(kl[r], truth(klOf), 4e-6 * (1 + truth(klOf))) << row;
        }
        EXPECT_GT(compared, kRows * 9 / 10);
        // Sampling returns exactly the same number, so ratios are exactly 1 while parameters are unchanged.
        EXPECT_EQ(log_prob, s.log_prob);
        s.distribution.kl(kRows, s.params.data(), s.params.data(), s.masks(), kl.data(), s.stride, s.stride);
        for (const float k : kl) EXPECT_EQ(k, 0.0f);
    }
}

// d sum(weight * f) / d params by central differences of the definitions in double.
void expectGradient(const Case& c, const Sample& s, const LeafFunction& f, bool of_q,
                    const std::vector<float>& gradient) {
    constexpr double kStep = 1e-5;
    const int words = s.distribution.words();
    for (int row = 0; row < s.rows; row += 7) {
        auto p = rowOf(s.params, row, s.stride, words), q = rowOf(s.other, row, s.stride, words);
        const std::uint8_t* mask =
            s.mask.empty() ? nullptr : &s.mask[static_cast<std::size_t>(row * c.spaces.maskBytes())];
        const float* action = &s.action[static_cast<std::size_t>(row * c.spaces.actionWords())];
        for (int i = 0; i < s.stride; ++i) {
            const float analytic = gradient[static_cast<std::size_t>(row * s.stride + i)];
            if (i >= words) {
                EXPECT_EQ(analytic, 1.0f) << "columns outside the parameters must not change";
                continue;
            }
            double& moved = (of_q ? q : p)[static_cast<std::size_t>(i)];
            const double at = moved;
            moved = at + kStep;
            const double plus = sumOverLeaves(c.spaces, p.data(), q.data(), mask, action, f);
            moved = at - kStep;
            const double minus = sumOverLeaves(c.spaces, p.data(), q.data(), mask, action, f);
            moved = at;
            const double numeric = 1.0 + static_cast<double>(s.weight[static_cast<std::size_t>(row)]) *
                                             (plus - minus) / (2 * kStep);
            // The difference quotient is accurate to 1e-9; the analytic gradient is a float sum that started
            // at 1.
            EXPECT_NEAR(analytic, numeric, 3e-6 * (1 + std::abs(numeric)))
                << "row " << row << ", column " << i;
        }
    }
}

TEST(Distribution, DerivativesEqualCentralDifferencesAndAreAdded) {
    const std::uint64_t seed = testSeed(2);
    for (const Case& c : cases()) {
        SCOPED_TRACE(c.name);
        const Sample s(c, kRows, seed);
        std::vector<float> g(s.params.size(), 1.0f);
        s.distribution.addLogProbGradient(kRows, s.params.data(), s.masks(), s.action.data(), s.weight.data(),
                                          g.data(), s.stride);
        expectGradient(c, s, logProbOf(c.squash), false, g);
        g.assign(g.size(), 1.0f);
        s.distribution.addEntropyGradient(kRows, s.params.data(), s.masks(), s.action.data(), s.weight.data(),
                                          g.data(), s.stride);
        expectGradient(c, s, entropyOf(c.squash), false, g);
        g.assign(g.size(), 1.0f);
        s.distribution.addKlGradient(kRows, s.params.data(), s.other.data(), s.masks(), s.weight.data(),
                                     g.data(), s.stride, s.stride);
        expectGradient(c, s, klOf, true, g);
    }
}

TEST(Distribution, ForbiddenChoicesAreNeverTakenAndHaveNoGradient) {
    const Case c{"masked", {.obs = {}, .actions = {choice("a", 5), choice("b", 3)}, .has_mask = true}};
    const ActionDistribution distribution(c.spaces, false);
    constexpr int kMany = 20'000;
    std::vector<float> params(kMany * 8 + 8), action(kMany * 2), log_prob(kMany), weight(kMany, 1.0f),
        g(kMany * 8, 0.0f);
    std::vector<std::uint8_t> mask;
    Rng rng(testSeed(3), RngPurpose::test);
    for (int row = 0; row < kMany; ++row) {
        // Forbidden choices have by far the largest logits.
        const int forbidden = row % 5;
        for (int i = 0; i < 8; ++i)
            params[static_cast<std::size_t>(row * 8 + i)] =
                static_cast<float>(rng.normal() + (i == forbidden || i == 5 ? 50 : 0));
        for (int i = 0; i < 8; ++i) mask.push_back(i != forbidden && i != 5);
    }
    for (const Selection selection : {Selection::sample, Selection::greedy}) {
        distribution.sample(kMany, params.data(), mask.data(), selection, {.seed = 1}, action.data(),
                            log_prob.data());
        for (int row = 0; row < kMany; ++row) {
            ASSERT_NE(action[static_cast<std::size_t>(2 * row)], static_cast<float>(row % 5));
            ASSERT_NE(action[static_cast<std::size_t>(2 * row + 1)], 0.0f);
            ASSERT_TRUE(std::isfinite(log_prob[static_cast<std::size_t>(row)]));
        }
    }
    distribution.addLogProbGradient(kMany, params.data(), mask.data(), action.data(), weight.data(),
                                    g.data());
    distribution.addEntropyGradient(kMany, params.data(), mask.data(), action.data(), weight.data(),
                                    g.data());
    distribution.addKlGradient(kMany, params.data(), params.data() + 8, mask.data(), weight.data(), g.data());
    for (int row = 0; row < kMany; ++row) {
        ASSERT_EQ(g[static_cast<std::size_t>(row * 8 + row % 5)], 0.0f);
        ASSERT_EQ(g[static_cast<std::size_t>(row * 8 + 5)], 0.0f);
    }
}

TEST(Distribution, AMaskThatForbidsEverythingIsIgnored) {
    const Spaces spaces{.obs = {}, .actions = {choice("a", 4)}, .has_mask = true};
    const ActionDistribution distribution(spaces, false);
    const std::vector<float> params{0.1f, 2.0f, -1.0f, 0.5f};
    const std::vector<std::uint8_t> none(4, 0), all(4, 1);
    const float action = 1;
    float a = 0, b = 0;
    distribution.logProb(1, params.data(), none.data(), &action, &a);
    distribution.logProb(1, params.data(), all.data(), &action, &b);
    EXPECT_EQ(a, b);
    distribution.entropy(1, params.data(), none.data(), &action, &a);
    distribution.entropy(1, params.data(), all.data(), &action, &b);
    EXPECT_EQ(a, b);
}

// Pearson's chi-square: with k - 1 degrees of freedom the statistic exceeds its mean by six standard
// deviations once in a billion runs.
void expectFrequencies(const std::vector<int>& counts, const std::vector<double>& probability, int draws) {
    double statistic = 0;
    int cells = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (probability[i] == 0) {
            EXPECT_EQ(counts[i], 0);
            continue;
        }
        const double expected = probability[i] * draws;
        statistic += (counts[i] - expected) * (counts[i] - expected) / expected;
        ++cells;
    }
    EXPECT_LT(statistic, cells - 1 + 6 * std::sqrt(2.0 * (cells - 1)));
}

TEST(Distribution, ChoicesAreTakenWithTheirProbabilities) {
    const std::uint64_t seed = testSeed(4);
    constexpr int kDraws = 200'000;
    for (const bool masked : {false, true}) {
        const Spaces spaces{.obs = {}, .actions = {choice("a", 2), choice("b", 6)}, .has_mask = masked};
        const ActionDistribution distribution(spaces, false);
        const std::vector<float> row{0.5f, -0.3f, 1.0f, 0.0f, -1.0f, 2.0f, 0.3f, -3.0f};
        const std::vector<std::uint8_t> row_mask{1, 1, 1, 0, 1, 1, 0, 1};
        std::vector<float> params, action(2 * kDraws), log_prob(kDraws);
        std::vector<std::uint8_t> mask;
        for (int i = 0; i < kDraws; ++i) {
            params.insert(params.end(), row.begin(), row.end());
            mask.insert(mask.end(), row_mask.begin(), row_mask.end());
        }
        distribution.sample(kDraws, params.data(), masked ? mask.data() : nullptr, Selection::sample,
                            {.seed = seed}, action.data(), log_prob.data());
        std::vector<int> joint(12, 0);
        for (int i = 0; i < kDraws; ++i)
            ++joint[static_cast<std::size_t>(action[static_cast<std::size_t>(2 * i)] * 6 +
                                             action[static_cast<std::size_t>(2 * i + 1)])];
        // Both leaves are counted together, to show that they are independent.
        const std::vector<double> logits = wide(row);
        std::vector<double> probability(12, 0.0);
        for (int a = 0; a < 2; ++a)
            for (int b = 0; b < 6; ++b)
                if (!masked || row_mask[static_cast<std::size_t>(2 + b)])
                    probability[static_cast<std::size_t>(6 * a + b)] =
                        std::exp(logProbability(spaces.actions[0], logits.data(), nullptr, a) +
                                 logProbability(spaces.actions[1], logits.data() + 2,
                                                masked ? &row_mask[2] : nullptr, b));
        expectFrequencies(joint, probability, kDraws);
    }
}

double normalCdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

TEST(Distribution, BoxActionsFollowTheirGaussian) {
    const std::uint64_t seed = testSeed(5);
    constexpr int kDraws = 200'000, kBins = 20;
    for (const auto& [squash, scaled] : {std::pair(false, false), {true, false}, {false, true}}) {
        Spaces spaces{.obs = {}, .actions = {choice("z", 3), box("a", {-1, -2, 0}, {1, 2, 4})}};
        spaces.actions[1].scaled = scaled;
        const ActionDistribution distribution(spaces, squash);
        const std::vector<float> row{0, 0, 0, 0.4f, -0.2f, 0.1f, -0.5f, 0.2f, -1.0f};
        std::vector<float> params, action(4 * kDraws), log_prob(kDraws);
        for (int i = 0; i < kDraws; ++i) params.insert(params.end(), row.begin(), row.end());
        distribution.sample(kDraws, params.data(), nullptr, Selection::sample, {.seed = seed, .step = 9},
                            action.data(), log_prob.data());
        for (int d = 0; d < 3; ++d) {
            // Bins of equal probability under the Gaussian cumulative distribution.
            std::vector<int> counts(kBins, 0);
            double product = 0;
            for (int i = 0; i < kDraws; ++i) {
                double jacobian = 0;
                const auto z = [&](int k) {
                    const float word = action[static_cast<std::size_t>(4 * i + 1 + k)];
                    const double u = variableOf(spaces.actions[1], squash, k, word, jacobian);
                    return (u - static_cast<double>(row[static_cast<std::size_t>(3 + k)])) /
                           std::exp(static_cast<double>(row[static_cast<std::size_t>(6 + k)]));
                };
                ++counts[static_cast<std::size_t>(
                    std::min(kBins - 1, static_cast<int>(normalCdf(z(d)) * kBins)))];
                product += z(d) * z((d + 1) % 3);
            }
            expectFrequencies(counts, std::vector<double>(kBins, 1.0 / kBins), kDraws);
            // Six standard errors of the correlation of independent normals.
            EXPECT_NEAR(product / kDraws, 0, 6 / std::sqrt(kDraws)) << "dimensions are independent";
        }
    }
}

TEST(Distribution, DensitiesIntegrateToOneAndGiveTheEntropy) {
    for (const auto& [squash, scaled] : {std::pair(false, false), {true, false}, {false, true}}) {
        Spaces spaces{.obs = {}, .actions = {box("a", {-1.5}, {2.5})}};
        spaces.actions[0].scaled = scaled;
        const ActionDistribution distribution(spaces, squash);
        const std::vector<float> params{0.3f, -0.4f};
        // Midpoint rule over the support. Both densities vanish smoothly at the ends, so it converges fast;
        // float actions and log densities limit the accuracy to about 1e-5.
        const double low = squash ? -1.5 : -9, high = squash ? 2.5 : 9;
        constexpr int kSteps = 20'000;
        const double width = (high - low) / kSteps;
        double total = 0, surprise = 0, estimate = 0;
        for (int i = 0; i < kSteps; ++i) {
            const auto action = static_cast<float>(low + (i + 0.5) * width);
            float log_prob = 0, entropy = 0;
            distribution.logProb(1, params.data(), nullptr, &action, &log_prob);
            distribution.entropy(1, params.data(), nullptr, &action, &entropy);
            const double mass = std::exp(static_cast<double>(log_prob)) * width;
            total += mass;
            surprise -= mass * static_cast<double>(log_prob);
            estimate += mass * static_cast<double>(entropy);
        }
        EXPECT_NEAR(total, 1, 1e-4);
        // The mean of single-sample estimates of the entropy is the entropy.
        EXPECT_NEAR(estimate, surprise, 1e-4);
    }
}

TEST(Distribution, GreedyTakesTheModeAndSquashedActionsStayInside) {
    const Spaces spaces{.obs = {}, .actions = {choice("a", 3), box("b", {-1, 0}, {1, 4})}};
    const std::vector<float> params{0.1f, 0.7f, 0.7f, 0.5f, 30.0f, 0.0f, 0.0f};
    std::vector<float> action(3), env(3);
    float log_prob = 0;
    ActionDistribution(spaces, false)
        .sample(1, params.data(), nullptr, Selection::greedy, {}, action.data(), &log_prob);
    EXPECT_EQ(action, (std::vector<float>{1, 0.5f, 30}));
    ActionDistribution(spaces, false).envAction(1, action.data(), env.data());
    EXPECT_EQ(env, (std::vector<float>{1, 0.5f, 4}));
    const ActionDistribution scaled(withScaledActions(spaces), false);
    scaled.sample(1, params.data(), nullptr, Selection::greedy, {}, action.data(), &log_prob);
    EXPECT_EQ(action, (std::vector<float>{1, 0.5f, 62})) << "2 + 2 * 30";
    const ActionDistribution squashed(spaces, true);
    squashed.sample(1, params.data(), nullptr, Selection::greedy, {}, action.data(), &log_prob);
    EXPECT_FLOAT_EQ(action[1], std::tanh(0.5f));
    EXPECT_EQ(action[2], 4.0f);
    EXPECT_TRUE(std::isfinite(log_prob));
    // Log-probabilities and gradients stay finite even for extreme means.
    std::vector<float> g(7, 0.0f);
    const float weight = 1;
    squashed.addLogProbGradient(1, params.data(), nullptr, action.data(), &weight, g.data());
    EXPECT_EQ(ActionDistribution(spaces, true).findNan(1, g.data()), "");
}

TEST(Distribution, RowsDependOnTheirLaneOnlyAndStepsDiffer) {
    const std::uint64_t seed = testSeed(6);
    for (const Case& c : cases()) {
        SCOPED_TRACE(c.name);
        const Sample s(c, kRows, seed);
        const auto words = static_cast<std::size_t>(c.spaces.actionWords());
        std::vector<float> one(words);
        int different = 0;
        for (int row = 0; row < kRows; ++row) {
            const std::uint8_t* mask =
                s.mask.empty() ? nullptr : &s.mask[static_cast<std::size_t>(row * c.spaces.maskBytes())];
            const float* params = &s.params[static_cast<std::size_t>(row * s.stride)];
            const std::vector<float> among(&s.action[static_cast<std::size_t>(row) * words],
                                           &s.action[static_cast<std::size_t>(row) * words] + words);
            float log_prob = 0;
            SampleKey key{.seed = seed,
                          .purpose = RngPurpose::test,
                          .lane = static_cast<std::uint32_t>(row),
                          .step = 3};
            s.distribution.sample(1, params, mask, Selection::sample, key, one.data(), &log_prob);
            ASSERT_EQ(one, among) << row;
            ASSERT_EQ(log_prob, s.log_prob[static_cast<std::size_t>(row)]) << row;
            key.step = 4;
            s.distribution.sample(1, params, mask, Selection::sample, key, one.data(), &log_prob);
            different += one != among;
        }
        EXPECT_GT(different, kRows / 10);
    }
}

TEST(Distribution, GivesTheSameBitsOnEveryInstructionSet) {
    const std::uint64_t seed = testSeed(7);
    for (const Case& c : cases()) {
        std::vector<std::vector<float>> results;
        for (const Isa isa : {Isa::base, Isa::avx2, Isa::avx512}) {
            limitIsa(isa);
            const Sample s(c, kRows, seed);
            std::vector<float> g(s.params.size(), 0.0f), all = s.action;
            s.distribution.addLogProbGradient(kRows, s.params.data(), s.masks(), s.action.data(),
                                              s.weight.data(), g.data(), s.stride);
            s.distribution.addEntropyGradient(kRows, s.params.data(), s.masks(), s.action.data(),
                                              s.weight.data(), g.data(), s.stride);
            s.distribution.addKlGradient(kRows, s.params.data(), s.other.data(), s.masks(), s.weight.data(),
                                         g.data(), s.stride, s.stride);
            all.insert(all.end(), s.log_prob.begin(), s.log_prob.end());
            all.insert(all.end(), g.begin(), g.end());
            results.push_back(std::move(all));
        }
        limitIsa(detectedIsa());
        EXPECT_EQ(results[0], results[1]) << c.name;
        EXPECT_EQ(results[0], results[2]) << c.name;
    }
}

TEST(Distribution, FindsTheFirstParameterThatIsNotFinite) {
    const ActionDistribution distribution({.obs = {}, .actions = {choice("a", 3)}}, false);
    std::vector<float> params(4 * 5, 0.0f);
    // Columns outside the parameters are not checked.
    params[3] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(distribution.findNan(4, params.data(), 5), "");
    params[12] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(distribution.findNan(4, params.data(), 5), "row 2, column 2");
    params[6] = std::numeric_limits<float>::infinity();
    EXPECT_EQ(distribution.findNan(4, params.data(), 5), "row 1, column 1");
}

}  // namespace

}  // namespace seedbed::testing_nn
