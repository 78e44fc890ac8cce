// SPDX-License-Identifier: Apache-2.0
// Inspections: what the network receives, and saliency against central differences.
#include "core/play/inspector.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/nn/acting_head.hpp"
#include "core/play/player.hpp"
#include "core/rollout/gather.hpp"

namespace seedbed {
namespace {

struct NetCase {
    std::string name, env;
    NetworkParams network;
    std::vector<HeadSpec> heads{{"policy", "policy", 0, false}, {"value", "value", 1, false}};
};

// A policy with initial weights that plays an environment.
class Inspected : public ::testing::TestWithParam<NetCase> {
protected:
    void SetUp() override {
        const NetCase& net_case = GetParam();
        const auto entry = findEnv(net_case.env);
        ASSERT_TRUE(entry) << entry.error().text();
        params_json_ = (*entry)->params->complete(Json::object(), "env").value();
        const EnvSpec env = (*entry)->spec(params_json_).value();
        const auto spec = makeNetSpec(env.spaces, net_case.network, net_case.heads);
        ASSERT_TRUE(spec) << spec.error().text();
        plan_ = buildPlan(*spec).value();
        // Initial policies are nearly uniform; larger weights give gradients that can be compared.
        const Params initial = initialParams(plan_, 5);
        std::vector<float> blob(initial.blob().begin(), initial.blob().end());
        for (const ParamEntry& entry_of : plan_.params) {
            for (std::size_t i = 0; i < entry_of.count; ++i) {
                float& x = blob[entry_of.offset + i];
                if (entry_of.init == ParamEntry::Init::orthogonal && entry_of.gain < 0.1) x *= 50;
                // Networks are not differentiable where a rectifier's input is exactly 0.
                if (entry_of.name.ends_with(".bias")) x = 0.03F * static_cast<float>(i % 7) - 0.085F;
                if (entry_of.name.ends_with(".mean")) x = 0.01F * static_cast<float>(i);
                if (entry_of.name.ends_with(".var")) x = 0.5F + 0.1F * static_cast<float>(i);
            }
        }
        params_ = Params(std::move(blob), 3);
        net_ = compileNet("native", plan_, {}).value();
        distribution_ = actingDistribution(plan_, net_case.network.squash).value();
        auto player = Player::create({.env = *entry,
                                      .env_params = params_json_,
                                      .envs = 2,
                                      .seed = 3,
                                      .player = {.net = net_, .distribution = distribution_},
                                      .selection = Selection::sample},
                                     params_);
        ASSERT_TRUE(player) << player.error().text();
        player_ = std::move(*player);
        for (int row = 0; row < 7; ++row) ASSERT_TRUE(player_->step(params_, false));
        inspector_ = Inspector::create(plan_, distribution_, {}).value();
    }

    // The inputs of column 1 as numbers.
    struct Numbers {
        std::vector<std::vector<float>> leaves;
        std::vector<float> state, previous_action, previous_reward{0};
        std::uint8_t first = 0;
    };
    Numbers numbers() {
        Ring& ring = player_->ring();
        const Spaces& spaces = ring.spec().spaces;
        Numbers found;
        const std::vector<Ring*> rings{&ring};
        const RowRef row{.t = ring.head(), .column = 1};
        for (std::size_t leaf = 0; leaf < spaces.obs.size(); ++leaf) {
            std::vector<std::uint8_t> bytes(spaces.obs[leaf].bytes() *
                                            static_cast<std::size_t>(spaces.obs[leaf].stack));
            gatherObs(rings, static_cast<int>(leaf), &row, 1, bytes.data());
            found.leaves.push_back(networkNumbers(spaces.obs[leaf], bytes.data()));
        }
        found.previous_action.resize(static_cast<std::size_t>(spaces.actionWords()));
        gatherPrevious(rings, &row, 1, found.previous_action.data(), found.previous_reward.data());
        found.first = ring.first(ring.head())[1];
        const auto words = static_cast<std::size_t>(plan_.state_words);
        if (words > 0)
            found.state.assign(ring.state(ring.head()) + words, ring.state(ring.head()) + 2 * words);
        return found;
    }

