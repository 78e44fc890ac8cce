// SPDX-License-Identifier: Apache-2.0
// Asynchronous PPO: targets and advantages corrected for the age of the data.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "core/algo/algorithm.hpp"
#include "core/algo/returns.hpp"
#include "core/base/rng.hpp"
#include "tests/unit/algo/policy_problem.hpp"

namespace seedbed {
namespace {

constexpr int kSteps = 40, kColumns = 9, kChoices = 3;

// A batch of actions from logits `policy`, and the heads of a network whose outputs differ by `drift`.
struct World {
    PolicyProblem p;
    Batch batch;
    std::vector<float> heads;
    int evaluations = 0;

    explicit World(float drift) : p(randomPolicyProblem({"", {choice(kChoices)}}, 5, kSteps * kColumns)) {
        Rng rng(6, RngPurpose::test);
        batch.steps = kSteps;
        batch.columns = kColumns;
        batch.action_words = 1;
        batch.policy_words = kChoices;
        batch.action = p.action;
        batch.policy = p.policy;
        batch.log_prob = p.log_prob;
        batch.value = p.value;
        batch.valid = p.valid;
        batch.version.assign(p.valid.size(), 7);
        batch.current_version = 7;
        for (const std::uint8_t valid : p.valid) {
            batch.reward.push_back(valid != 0 ? static_cast<float>(rng.normal()) : 0.0f);
            batch.discount.push_back(valid != 0 && !rng.bernoulli(0.1) ? 1.0f : 0.0f);
        }
        for (int n = 0; n < kColumns; ++n) batch.last_value.push_back(static_cast<float>(rng.normal()));
        const auto stride = static_cast<std::size_t>(p.plan.head_words);
        heads.assign((kSteps + 1) * kColumns * stride, 3.0f);
        for (std::size_t row = 0; row < (kSteps + 1) * kColumns; ++row) {
            const bool last = row >= kSteps * kColumns;
            heads[row * stride + 1] = (last ? batch.last_value[row - kSteps * kColumns] : batch.value[row]) +
                                      drift * static_cast<float>(rng.normal());
            for (std::size_t i = 0; i < kChoices; ++i)
                heads[row * stride + 2 + i] = (last ? 0.0f : batch.policy[row * kChoices + i]) +
                                              drift * static_cast<float>(rng.normal());
        }
    }
    Batch prepared(const Json& params, const char* id = "ppo") {
        Batch result = batch;
        const auto algorithm = algorithmRegistry().find(id)->make(params, p.distribution);
        const Result<> done = algorithm->prepare(
            result, {}, [this](std::size_t net, std::vector<float>& out) -> Result<const NetPlan*> {
                EXPECT_EQ(net, 0u);
                ++evaluations;
                out = heads;
                return &p.plan;
            });
        EXPECT_TRUE(done);
        return result;
    }
};

TEST(Appo, OnPolicyTargetsAndAdvantagesAreThoseOfPlainPpo) {
    for (const double lambda : {0.0, 0.8, 0.95, 1.0}) {
        World world(0);
        const Batch plain = world.prepared({{"correction", "none"}, {"lambda", lambda}});
        EXPECT_EQ(world.evaluations, 0);
        const Batch corrected = world.prepared({{"correction", "vtrace"}, {"lambda", lambda}});
        EXPECT_EQ(world.evaluations, 1);
        EXPECT_EQ(plain.target, corrected.target) << "the same sums in the same order";
        // Two factors are multiplied in a different order, which changes one rounding to double and then to
        // float.
        for (std::size_t row = 0; row < plain.advantage.size(); ++row)
            EXPECT_NEAR(plain.advantage[row], corrected.advantage[row], 1e-5);
    }
}

TEST(Appo, OffPolicyEqualsTheReturnsOfTheCurrentNetwork) {
    World world(0.4f);
    const Batch corrected = world.prepared(
        {{"correction", "vtrace"}, {"lambda", 0.9}, {"gamma", 0.95}, {"rho_bar", 1.1}, {"c_bar", 0.9}});
    std::vector<float> log_ratio, value, target(corrected.target.size()), advantage(corrected.target.size());
    const auto stride = static_cast<std::size_t>(world.p.plan.head_words);
    for (std::size_t row = 0; row < (kSteps + 1) * kColumns; ++row)
        value.push_back(world.heads[row * stride + 1]);
    for (std::size_t row = 0; row < kSteps * kColumns; ++row) {
        const std::vector<double> now(
            world.heads.begin() + static_cast<std::ptrdiff_t>(row * stride + 2),
            world.heads.begin() + static_cast<std::ptrdiff_t>(row * stride + 2 + kChoices));
        const std::vector<double> then(
            world.p.policy.begin() + static_cast<std::ptrdiff_t>(row * kChoices),
            world.p.policy.begin() + static_cast<std::ptrdiff_t>((row + 1) * kChoices));
        log_ratio.push_back(static_cast<float>(rowTerms(world.p, row, now.data()).log_prob -
                                               rowTerms(world.p, row, then.data()).log_prob));
    }
    vtraceGae({.steps = kSteps,
               .columns = kColumns,
               .reward = world.batch.reward.data(),
               .discount = world.batch.discount.data(),
               .value = value.data(),
               .last_value = value.data() + kSteps * kColumns,
               .valid = world.batch.valid.data(),
               .gamma = 0.95},
              log_ratio.data(), {.lambda = 0.9, .rho_bar = 1.1, .c_bar = 0.9}, target.data(),
              advantage.data());
    // The log ratios are computed in float on one side and in double on the other.
    for (std::size_t row = 0; row < target.size(); ++row) {
        EXPECT_NEAR(corrected.target[row], target[row], 1e-4);
        EXPECT_NEAR(corrected.advantage[row], advantage[row], 1e-4);
    }
    const Batch plain = world.prepared({{"correction", "none"}, {"lambda", 0.9}, {"gamma", 0.95}});
    EXPECT_NE(plain.target, corrected.target);
}

TEST(Appo, AutoCorrectsWhenOlderParametersActed) {
    World world(0.4f);
    EXPECT_EQ(world.prepared(Json::object()).target, world.prepared({{"correction", "none"}}).target);
    EXPECT_EQ(world.evaluations, 0);
    std::size_t row = 17;
    while (world.batch.valid[row] != 0) ++row;
    world.batch.version[row] = 6;
    EXPECT_EQ(world.prepared(Json::object()).target, world.prepared({{"correction", "none"}}).target)
        << "the row of the older version has an effect";
    while (world.batch.valid[row] == 0) ++row;
    world.batch.version[row] = 6;
    EXPECT_EQ(world.prepared(Json::object()).target, world.prepared({{"correction", "vtrace"}}).target);
    EXPECT_EQ(world.evaluations, 2);
}

TEST(Appo, TheSettingChoosesTheEstimator) {
    World world(0.4f);
    const Json n_step{{"advantages", "n_step"}, {"n_step", 3}, {"gamma", 0.9}};
    const Batch plain = world.prepared(n_step);
    EXPECT_EQ(world.evaluations, 0);
    std::vector<float> target(plain.target.size());
    nStepReturns({.steps = kSteps,
                  .columns = kColumns,
                  .reward = world.batch.reward.data(),
                  .discount = world.batch.discount.data(),
                  .value = world.batch.value.data(),
                  .last_value = world.batch.last_value.data(),
                  .valid = world.batch.valid.data(),
                  .gamma = 0.9},
                 3, target.data());
    EXPECT_EQ(plain.target, target);
    for (std::size_t row = 0; row < target.size(); ++row)
        EXPECT_EQ(plain.advantage[row], target[row] - world.batch.value[row]);
    // Without n_step, the return of the whole rollout, which is GAE with lambda 1.
    const Batch whole = world.prepared({{"advantages", "n_step"}}), gae = world.prepared({{"lambda", 1.0}});
    for (std::size_t row = 0; row < target.size(); ++row)
        EXPECT_NEAR(whole.target[row], gae.target[row], 1e-4) << "sums of up to 40 rewards in two orders";
    const Batch vtrace = world.prepared({{"advantages", "vtrace"}});
    EXPECT_EQ(vtrace.target, world.prepared({{"correction", "vtrace"}}).target);
    EXPECT_NE(vtrace.target, world.prepared(Json::object()).target);
}

// The loss of A2C contains no probability ratio.
TEST(Appo, A2cWeightsTheAdvantagesOfStaleRows) {
    World world(0.4f);
    const Json params{{"advantages", "vtrace"}, {"lambda", 0.9}, {"rho_bar", 1.1}};
    const Batch ppo = world.prepared(params), a2c = world.prepared(params, "a2c");
    EXPECT_EQ(ppo.target, a2c.target);
    const auto stride = static_cast<std::size_t>(world.p.plan.head_words);
    int above = 0, below = 0;
    for (std::size_t row = 0; row < kSteps * kColumns; ++row) {
        if (world.p.valid[row] == 0) {
            EXPECT_EQ(a2c.advantage[row], 0.0f);
            continue;
        }
        const auto logProb = [&](const std::vector<float>& from, std::size_t begin) {
            const auto at = from.begin() + static_cast<std::ptrdiff_t>(begin);
            return rowTerms(world.p, row, std::vector<double>(at, at + kChoices).data()).log_prob;
        };
        const double ratio =
            std::exp(logProb(world.heads, row * stride + 2) - logProb(world.p.policy, row * kChoices));
        (ratio > 1.1 ? above : below) += 1;
        // Rounding errors of log-probabilities in float.
        EXPECT_NEAR(a2c.advantage[row], std::min(1.1, ratio) * static_cast<double>(ppo.advantage[row]),
                    1e-5 * std::max(1.0f, std::abs(a2c.advantage[row])));
    }
    EXPECT_GT(above, 20);
    EXPECT_GT(below, 20);
    const Json none{{"correction", "none"}, {"advantages", "gae"}};
    EXPECT_EQ(world.prepared(none).advantage, world.prepared(none, "a2c").advantage);
}

TEST(Appo, NetworkErrorsAreReturned) {
    World world(0);
    const auto algorithm =
        algorithmRegistry().find("ppo")->make({{"correction", "vtrace"}}, world.p.distribution);
    const Result<> done = algorithm->prepare(
        world.batch, {},
        [](std::size_t, std::vector<float>&) -> Result<const NetPlan*> { return fail("no engine"); });
    ASSERT_FALSE(done);
    EXPECT_NE(done.error().text().find("no engine"), std::string::npos);
}

}  // namespace
}  // namespace seedbed
