// SPDX-License-Identifier: Apache-2.0
// SAC's losses compared with their closed forms in double, and its gradients with central differences of
// those forms for fixed noise: critics, the policy through the squashed Gaussian, and the temperature.
#include "tests/unit/algo/critic_step.hpp"

namespace seedbed {
namespace {

constexpr double kGamma = 0.9, kEntropy = -0.7;
constexpr std::size_t kRows = CriticProblem::kRows, kWords = CriticProblem::kWords;

struct SacProblem : CriticProblem {
    double log_alpha = 0;
    std::vector<double> sums = std::vector<double>(7, 0.0);
    std::unique_ptr<Algorithm> algorithm;

    explicit SacProblem(double initial, double fixed = 0) : log_alpha(initial) {
        fifth_rows.assign(kRows, static_cast<float>(log_alpha));
        algorithm = algorithmRegistry().find("sac")->make(
            {{"gamma", kGamma}, {"target_entropy", kEntropy}, {"temperature", fixed}}, {spaces, true});
    }
    // The noise of a draw, as kept by the distribution.
    std::vector<float> noise(int draw) {
        CriticStep step(*this, sums);
        std::vector<float> values(kRows * kWords);
        UnitActions(spaces).distribution().noise(static_cast<int>(kRows), step.key(draw), values.data());
        return values;
    }
    // Actions in [-1, 1] and log pi of heads in double.
    static double draw(const double* heads, const float* noise, double* action) {
        double log_prob = 0;
        for (std::size_t i = 0; i < kWords; ++i) {
            const auto normal = static_cast<double>(noise[i]);
            const double log_std = std::clamp(heads[logStdAt(i)], -20.0, 2.0),
                         u = heads[meanAt(i)] + std::exp(log_std) * normal;
            action[i] = std::tanh(u);
            // log(1 - tanh(u)^2) = -2 log cosh u, without cancellation.
            const double log_cosh = std::abs(u) + std::log1p(std::exp(-2 * std::abs(u))) - std::log(2.0);
            log_prob += -0.5 * normal * normal - 0.5 * std::log(2 * M_PI) - log_std + 2 * log_cosh;
        }
        return log_prob;
    }
    double target(std::size_t row, const std::vector<float>& noise) const {
        const std::vector<double> heads(next_policy.begin(), next_policy.end());
        double next[kWords];
        const double log_prob = draw(&heads[row * 2 * kWords], &noise[row * kWords], next);
        return static_cast<double>(reward[row]) +
               kGamma * static_cast<double>(discount[row]) *
                   (smallestNext(row, next) - std::exp(log_alpha) * log_prob);
    }
    double policyLoss(std::size_t row, const double* heads, const std::vector<float>& noise) const {
        double a[kWords];
        const double log_prob = draw(heads, &noise[row * kWords], a);
        return std::exp(log_alpha) * log_prob -
               std::min(critics[0].value(row, a, kWords), critics[1].value(row, a, kWords));
    }
};

TEST(Sac, CriticsLearnTheSmallerTargetWithItsEntropy) {
    SacProblem p(-1.2);
    const std::vector<float> noise = p.noise(0);
    CriticStep step(p, p.sums);
    p.algorithm->learn(step);
    double loss = 0, q = 0, error_sum = 0;
    for (std::size_t row = 0; row < kRows; ++row) {
        const double target = p.target(row, noise);
        double taken[kWords];
        for (std::size_t i = 0; i < kWords; ++i) taken[i] = p.taken(row, i);
        for (std::size_t j = 0; j < 2; ++j) {
            const double error = p.critics[j].value(row, taken, kWords) - target;
            // The derivative of half the square, with float rounding errors of values of order ten.
            const double expected = p.valid[row] != 0 ? error / p.chunk.valid_rows : 0;
            EXPECT_NEAR(static_cast<double>(step.trained[1 + j][row]), expected, 1e-6) << row;
            if (p.valid[row] == 0) continue;
            loss += 0.5 * error * error;
            if (j == 0) q += p.critics[0].value(row, taken, kWords);
            if (j == 0) error_sum += std::abs(error);
        }
        // Terminated rows do not bootstrap; all others do, including those before the extra row of a
        // truncation.
        EXPECT_EQ(target == static_cast<double>(p.reward[row]), p.discount[row] == 0) << row;
    }
    EXPECT_NEAR(p.sums[0], loss, 1e-4 * loss);
    EXPECT_NEAR(p.sums[1], q, 1e-4);
    EXPECT_NEAR(p.sums[2], error_sum, 1e-4);
    for (const std::size_t net : {3u, 4u})
        EXPECT_TRUE(step.trained[net].empty()) << "targets are not trained";
}

TEST(Sac, ThePolicysGradientIsThatOfItsClosedForm) {
    SacProblem p(-0.5);
    // One log standard deviation is beyond each bound.
    p.policy[2] = 2.5f;
    p.policy[2 * kWords + 3] = -21.0f;
    const std::vector<float> noise = p.noise(1);
    CriticStep step(p, p.sums);
    p.algorithm->learn(step);
    const std::vector<float>& gradient = step.trained[0];
    ASSERT_EQ(gradient.size(), kRows * 2 * kWords);
    double loss = 0, smallest_gap = 1;
    constexpr double kStep = 1e-6;
    for (std::size_t row = 0; row < kRows; ++row) {
        std::vector<double> heads(p.policy.begin() + static_cast<std::ptrdiff_t>(row * 2 * kWords),
                                  p.policy.begin() + static_cast<std::ptrdiff_t>((row + 1) * 2 * kWords));
        double a[kWords];
        SacProblem::draw(heads.data(), &noise[row * kWords], a);
        // Far from the kink of the minimum.
        smallest_gap = std::min(
            smallest_gap, std::abs(p.critics[0].value(row, a, kWords) - p.critics[1].value(row, a, kWords)));
        if (p.valid[row] != 0) loss += p.policyLoss(row, heads.data(), noise);
        for (std::size_t i = 0; i < 2 * kWords; ++i) {
            const double at = heads[i];
            heads[i] = at + kStep;
            const double plus = p.policyLoss(row, heads.data(), noise);
            heads[i] = at - kStep;
            const double minus = p.policyLoss(row, heads.data(), noise);
            heads[i] = at;
            const double numeric = p.valid[row] != 0 ? (plus - minus) / (2 * kStep) / p.chunk.valid_rows : 0;
            // Float sums of terms of order ten, divided by the number of rows.
            EXPECT_NEAR(static_cast<double>(gradient[row * 2 * kWords + i]), numeric, 1e-6)
                << row << " " << i;
        }
    }
    EXPECT_GT(smallest_gap, 1e-4);
    EXPECT_EQ(gradient[2], 0.0f) << "above the largest deviation";
    EXPECT_EQ(gradient[2 * kWords + 3], 0.0f) << "below the smallest one";
    EXPECT_NEAR(p.sums[3], loss, 1e-4 * std::abs(loss));
}

TEST(Sac, TheTemperaturesGradientIsThatOfItsLoss) {
    SacProblem p(0.3);
    const std::vector<float> noise = p.noise(1);
    CriticStep step(p, p.sums);
    p.algorithm->learn(step);
    const std::vector<double> heads(p.policy.begin(), p.policy.end());
    double entropy = 0, summed = 0, above = 0;
    for (std::size_t row = 0; row < kRows; ++row) {
        if (p.valid[row] == 0) continue;
        double a[kWords];
        const double log_prob = SacProblem::draw(&heads[row * 2 * kWords], &noise[row * kWords], a);
        entropy -= log_prob;
        above -= log_prob + kEntropy * kWords;
    }
    for (const float g : step.trained[5]) summed += static_cast<double>(g);
    // The loss, log_alpha * above, is linear in log_alpha.
    EXPECT_NEAR(summed, above / p.chunk.valid_rows, 1e-5);
    EXPECT_NEAR(p.sums[4], entropy, 1e-4);
    EXPECT_NEAR(p.sums[5], p.log_alpha * above, 1e-4);
    EXPECT_NEAR(p.sums[6], std::exp(p.log_alpha) * (kRows - 1), 1e-5);
}

TEST(Sac, AFixedTemperatureHasNoNetwork) {
    SacProblem p(std::log(0.25), 0.25);
    EXPECT_EQ(p.algorithm->networks().size(), 5u);
    EXPECT_EQ(SacProblem(0).algorithm->networks().size(), 6u);
    const std::vector<float> noise = p.noise(0);
    CriticStep step(p, p.sums);
    p.algorithm->learn(step);
    EXPECT_TRUE(step.trained[5].empty());
    double taken[kWords];
    for (std::size_t i = 0; i < kWords; ++i) taken[i] = p.taken(0, i);
    EXPECT_NEAR(static_cast<double>(step.trained[1][0]),
                (p.critics[0].value(0, taken, kWords) - p.target(0, noise)) / p.chunk.valid_rows, 1e-6);
}

TEST(Sac, ActsUniformlyAtFirstAndSamplesAfterwards) {
    const SacProblem p(0);
    EXPECT_EQ(p.algorithm->acting({.steps = 999}).kind, ActingRule::Kind::uniform);
    EXPECT_EQ(p.algorithm->acting({.steps = 1000}).kind, ActingRule::Kind::selection);
}

TEST(Sac, FitsContinuousActionsWithFiniteBounds) {
    for (const char* id : {"sac", "td3"}) {
        const AlgorithmEntry& entry = *algorithmRegistry().find(id);
        Spaces spaces = CriticProblem().spaces;
        EXPECT_TRUE(entry.fits(spaces));
        spaces.actions[1].high[0] = INFINITY;
        EXPECT_FALSE(entry.fits(spaces)) << "no upper bound";
        spaces.actions[1] = {.name = "b", .kind = ActionLeaf::Kind::discrete, .n = 3};
        EXPECT_FALSE(entry.fits(spaces));
    }
}

}  // namespace
}  // namespace seedbed