    // The quantities of which saliency is the derivative, computed in double by plain loops.
    struct Outputs2 {
        double action = 0, value = 0;
    };
    Outputs2 outputs(NetContext& context, const Numbers& in, const Inspection& at) {
        Rows rows;
        rows.sequences = 1;
        rows.first = &in.first;
        for (const auto& leaf : in.leaves)
            rows.obs.push_back(reinterpret_cast<const std::uint8_t*>(leaf.data()));
        if (!in.state.empty()) rows.state = in.state.data();
        rows.previous_action = in.previous_action.data();
        rows.previous_reward = in.previous_reward.data();
        std::vector<float> heads(static_cast<std::size_t>(plan_.head_words));
        EXPECT_TRUE(context.run(params_, rows, {heads.data(), nullptr}, Keep::nothing));
        Outputs2 found;
        if (const PlanHead* value = plan_.head("value"))
            found.value = static_cast<double>(heads[static_cast<std::size_t>(value->begin)]);
        const float* policy = heads.data() + actingHead(plan_)->begin;
        if (actingHead(plan_)->kind == "q") {
            found.action = static_cast<double>(policy[static_cast<std::size_t>(at.action[0])]);
            return found;
        }
        std::size_t word = 0, mask = 0;
        for (const ActionLeaf& leaf : distribution_.spaces().actions) {
            if (leaf.kind == ActionLeaf::Kind::box) {
                for (std::size_t i = 0; i < leaf.low.size(); ++i)
                    found.action += static_cast<double>(policy[i]);
                policy += 2 * leaf.low.size();
                word += leaf.low.size();
                continue;
            }
            double sum = 0;
            for (int i = 0; i < leaf.n; ++i)
                if (at.mask.empty() || at.mask[mask + static_cast<std::size_t>(i)] != 0)
                    sum += std::exp(static_cast<double>(policy[i]));
            found.action +=
                static_cast<double>(policy[static_cast<std::size_t>(at.action[word++])]) - std::log(sum);
            policy += leaf.n;
            mask += static_cast<std::size_t>(leaf.n);
        }
        return found;
    }

