// SPDX-License-Identifier: Apache-2.0
// PopArt: every change of the statistics preserves the outputs; the statistics equal their definition.
#include "core/nn/popart.hpp"

#include <cmath>

#include "core/nn/params.hpp"
#include "tests/unit/nn/nn_util.hpp"

namespace seedbed::testing_nn {

namespace {

NetPlan planWith(bool popart, int width = 1) {
    NetworkParams params;
    params.hidden = {8};
    const Spaces spaces{.obs = {vectorLeaf("obs", 4)}, .actions = {choice("move", 3)}};
    return planOf(specOf(spaces, params,
                         {{.name = "policy", .kind = "policy"},
                          {.name = "value", .kind = "value", .width = width, .popart = popart}}));
}

std::vector<float> initialBlob(const NetPlan& plan) {
    const Params params = initialParams(plan, 3);
    return {params.blob().begin(), params.blob().end()};
}

TargetMoments moments(const std::vector<double>& targets) {
    TargetMoments sums;
    for (const double target : targets) sums.add(target);
    return sums;
}

double meanOf(const NetPlan& plan, const std::vector<float>& blob) {
    return static_cast<double>(blob[plan.param("head.value.scale.mean")->offset]);
}

// The outputs of the network for random observations, computed in double.
std::vector<double> outputsOf(const NetPlan& plan, const std::vector<float>& blob) {
    GradientProbe probe(plan, 40, 1, 5);
    probe.loss(wide(blob));
    return probe.heads;
}

TEST(PopArt, PreservesTheOutputsAtEveryChangeOfStatistics) {
    const NetPlan plan = planWith(true);
    std::vector<float> blob = initialBlob(plan);
    Rng rng(4, RngPurpose::test);
    double largest_change = 1;
    for (int update = 0; update < 200; ++update) {
        // Targets over eight orders of magnitude, of both signs, sometimes constant.
        const double size = std::pow(10, rng.uniform(-3, 5)), offset = size * rng.normal();
        std::vector<double> targets;
        for (int i = 0; i < 16; ++i) targets.push_back(offset + (update % 7 == 0 ? 0 : size * rng.normal()));
        const std::vector<double> before = outputsOf(plan, blob);
        const double old_scale = popArtScale(plan, blob), old_mean = meanOf(plan, blob);
        updatePopArt(plan, blob, moments(targets), 0.1);
        const std::vector<double> after = outputsOf(plan, blob);
        const double scale = popArtScale(plan, blob);
        largest_change = std::max({largest_change, scale / old_scale, old_scale / scale});
        // The new weights are rounded to float: nine products of features below 1, and the bias, which holds
        // the difference of the means.
        const double rounding =
            0x1p-23 * (std::abs(old_mean) + std::abs(meanOf(plan, blob)) + old_scale + scale + 1e-30);
        for (std::size_t i = 0; i < before.size(); ++i) {
            const bool is_value = static_cast<int>(i) % plan.head_words == plan.head("value")->begin;
            if (!is_value) EXPECT_EQ(before[i], after[i]) << "only the value head changes";
            else ASSERT_NEAR(before[i], after[i], 8 * rounding + 0x1p-22 * std::abs(before[i])) << update;
        }
    }
    EXPECT_GT(largest_change, 10) << "the statistics changed little";
}

TEST(PopArt, StatisticsAreExponentialAveragesWithoutWeightOfTheirStart) {
    const NetPlan plan = planWith(true);
    std::vector<float> blob = initialBlob(plan);
    const std::vector<std::vector<double>> batches{{-1500, -900, -1200}, {10, 12}, {400, -300, 20, 0}};
    const double rate = 0.3;
    double mean = 0, square = 0, weights = 0;
    for (const auto& batch : batches) {
        updatePopArt(plan, blob, moments(batch), rate);
        // A weighted average, in which each batch has (1 - rate) times the weight of the next one.
        double sum = 0, squares = 0;
        for (const double target : batch) {
            sum += target / static_cast<double>(batch.size());
            squares += target * target / static_cast<double>(batch.size());
        }
        mean = (1 - rate) * mean + rate * sum;
        square = (1 - rate) * square + rate * squares;
        weights = (1 - rate) * weights + rate;
        const double expected = mean / weights, deviation = std::sqrt(square / weights - expected * expected);
        EXPECT_NEAR(meanOf(plan, blob), expected, 1e-6 * std::abs(expected) + 1e-4);
        EXPECT_NEAR(popArtScale(plan, blob), deviation, 1e-6 * deviation) << "stored as float";
    }
}

TEST(PopArt, ConstantTargetsAndNoTargetsAreSafe) {
    const NetPlan plan = planWith(true);
    std::vector<float> blob = initialBlob(plan);
    const std::vector<float> before = blob;
    updatePopArt(plan, blob, {}, 0.1);
    EXPECT_EQ(blob, before);
    for (int i = 0; i < 5; ++i) updatePopArt(plan, blob, moments({5, 5, 5}), 1);
    EXPECT_EQ(meanOf(plan, blob), 5);
    EXPECT_FLOAT_EQ(static_cast<float>(popArtScale(plan, blob)), 1e-4f) << "the lower bound";
    for (const float x : blob) EXPECT_TRUE(std::isfinite(x));
}

TEST(PopArt, IsAnOptionOfAValueHeadOfWidthOne) {
    const NetPlan plain = planWith(false), popart = planWith(true);
    EXPECT_FALSE(hasPopArt(plain));
    EXPECT_TRUE(hasPopArt(popart));
    std::vector<float> blob(plain.param_floats, 0.5f);
    EXPECT_EQ(popArtScale(plain, blob), 1);
    updatePopArt(plain, blob, moments({1, 2}), 0.1);
    EXPECT_EQ(blob, std::vector<float>(plain.param_floats, 0.5f));
    EXPECT_FALSE(toJson(plain.spec)["heads"][1].contains("popart")) << "descriptions do not change";
    EXPECT_EQ(*netSpecFromJson(toJson(popart.spec)), popart.spec);
    NetSpec wide_head = popart.spec;
    wide_head.heads[1].width = 2;
    EXPECT_FALSE(buildPlan(wide_head).has_value());
}

}  // namespace

}  // namespace seedbed::testing_nn
