// SPDX-License-Identifier: Apache-2.0
// Continuous draws as functions of parameters and noise, compared with their definition in double, with
// central differences, and with sample(); noisy and uniform actions.
#include <algorithm>
#include <numbers>

#include "core/nn/distribution.hpp"
#include "tests/unit/nn/nn_util.hpp"

namespace seedbed::testing_nn {

namespace {

constexpr int kRows = 40, kStride = 13;

enum class Map { clipped, scaled, squashed };

ActionDistribution boxes(Map map) {
    Spaces spaces{.obs = {}, .actions = {box("a", {-1, -1, 0}, {1, 2, 5}), box("b", {-3, 2}, {-1, 8})}};
    return {map == Map::scaled ? withScaledActions(spaces) : spaces, map == Map::squashed};
}

struct Draw {
    ActionDistribution distribution;
    std::vector<float> params, noise, action, log_prob, d_action, d_log_prob;

    Draw(Map map, double spread) : distribution(boxes(map)) {
        Rng rng(testSeed(21), RngPurpose::test);
        const auto fill = [&](std::vector<float>& to, int count, double scale) {
            for (int i = 0; i < count; ++i) to.push_back(static_cast<float>(scale * rng.normal()));
        };
        fill(params, kRows * kStride, spread);
        fill(d_action, kRows * 5, 1);
        fill(d_log_prob, kRows, 1);
        noise.resize(kRows * 5);
        action.resize(kRows * 5);
        log_prob.resize(kRows);
        distribution.noise(kRows, key(), noise.data());
        distribution.fromNoise(kRows, params.data(), noise.data(), action.data(), log_prob.data(), kStride);
    }
    static SampleKey key() { return {.seed = 4, .purpose = RngPurpose::test, .lane = 3, .step = 9}; }