    Json params_json_;
    NetPlan plan_;
    Params params_;
    std::shared_ptr<EngineNet> net_;
    ActionDistribution distribution_;
    std::unique_ptr<Player> player_;
    std::unique_ptr<Inspector> inspector_;
};

TEST_P(Inspected, SaliencyIsTheDerivativeOfActionAndValue) {
    const auto looked = inspector_->look(params_, player_->ring(), 1);
    ASSERT_TRUE(looked) << looked.error().text();
    const auto exact = compileNet("reference", planOnNumbers(plan_), {.double_precision = true}).value();
    const auto context = exact->context();
    const Numbers at = numbers();
    ASSERT_EQ(looked->leaves.size(), at.leaves.size());
    double largest = 0;
    int compared = 0;
    for (std::size_t leaf = 0; leaf < at.leaves.size(); ++leaf) {
        const InspectedLeaf& seen = looked->leaves[leaf];
        ASSERT_EQ(seen.seen.size(), at.leaves[leaf].size());
        // At most 60 elements per leaf, spread evenly.
        const std::size_t stride = 1 + seen.seen.size() / 60;
        for (std::size_t i = 0; i < seen.seen.size(); i += stride) {
            constexpr float kStep = 1e-3F;  // outputs are rounded to float, about 1e-7 of their size
            Numbers up = at, down = at;
            up.leaves[leaf][i] += kStep;
            down.leaves[leaf][i] -= kStep;
            const Outputs2 high = outputs(*context, up, *looked), low = outputs(*context, down, *looked);
            const double width =
                static_cast<double>(up.leaves[leaf][i]) - static_cast<double>(down.leaves[leaf][i]);
            // Saliency refers to the normalised number.
            const double scale = seen.normalised ? std::sqrt(0.5 + 0.1 * static_cast<double>(i) + 1e-8) : 1;
            const double of_action = (high.action - low.action) / width * scale,
                         of_value = (high.value - low.value) / width * scale;
            EXPECT_NEAR(seen.of_action[i], of_action, 2e-3 + 0.02 * std::abs(of_action)) << leaf << " " << i;
            largest = std::max(largest, std::abs(of_action));
            ++compared;
            if (plan_.head("value") == nullptr) continue;
            EXPECT_NEAR(seen.of_value[i], of_value, 2e-3 + 0.02 * std::abs(of_value)) << leaf << " " << i;
        }
    }
    EXPECT_GT(compared, 0);
    EXPECT_GT(largest, 0.02) << "the comparison must not be between zeros";
}

TEST_P(Inspected, ShowsWhatThePlayerDecidedWith) {
    const auto looked = inspector_->look(params_, player_->ring(), 1);
    ASSERT_TRUE(looked) << looked.error().text();
    const bool is_game = player_->envSpec().agents > 1;  // column 1 is the second agent
    const PlayerRecord& now = player_->cells()[is_game ? 0 : 1].nowOf(is_game ? 1 : 0);
    ASSERT_TRUE(now.decided);
    ASSERT_EQ(looked->shown.size(), now.shown.size());
    for (std::size_t i = 0; i < now.shown.size(); ++i)
        EXPECT_NEAR(looked->shown[i], now.shown[i], 1e-4) << "the engines differ in rounding";
    if (plan_.head("value") != nullptr) {
        EXPECT_NEAR(looked->value, now.value, 1e-4);
    }
    EXPECT_EQ(std::isnan(looked->entropy), std::isnan(now.entropy));
    if (!std::isnan(now.entropy)) {
        EXPECT_NEAR(looked->entropy, now.entropy, 1e-4);
    }
    EXPECT_EQ(looked->q.empty(), actingHead(plan_)->kind != "q");
    EXPECT_EQ(looked->state_before.size(), static_cast<std::size_t>(plan_.state_words));
    EXPECT_EQ(looked->state_after.size(), static_cast<std::size_t>(plan_.state_words));
    // The next row begins with the state that follows this one.
    if (plan_.state_words > 0) {
        ASSERT_TRUE(player_->step(params_, false));
        const auto next = inspector_->look(params_, player_->ring(), 1);
        ASSERT_TRUE(next);
        const bool first = player_->ring().first(player_->ring().head())[1] != 0;
        for (std::size_t i = 0; i < next->state_before.size() && !first; ++i)
            EXPECT_NEAR(next->state_before[i], looked->state_after[i], 1e-5);
    }
    // It survives the transfer.
    const auto again = decodeInspection(encodeInspection(*looked));
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(toJson(*again).dump(), toJson(*looked).dump());
}

TEST_P(Inspected, LookingChangesNoDecision) {
    auto twin = Player::create({.env = findEnv(GetParam().env).value(),
                                .env_params = params_json_,
                                .envs = 2,
                                .seed = 3,
                                .player = {.net = net_, .distribution = distribution_},
                                .selection = Selection::sample},
                               params_);
    ASSERT_TRUE(twin);
    for (int row = 0; row < 7; ++row) ASSERT_TRUE((*twin)->step(params_, false));
    for (int row = 0; row < 30; ++row) {
        ASSERT_TRUE(inspector_->look(params_, player_->ring(), row % 2));
        ASSERT_TRUE(player_->step(params_, false));
        ASSERT_TRUE((*twin)->step(params_, false));
        for (std::size_t env = 0; env < 2; ++env) {
            EXPECT_EQ(player_->cells()[env].now.action, (*twin)->cells()[env].now.action);
            EXPECT_EQ(player_->cells()[env].now.policy, (*twin)->cells()[env].now.policy);
        }
    }
}

// A measurement, run on request: the median of 500 inspections.
TEST_P(Inspected, DISABLED_TimeOfAnInspection) {
    using Seconds = std::chrono::duration<double>;
    std::vector<double> times;
    for (int i = 0; i < 500; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        ASSERT_FALSE(encodeInspection(inspector_->look(params_, player_->ring(), 1).value()).empty());
        times.push_back(Seconds(std::chrono::steady_clock::now() - begin).count());
    }
    std::sort(times.begin(), times.end());
    std::printf("%s: median %.3f ms, 99th percentile %.3f ms\n", GetParam().name.c_str(), times[250] * 1e3,
                times[495] * 1e3);
}

std::vector<NetCase> cases() {
    const std::vector<HeadSpec> q{{"q", "q", 0, true}};
    return {{"vector", "cartpole", {}},
            {"normalised", "acrobot", {.normalise_obs = true}},
            {"continuous", "pendulum", {.squash = true}},
            {"picture", "minatar_breakout", {.hidden = {32}}},
            {"discrete", "repeat_previous_easy", {.hidden = {32}, .core = "gru", .core_size = 16}},
            {"recurrent", "cartpole", {.core = "lstm", .core_size = 16, .previous_action = true}},
            {"masked", "connect_four", {.hidden = {32}}},
            {"q_values", "minatar_freeway", {.hidden = {32}}, q}};
}

INSTANTIATE_TEST_SUITE_P(Networks, Inspected, ::testing::ValuesIn(cases()),
                         [](const auto& test_case) { return test_case.param.name; });

TEST(InspectionBytes, InvalidOnesAreRejected) {
    Inspection inspection;
    inspection.leaves.push_back({"obs", {2}, false, {1, 2}, {3, 4}, {}});
    std::vector<std::byte> bytes = encodeInspection(inspection);
    EXPECT_TRUE(decodeInspection(bytes));
    for (std::size_t cut = 0; cut < bytes.size(); ++cut)
        EXPECT_FALSE(decodeInspection(std::span(bytes).first(cut)));
    inspection.leaves[0].shape = {3};
    EXPECT_FALSE(decodeInspection(encodeInspection(inspection))) << "the shape does not fit the numbers";
}

}  // namespace
}  // namespace seedbed
