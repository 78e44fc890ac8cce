// SPDX-License-Identifier: Apache-2.0
// Random network distillation: rewards, returns and values compared with their definition in double, the
// gradients with central differences of the loss, and the saved statistics.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "core/algo/novelty.hpp"
#include "core/base/rng.hpp"
#include "tests/unit/algo/fake_step.hpp"

namespace seedbed {
namespace {

constexpr std::size_t kFeatures = 64;
constexpr int kSteps = 7, kColumns = 3, kRows = kSteps * kColumns;
constexpr double kGamma = 0.9, kLambda = 0.8, kCost = 0.7;

NoveltyParams params(double share = 1) {
    return {.novelty = "rnd", .novelty_cost = kCost, .novelty_gamma = kGamma, .novelty_share = share};
}

std::vector<float> normals(std::size_t count, std::uint64_t seed) {
    Rng rng(seed, RngPurpose::test);
    std::vector<float> values(count);
    for (float& value : values) value = static_cast<float>(rng.normal());
    return values;
}

// The acting network has a value and the value of the intrinsic reward.
struct Networks {
    NetPlan acting, features;
    std::vector<float> heads = normals(2 * (kRows + kColumns), 1),
                       target = normals(kFeatures * (kRows + kColumns), 2),
                       predictor = normals(kFeatures * (kRows + kColumns), 3);
    Networks() {
        acting.head_words = 2;
        acting.heads = {{"value", "value", 0, 1, 0}, {"novelty_value", "value", 1, 1, 0}};
        features.head_words = static_cast<int>(kFeatures);
    }
    EvaluateNetwork evaluate() {
        return [this](std::size_t net, std::vector<float>& to) -> Result<const NetPlan*> {
            to = net == 0 ? heads : net == 1 ? target : predictor;
            return net == 0 ? &acting : &features;
        };
    }
    double error(int row) const {
        double sum = 0;
        for (std::size_t i = 0; i < kFeatures; ++i) {
            const std::size_t at = static_cast<std::size_t>(row) * kFeatures + i;
            sum += std::pow(static_cast<double>(target[at]) - static_cast<double>(predictor[at]), 2);
        }
        return sum / static_cast<double>(kFeatures);
    }
    double value(int row) const { return static_cast<double>(heads[static_cast<std::size_t>(row) * 2 + 1]); }
};

// Row 4 of column 0 ends its episode; row 7 (step 2 of column 1) is the extra row of a truncation.
Batch makeBatch() {
    Batch batch;
    batch.steps = kSteps;
    batch.columns = kColumns;
    batch.valid.assign(kRows, 1);
    batch.discount.assign(kRows, 1.0f);
    batch.discount[3 * kColumns] = 0.0f;
    batch.valid[2 * kColumns + 1] = 0;
    batch.discount[2 * kColumns + 1] = 0.0f;
    batch.first.assign(kRows, 0);
    batch.advantage.assign(kRows, 1.0f);
    return batch;
}

TEST(Novelty, RewardsArrivingAtWhatThePredictorDoesNotKnow) {
    Networks networks;
    Batch batch = makeBatch();
    Novelty novelty(params(), 1);
    ASSERT_TRUE(novelty.measure(batch, networks.evaluate()));
    novelty.addAdvantages(batch, {.lambda = kLambda}, nullptr);

    // The definition: rewards, their discounted sums forwards in time, and the standard deviation of these
    // sums.
    std::vector<double> reward(kRows, 0.0), sums;
    std::vector<double> carried(kColumns, 0.0);
    for (int row = 0; row < kRows; ++row) {
        const auto at = static_cast<std::size_t>(row);
        if (batch.valid[at] == 0) continue;
        if (row != 3 * kColumns) reward[at] = networks.error(row + kColumns);
        double& sum = carried[at % kColumns];
        sums.push_back(sum = kGamma * sum + reward[at]);
    }
    double mean = 0, variance = 0;
    for (const double sum : sums) mean += sum / static_cast<double>(sums.size());
    for (const double sum : sums) variance += (sum - mean) * (sum - mean) / static_cast<double>(sums.size());
    for (int column = 0; column < kColumns; ++column) {
        double advantage = 0;
        for (int step = kSteps - 1; step >= 0; --step) {
            const int row = step * kColumns + column;
            const auto at = static_cast<std::size_t>(row);
            if (batch.valid[at] == 0) advantage = 0;
            else
                advantage = reward[at] / std::sqrt(variance) + kGamma * networks.value(row + kColumns) -
                            networks.value(row) + kGamma * kLambda * advantage;
            // Floats hold about seven digits.
            EXPECT_NEAR(static_cast<double>(batch.advantage[at]), 1 + kCost * advantage, 1e-5) << row;
            EXPECT_NEAR(static_cast<double>(batch.second_target[at]), networks.value(row) + advantage, 1e-5);
        }
    }
}

TEST(Novelty, StatisticsContinueInASavedRun) {
    Networks networks;
    Novelty whole(params(), 1), other(params(), 1), fresh(params(), 1);
    Batch batch = makeBatch();
    const auto update = [&](Novelty& novelty) {
        Batch copy = batch;
        EXPECT_TRUE(novelty.measure(copy, networks.evaluate()));
        novelty.addAdvantages(copy, {.lambda = kLambda}, nullptr);
        return copy.second_target;
    };
    const std::vector<float> first = update(whole);
    Archive saved = Archive::saving();
    whole.archive(saved);
    Archive loaded = Archive::loading(saved.bytes());
    other.archive(loaded);
    ASSERT_TRUE(loaded.finish());
    const std::vector<float> next = update(whole);
    EXPECT_EQ(next, update(other));
    EXPECT_NE(next, first);
    EXPECT_EQ(first, update(fresh));
}

// 0.5 value_cost (V - target)^2 / valid rows, and the mean squared error of the predictor over the rows that
// it learns from.
struct Loss {
    Networks networks;
    std::vector<float> second_target = normals(kRows, 4);
    std::vector<std::uint8_t> valid = makeBatch().valid;
    double value_cost = 0.4, share = 1;