    // d_action . action + d_log_prob * log_prob of one row, in double; p: the row's parameters.
    double value(int row, const std::vector<double>& p) const {
        double log_density = 0, sum = 0;
        std::size_t param = 0, word = 0;
        for (const ActionLeaf& leaf : distribution.spaces().actions) {
            const auto dim = static_cast<std::size_t>(leaf.words());
            for (std::size_t i = 0; i < dim; ++i, ++word) {
                const auto at = static_cast<std::size_t>(row) * 5 + word;
                const auto normal = static_cast<double>(noise[at]);
                const double s = p[param + dim + i], u = p[param + i] + std::exp(s) * normal;
                const double half = (leaf.high[i] - leaf.low[i]) / 2,
                             centre = (leaf.high[i] + leaf.low[i]) / 2;
                log_density -= 0.5 * normal * normal + s + 0.5 * std::log(2 * std::numbers::pi);
                double a = u;
                if (leaf.scaled) {
                    a = centre + half * u;
                    log_density -= std::log(half);
                }
                if (distribution.squash()) {
                    a = centre + half * std::tanh(u);
                    // log cosh u without calling cosh, which would overflow.
                    const double size = std::abs(u),
                                 log_cosh = size + std::log1p(std::exp(-2 * size)) - std::numbers::ln2;
                    log_density -= std::log(half) - 2 * log_cosh;
                }
                sum += static_cast<double>(d_action[at]) * a;
            }
            param += 2 * dim;
        }
        return sum + static_cast<double>(d_log_prob[static_cast<std::size_t>(row)]) * log_density;
    }
    std::vector<double> paramsOf(int row) const {
        const auto begin = params.begin() + std::ptrdiff_t{row} * kStride;
        return {begin, begin + 10};
    }
};

// With a spread of 3 most draws are in the flat part of tanh.
class Path : public ::testing::TestWithParam<std::tuple<Map, double>> {
protected:
    Draw draw{std::get<0>(GetParam()), std::get<1>(GetParam())};
};

TEST_P(Path, DrawsFollowTheirDefinition) {
    for (int row = 0; row < kRows; ++row) {
        double sum = static_cast<double>(draw.d_log_prob[static_cast<std::size_t>(row)]) *
                     static_cast<double>(draw.log_prob[static_cast<std::size_t>(row)]);
        for (std::size_t i = 0; i < 5; ++i)
            sum += static_cast<double>(draw.d_action[static_cast<std::size_t>(row) * 5 + i]) *
                   static_cast<double>(draw.action[static_cast<std::size_t>(row) * 5 + i]);
        const double expected = draw.value(row, draw.paramsOf(row));
        // Actions and log-probabilities are rounded to float, with magnitudes up to a few hundred.
        EXPECT_NEAR(sum, expected, 3e-6 * (10 + std::abs(expected))) << row;
    }
}

TEST_P(Path, GradientsEqualCentralDifferencesAlsoWhereTanhSaturates) {
    constexpr double kStep = 1e-5;
    std::vector<float> gradient(draw.params.size(), 1.0f);
    draw.distribution.addPathGradient(kRows, draw.params.data(), draw.noise.data(), draw.d_action.data(),
                                      draw.d_log_prob.data(), gradient.data(), kStride);
    for (int row = 0; row < kRows; ++row) {
        std::vector<double> p = draw.paramsOf(row);
        for (std::size_t i = 0; i < kStride; ++i) {
            const float analytic = gradient[static_cast<std::size_t>(row) * kStride + i];
            if (i >= p.size()) {
                EXPECT_EQ(analytic, 1.0f) << "columns outside the parameters must not change";
                continue;
            }
            const double at = p[i];
            p[i] = at + kStep;
            const double plus = draw.value(row, p);
            p[i] = at - kStep;
            const double minus = draw.value(row, p);
            p[i] = at;
            const double numeric = 1 + (plus - minus) / (2 * kStep);
            // The difference quotient is accurate to about 1e-7 of these values; the gradient is a float sum
            // that started at 1.
            EXPECT_NEAR(analytic, numeric, 3e-6 * (1 + std::abs(numeric))) << row << ", " << i;
        }
    }
}

TEST_P(Path, SampleUsesTheSameNoise) {
    std::vector<float> action(draw.action.size()), log_prob(draw.log_prob.size());
    draw.distribution.sample(kRows, draw.params.data(), nullptr, Selection::sample, Draw::key(),
                             action.data(), log_prob.data(), kStride);
    for (std::size_t i = 0; i < action.size(); ++i)
        // sample() does not round its noise to float; deviations multiply the difference by up to e^9.
        EXPECT_NEAR(action[i], draw.action[i], 1e-6f * (1 + std::abs(action[i]))) << i;
}

INSTANTIATE_TEST_SUITE_P(Boxes, Path,
                         ::testing::Combine(::testing::Values(Map::clipped, Map::scaled, Map::squashed),
                                            ::testing::Values(0.7, 3.0)),
                         [](const auto& info) {
                             const Map map = std::get<0>(info.param);
                             return std::string(map == Map::clipped  ? "plain"
                                                : map == Map::scaled ? "scaled"
                                                                     : "squashed") +
                                    (std::get<1>(info.param) > 1 ? "_wide" : "_narrow");
                         });

TEST(Path, NoisyActionsAreTheModePlusNoiseWithinTheBounds) {
    const ActionDistribution distribution = boxes(Map::squashed);
    constexpr int kMany = 20'000;
    std::vector<float> params(kMany * 10, 0.0f), action(kMany * 5), log_prob(kMany);
    distribution.sampleNoisy(kMany, params.data(), 0.1, Draw::key(), action.data(), log_prob.data());
    // Means of 0 give the centres 0, 0.5, 2.5, -2, 5 with half ranges 1, 1.5, 2.5, 1, 3.
    const double centre[5] = {0, 0.5, 2.5, -2, 5}, half[5] = {1, 1.5, 2.5, 1, 3};
    for (int i = 0; i < 5; ++i) {
        double mean = 0, square = 0;
        for (int row = 0; row < kMany; ++row) {
            const double z =
                (static_cast<double>(action[static_cast<std::size_t>(row * 5 + i)]) - centre[i]) /
                (0.1 * half[i]);
            mean += z / kMany;
            square += z * z / kMany;
        }
        // Six standard errors of the mean, 1 / sqrt(kMany), and of the variance, sqrt(2 / kMany).
        EXPECT_NEAR(mean, 0, 6 / std::sqrt(kMany)) << i;
        EXPECT_NEAR(square, 1, 6 * std::sqrt(2.0 / kMany)) << i;
    }
    distribution.sampleNoisy(kMany, params.data(), 3, Draw::key(), action.data(), log_prob.data());
    int at_bound = 0;
    for (int row = 0; row < kMany; ++row) {
        const float first = action[static_cast<std::size_t>(row * 5)];
        EXPECT_LE(std::abs(first), 1.0f);
        at_bound += std::abs(first) == 1.0f ? 1 : 0;
    }
    EXPECT_GT(at_bound, kMany / 2) << "draws beyond the bounds are clipped";
}

TEST(Path, UniformActionsCoverTheirRange) {
    const ActionDistribution distribution = boxes(Map::squashed);
    constexpr int kMany = 20'000;
    std::vector<float> action(kMany * 5), log_prob(kMany);
    distribution.sampleUniform(kMany, Draw::key(), action.data(), log_prob.data());
    const double low[5] = {-1, -1, 0, -3, 2}, range[5] = {2, 3, 5, 2, 6};
    for (int i = 0; i < 5; ++i) {
        double mean = 0, smallest = 1, largest = 0;
        for (int row = 0; row < kMany; ++row) {
            const double x =
                (static_cast<double>(action[static_cast<std::size_t>(row * 5 + i)]) - low[i]) / range[i];
            mean += x / kMany;
            smallest = std::min(smallest, x);
            largest = std::max(largest, x);
        }
        EXPECT_NEAR(mean, 0.5, 6 * std::sqrt(1.0 / 12 / kMany)) << "six standard errors";
        EXPECT_GE(smallest, 0);
        EXPECT_LT(smallest, 0.002);
        EXPECT_LE(largest, 1);
        EXPECT_GT(largest, 0.998);
    }
    EXPECT_NEAR(log_prob[7], -std::log(2 * 3 * 5 * 2 * 6.0), 1e-5) << "the density of the box";
}

}  // namespace

}  // namespace seedbed::testing_nn
