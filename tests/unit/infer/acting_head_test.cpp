// SPDX-License-Identifier: Apache-2.0
// Which head selects the actions; with Q-values, the action with the largest value is selected.
#include "core/nn/acting_head.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "core/infer/span_inference.hpp"

namespace seedbed {
namespace {

Spaces smallSpaces() {
    ObsLeaf obs;
    obs.shape = {3};
    obs.low = -1;
    obs.high = 1;
    ActionLeaf action;
    action.n = 4;
    return {{obs}, {action}, false};
}
NetPlan planWith(std::vector<HeadSpec> heads) {
    NetworkParams params;
    params.hidden = {8};
    params.separate_critic = false;
    return *buildPlan(*makeNetSpec(smallSpaces(), params, std::move(heads)));
}

TEST(ActingHead, IsNamedPolicyOrTheFirstOfKindQ) {
    EXPECT_EQ(actingHead(planWith({{"value", "value", 1, false}, {"policy", "policy", 0, false}}))->name,
              "policy");
    EXPECT_EQ(actingHead(planWith({{"q1", "q", 0, false}, {"q2", "q", 0, true}}))->name, "q1");
    EXPECT_EQ(actingHead(planWith({{"value", "value", 1, false}})), nullptr);
    EXPECT_FALSE(actingDistribution(planWith({{"value", "value", 1, false}}), false));
}

TEST(ActingHead, SquashedActionsNeedFiniteBounds) {
    NetPlan plan = planWith({{"policy", "policy", 0, false}});
    ActionLeaf box;
    box.kind = ActionLeaf::Kind::box;
    box.low = {-1, 0};
    box.high = {1, 2};
    plan.spec.spaces.actions = {box};
    EXPECT_TRUE(actingDistribution(plan, true)) << "finite bounds are accepted";
    plan.spec.spaces.actions[0].high[1] = 0;
    EXPECT_TRUE(actingDistribution(plan, true)) << "equal bounds are accepted";
    for (const double high : std::vector<double>{-1.0, INFINITY, NAN}) {
        plan.spec.spaces.actions[0].high[1] = high;
        const auto distribution = actingDistribution(plan, true);
        ASSERT_FALSE(distribution) << high;
        EXPECT_NE(distribution.error().message.find("squashed"), std::string::npos);
    }
}

TEST(ActingHead, AQNetworkSelectsItsLargestValue) {
    const NetPlan plan = planWith({{"q", "q", 0, true}});
    const auto net = compileNet("reference", plan, EngineOptions{});
    ASSERT_TRUE(net.has_value()) << net.error().text();
    constexpr int kColumns = 6;
    auto ring =
        Ring::create(RingSpec{.spaces = smallSpaces(), .columns = kColumns, .rows = 3, .policy_words = 4});
    ASSERT_TRUE(ring.has_value());
    auto* obs = reinterpret_cast<float*>((*ring)->obs(0, 0));
    for (int i = 0; i < 3 * kColumns; ++i) obs[i] = std::sin(static_cast<float>(i));
    std::fill_n((*ring)->first(0), kColumns, std::uint8_t{1});
    std::fill_n((*ring)->valid(0), kColumns, std::uint8_t{1});
    SpanInference span(**net, ActionDistribution(smallSpaces(), false), **ring,
                       SpanInferenceOptions{.selection = Selection::greedy});
    ThreadTimes times;
    const Params params = initialParams(plan, 3);
    ASSERT_TRUE(span.act(params, times).has_value());
    for (int column = 0; column < kColumns; ++column) {
        const float* values = (*ring)->policy(0) + column * 4;
        EXPECT_EQ((*ring)->action(0)[column],
                  static_cast<float>(std::max_element(values, values + 4) - values));
    }
}

}  // namespace
}  // namespace seedbed