    double value() const {
        double sum = 0;
        const double valid_rows = kRows - 1;
        const int learned = static_cast<int>(kRows * share);
        for (int row = 0; row < kRows; ++row) {
            if (valid[static_cast<std::size_t>(row)] == 0) continue;
            const double error =
                networks.value(row) - static_cast<double>(second_target[static_cast<std::size_t>(row)]);
            sum += 0.5 * value_cost * error * error / valid_rows;
            if (row < learned) sum += networks.error(row) / (valid_rows * share);
        }
        return sum;
    }
};

TEST(Novelty, GradientIsThatOfTheLoss) {
    for (const double share : {1.0, 0.5}) {
        Loss loss;
        loss.share = share;
        Chunk chunk;
        chunk.sequences = kRows;
        chunk.steps = chunk.learned = 1;
        chunk.valid = loss.valid.data();
        chunk.second_target = loss.second_target.data();
        chunk.valid_rows = kRows - 1;
        const auto rowsOf = [](const std::vector<float>& heads, std::size_t words) {
            return std::vector<float>(heads.begin(),
                                      heads.begin() + static_cast<std::ptrdiff_t>(kRows * words));
        };
        std::vector<double> sums(2, 0.0);
        FakeStep step(chunk,
                      {{.plan = &loss.networks.acting, .rows = rowsOf(loss.networks.heads, 2)},
                       {.plan = &loss.networks.features, .rows = rowsOf(loss.networks.target, kFeatures)},
                       {.plan = &loss.networks.features, .rows = rowsOf(loss.networks.predictor, kFeatures)}},
                      sums.data());
        const Novelty novelty(params(share), 1);
        const Step::Heads acting = step.forward(0, {}, Keep::tape);
        novelty.learn(step, acting, step.gradients(0), loss.value_cost, sums.data());
        step.backward(0, step.gradients(0));
        EXPECT_TRUE(step.net(1).gradients.empty()) << "the target network is not trained";

        // The loss is quadratic, so central differences have only the rounding errors of the float inputs.
        const auto difference = [&](float& x) {
            const float before = x;
            constexpr float kStep = 0.01f;
            const float above = x = before + kStep;
            const double high = loss.value();
            const float below = x = before - kStep;
            const double low = loss.value();
            x = before;
            return (high - low) / (static_cast<double>(above) - static_cast<double>(below));
        };
        for (std::size_t i = 0; i < 2 * kRows; ++i)
            EXPECT_NEAR(static_cast<double>(step.net(0).gradients[i]), difference(loss.networks.heads[i]),
                        1e-6);
        for (std::size_t i = 0; i < kFeatures * kRows; ++i)
            EXPECT_NEAR(static_cast<double>(step.net(2).gradients[i]), difference(loss.networks.predictor[i]),
                        1e-6);
        EXPECT_GT(sums[0], 0);
        EXPECT_GT(sums[1], 0);
    }
}

TEST(Novelty, DeclaresAValueHeadAndTwoNetworksOnlyIfItIsOn) {
    const Novelty on(params(), 1), off({}, 1);
    std::vector<NetworkDecl> networks(1);
    off.declare(networks);
    EXPECT_EQ(networks.size(), 1u);
    EXPECT_TRUE(networks[0].heads.empty());
    on.declare(networks);
    ASSERT_EQ(networks.size(), 3u);
    EXPECT_EQ(networks[0].heads.size(), 1u);
    EXPECT_FALSE(networks[1].trained);
    EXPECT_TRUE(networks[2].trained);
    EXPECT_FALSE(networks[1].memory || networks[2].memory);
}

}  // namespace
}  // namespace seedbed
