// SPDX-License-Identifier: Apache-2.0
// Losses with PopArt: multiplying rewards, values and the scale of the value head by one number changes
// neither the gradient of the policy nor, in normalised units, that of the value. Also tests the targets that
// the statistics follow.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/algo/fake_step.hpp"
#include "tests/unit/algo/policy_problem.hpp"

namespace seedbed {
namespace {

// A power of two scales floats exactly.
constexpr float kScale = 256;

class PopArtLoss : public testing::TestWithParam<std::string> {};

std::vector<float> gradientOf(Algorithm& algorithm, PolicyProblem& p, float scale) {
    PolicyProblem scaled = p;
    const auto stride = static_cast<std::size_t>(p.plan.head_words);
    for (std::size_t row = 0; row < p.valid.size(); ++row) scaled.heads[row * stride + 1] *= scale;
    for (auto* field : {&scaled.value, &scaled.target, &scaled.advantage, &scaled.reward})
        for (float& x : *field) x *= scale;
    scaled.chunk.value = scaled.value.data();
    scaled.chunk.target = scaled.target.data();
    scaled.chunk.advantage = scaled.advantage.data();
    scaled.chunk.reward = scaled.reward.data();
    scaled.chunk.value_scale = scale;
    Batch batch;
    batch.steps = 1;
    batch.columns = scaled.rows;
    batch.advantage = scaled.advantage;
    batch.valid = scaled.valid;
    batch.value_scale = scale;
    std::vector<std::uint32_t> units;
    for (int row = 0; row < scaled.rows; ++row) units.push_back(static_cast<std::uint32_t>(row));
    algorithm.minibatchBegin(batch, {units, 1, units.size()});
    std::vector<double> sums(algorithm.metrics().size(), 0.0);
    std::vector<FakeStep::Net> nets;
    // V-MPO trains the second network.
    const std::size_t learned = algorithm.networks().size() - 1;
    for (std::size_t net = 0; net <= learned; ++net)
        nets.push_back({.plan = &scaled.plan, .rows = scaled.heads, .all = scaled.heads});
    FakeStep step(scaled.chunk, nets, sums.data());
    algorithm.learn(step);
    return step.net(learned).gradients;
}

TEST_P(PopArtLoss, DoesNotDependOnTheSizeOfRewards) {
    PolicyProblem p = randomPolicyProblem({"", {choice(4)}}, 17, 96);
    // Several rows per column for V-trace.
    p.chunk.sequences = 12;
    p.chunk.steps = 8;
    p.chunk.learned = GetParam() == "vtrace" ? 7 : 8;
    for (std::size_t row = 0; row < p.reward.size(); ++row)
        p.reward[row] = p.valid[row] != 0 ? p.target[row] : 0;
    for (std::size_t row = 84; row < 96 && GetParam() == "vtrace"; ++row) p.valid[row] = 0;
    Json params{{"popart", true}};
    if (GetParam() == "ppo") params.update({{"normalise_advantages", false}, {"value_clip", 0.3}});
    const auto algorithm = algorithmRegistry().find(GetParam())->make(params, p.distribution);
    EXPECT_TRUE(algorithm->networks()[0].heads[1].popart);
    const std::vector<float> plain = gradientOf(*algorithm, p, 1), scaled = gradientOf(*algorithm, p, kScale);
    const auto stride = static_cast<std::size_t>(p.plan.head_words);
    ASSERT_EQ(plain.size(), scaled.size());
    int policy = 0, value = 0;
    for (std::size_t i = 0; i < plain.size(); ++i) {
        const bool is_value = i % stride == 1;
        // The output is scale times the normalised value, so its gradient is the gradient of that value
        // divided by scale.
        EXPECT_EQ(plain[i], is_value ? scaled[i] * kScale : scaled[i]) << "word " << i % stride;
        (is_value ? value : policy) += plain[i] != 0 ? 1 : 0;
    }
    EXPECT_GT(policy, 50);
    EXPECT_GT(value, 40);
}

TEST_P(PopArtLoss, StatisticsFollowTheTargetsOfValidRows) {
    PolicyProblem p = randomPolicyProblem({"", {choice(3)}}, 18, 40);
    Batch batch;
    batch.steps = 8;
    batch.columns = 5;
    batch.action_words = 1;
    batch.policy_words = 3;
    batch.action = p.action;
    batch.policy = p.policy;
    batch.log_prob = p.log_prob;
    batch.valid = p.valid;
    batch.discount = p.discount;
    batch.value.assign(40, 2.0f);
    batch.reward.assign(40, 0.0f);
    batch.last_value.assign(5, 2.0f);
    batch.version.assign(40, 1);
    batch.current_version = 1;
    std::vector<float> heads((8 + 1) * 5 * static_cast<std::size_t>(p.plan.head_words), 2.0f);
    const auto evaluate = [&](std::size_t, std::vector<float>& out) -> Result<const NetPlan*> {
        out = heads;
        return &p.plan;
    };
    const auto algorithm =
        algorithmRegistry()
            .find(GetParam())
            ->make({{"popart", true}, {"popart_rate", 0.2}, {"gamma", 1.0}}, p.distribution);
    EXPECT_EQ(algorithm->popArtRate(), 0.2);
    EXPECT_TRUE(algorithm->targetMoments().empty());
    // Without rewards and discounting, all targets are the constant value.
    ASSERT_TRUE(algorithm->prepare(batch, {}, evaluate));
    ASSERT_EQ(algorithm->targetMoments().size(), 1u);
    const TargetMoments moments = algorithm->targetMoments()[0];
    const auto valid =
        static_cast<double>(std::ranges::count_if(p.valid, [](std::uint8_t v) { return v != 0; }));
    EXPECT_EQ(moments.count, valid);
    EXPECT_NEAR(moments.sum, 2 * valid, 1e-5);
    EXPECT_NEAR(moments.squares, 4 * valid, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Algorithms, PopArtLoss, testing::Values("ppo", "a2c", "vmpo", "vtrace"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace seedbed
