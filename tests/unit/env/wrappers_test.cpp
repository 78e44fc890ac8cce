// SPDX-License-Identifier: Apache-2.0
// Wrappers: executed actions, summed rewards, episode ends, and the resulting spec.
#include "core/env/wrappers.hpp"

#include <chrono>

#include <gtest/gtest.h>

#include "core/env/several_agents/central_critic.hpp"
#include "tests/unit/env/counting_env.hpp"

namespace seedbed::test {
namespace {

// Reward = 100 * step + action; ends after `length` steps, by truncation if `length` is odd.
class Tape final : public Env {
public:
    explicit Tape(int length) : length_(length) {}
    static EnvSpec spec() {
        EnvSpec spec;
        spec.id = "tape";
        spec.spaces.obs = {ObsLeaf{.shape = {1}}};
        spec.spaces.actions = {ActionLeaf{.n = 10}};
        spec.horizon = 10;
        spec.reward_low = -1;
        spec.reward_high = 2;
        return spec;
    }
    void reset(Rng&) override {
        step_ = 0;
        ++resets;
    }
    StepResult step(const float* actions, float* rewards, Rng&) override {
        rewards[0] = static_cast<float>(100 * step_) + actions[0];
        executed.push_back(actions[0]);
        const bool end = ++step_ == length_;
        return {rewards[0], end && length_ % 2 == 0, end && length_ % 2 == 1};
    }
    void observe(int, ObsOut out) const override { *out.leaf<float>(0) = static_cast<float>(step_); }
    void draw(Scene& scene) const override { scene.clear(-1, -1, 1, 1); }
    void archive(Archive& archive) override { archive.field("step", step_, range(0, 1000)); }
    Json state() const override { return {{"step", step_}}; }
    Result<> setState(const Json& state) override {
        step_ = state.at("step").get<int>();
        return {};
    }

    std::vector<float> executed;
    int resets = 0;

private:
    int length_;
    int step_ = 0;
};

struct Wrapped {
    std::vector<Tape*> tapes;
    std::unique_ptr<LocalBatch> batch;
    std::vector<Rng> rngs;
    std::vector<float> actions, rewards;
    std::vector<std::uint8_t> active, terminated, truncated;

    Wrapped(const WrapperParams& params, const std::vector<int>& lengths) {
        std::vector<std::unique_ptr<Env>> envs;
        for (const int length : lengths) {
            auto tape = std::make_unique<Tape>(length);
            tapes.push_back(tape.get());
            envs.push_back(std::move(tape));
            rngs.emplace_back(1, RngPurpose::test, static_cast<std::uint32_t>(rngs.size()));
        }
        batch = wrapBatch(batchOf(Tape::spec(), std::move(envs)), params);
        actions.resize(lengths.size());
        rewards.resize(lengths.size());
        active.assign(lengths.size(), 1);
        terminated.resize(lengths.size());
        truncated.resize(lengths.size());
        for (std::size_t env = 0; env < lengths.size(); ++env) batch->reset(static_cast<int>(env), rngs[env]);
    }
    void step() {
        ASSERT_TRUE(batch->step(actions.data(), active.data(), rngs.data(), rewards.data(), terminated.data(),
                                truncated.data()));
    }
};

TEST(Wrappers, NoneChangesNothing) {
    auto batch = countingBatch({}, 1);
    const LocalBatch* before = batch.get();
    batch = wrapBatch(std::move(batch), {.reward_clip = 1, .reward_scale = 2});
    EXPECT_EQ(batch.get(), before) << "the vectoriser, not a wrapper, clips and scales";
}

// The actual time is longer on a busy machine, never shorter.
TEST(Wrappers, ADelayTakesTimeForEveryActiveEnvironmentAndChangesNothingElse) {
    Wrapped wrapped({.step_ms = 2}, {9, 9, 9});
    wrapped.active[1] = 0;
    const auto begin = std::chrono::steady_clock::now();
    wrapped.step();
    EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(4));
    EXPECT_EQ(wrapped.tapes[0]->executed.size(), 1U);
    EXPECT_TRUE(wrapped.tapes[1]->executed.empty());
}

TEST(Wrappers, ActionRepeatSumsRewardsAndStopsAtTheEnd) {
    Wrapped wrapped({.action_repeat = 3}, {4, 7, 100, 3});
    wrapped.active[3] = 0;
    wrapped.actions = {1, 2, 3, 4};
    wrapped.rewards[3] = -5;
    wrapped.step();
    EXPECT_EQ(wrapped.rewards, (std::vector<float>{303, 306, 309, -5}));
    EXPECT_EQ(wrapped.terminated[0], 0);
    wrapped.step();
    EXPECT_EQ(wrapped.rewards[0], 301) << "the last decision has only one step";
    EXPECT_EQ(wrapped.terminated[0], 1);
    EXPECT_EQ(wrapped.rewards[1], 300 + 400 + 500 + 6);
    EXPECT_EQ(wrapped.truncated[1], 0);
    wrapped.active[0] = 0;
    wrapped.step();
    EXPECT_EQ(wrapped.rewards[1], 602);
    EXPECT_EQ(wrapped.truncated[1], 1);
    EXPECT_EQ(wrapped.terminated[1], 0);
    EXPECT_EQ(wrapped.tapes[0]->executed.size(), 4U);
    EXPECT_EQ(wrapped.tapes[2]->executed.size(), 9U);
    EXPECT_TRUE(wrapped.tapes[3]->executed.empty());
    EXPECT_EQ(wrapped.batch->spec().frames_per_step, 3);
    EXPECT_EQ(wrapped.batch->spec().horizon, 4) << "10 steps are 4 decisions, the last one of a single step";
    EXPECT_EQ(wrapped.batch->spec().reward_low, -3);
    EXPECT_EQ(wrapped.batch->spec().reward_high, 6);
}

TEST(Wrappers, StickyActionsRepeatTheExecutedAction) {
    Wrapped always({.sticky_actions = 1}, {100});
    always.actions = {7};
    for (int step = 0; step < 5; ++step) always.step();
    EXPECT_EQ(always.tapes[0]->executed, (std::vector<float>{0, 0, 0, 0, 0}))
        << "after a reset the previous action is 0";

    // With distinct actions, each executed action is either the chosen one or the previously executed one.
    Wrapped sometimes({.sticky_actions = 0.25}, {100000});
    int repeated = 0;
    float before = 0;
    constexpr int kSteps = 20000;
    for (int step = 0; step < kSteps; ++step) {
        const float chosen = before == 3 ? 4.0F : 3.0F;
        sometimes.actions = {chosen};
        sometimes.step();
        const float executed = sometimes.tapes[0]->executed.back();
        ASSERT_TRUE(executed == chosen || executed == before);
        repeated += executed == before ? 1 : 0;
        before = executed;
    }
    // Five standard deviations of a binomial count.
    EXPECT_NEAR(repeated, kSteps * 0.25, 5 * std::sqrt(kSteps * 0.25 * 0.75));
}

TEST(Wrappers, StickyActionsAreSavedAndClearedAtReset) {
    Wrapped wrapped({.sticky_actions = 0.5}, {100});
    wrapped.actions = {7};
    while (wrapped.tapes[0]->executed.empty() || wrapped.tapes[0]->executed.back() != 7) wrapped.step();
    Archive saved = Archive::saving();
    wrapped.batch->archive(0, saved);

    Wrapped restored({.sticky_actions = 1}, {100});
    Archive loading = Archive::loading(saved.bytes());
    restored.batch->archive(0, loading);
    ASSERT_TRUE(loading.finish());
    restored.actions = {2};
    restored.step();
    EXPECT_EQ(restored.tapes[0]->executed.back(), 7);
    restored.batch->reset(0, restored.rngs[0]);
    restored.step();
    EXPECT_EQ(restored.tapes[0]->executed.back(), 0);
}

TEST(Wrappers, NoopStartsPlayOneToTheGivenNumberOfActionsZero) {
    Wrapped wrapped({.noop_starts = 5}, {1000, 1000});
    std::vector<int> counts(6, 0);
    for (int i = 0; i < 300; ++i) {
        const std::size_t other = wrapped.tapes[1]->executed.size();
        wrapped.tapes[0]->executed.clear();
        wrapped.batch->reset(0, wrapped.rngs[0]);
        const std::size_t steps = wrapped.tapes[0]->executed.size();
        ASSERT_GE(steps, 1U);
        ASSERT_LE(steps, 5U);
        ++counts[steps];
        for (const float action : wrapped.tapes[0]->executed) EXPECT_EQ(action, 0);
        EXPECT_EQ(wrapped.tapes[1]->executed.size(), other) << "other environments must not step";
    }
    for (std::size_t steps = 1; steps <= 5; ++steps) EXPECT_GT(counts[steps], 20) << steps;
    // An episode that ends during the no-ops is restarted.
    Wrapped brief({.noop_starts = 5}, {2});
    for (int i = 0; i < 50; ++i) {
        brief.batch->reset(0, brief.rngs[0]);
        EXPECT_LT(brief.batch->state(0).at("step").get<int>(), 2);
    }
}

TEST(Wrappers, TimeLimitReplacesTheHorizon) {
    EXPECT_EQ(wrapSpec(Tape::spec(), {}).horizon, 10);
    EXPECT_EQ(wrapSpec(Tape::spec(), {.time_limit = 0}).horizon, 0);
    EXPECT_EQ(wrapSpec(Tape::spec(), {.action_repeat = 4, .time_limit = 6}).horizon, 6);
    const VectorEnvOptions options =
        vectorOptions(wrapSpec(Tape::spec(), {.time_limit = 6}), {.reward_clip = 1, .reward_scale = 3});
    EXPECT_EQ(options.horizon, 6);
    EXPECT_EQ(options.reward_clip, 1);
    EXPECT_EQ(options.reward_scale, 3);
}

// --- central critic

// The observations of the other agents as `own` sees them: agent + 1, agent + 2 and so on, in a circle.
template <class Values>
auto othersOf(const Place& own, int agents, Values values) {
    auto all = (own.*values)();
    all.clear();
    for (int next = 1; next < agents; ++next) {
        Place other = own;
        other.agent = (own.agent + next) % agents;
        const auto part = (other.*values)();
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

struct Observed {
    std::vector<std::vector<std::uint64_t>> memory;
    std::vector<std::uint8_t*> leaves;
    std::vector<std::uint8_t> mask;

    Observed(const EnvSpec& spec, int count) {
        const auto columns = static_cast<std::size_t>(count * spec.agents);
        for (const ObsLeaf& leaf : spec.spaces.obs) memory.emplace_back((leaf.bytes() * columns + 7) / 8);
        for (auto& bytes : memory) leaves.push_back(reinterpret_cast<std::uint8_t*>(bytes.data()));
        mask.resize(columns * static_cast<std::size_t>(spec.spaces.maskBytes()));
    }
    template <class T>
    std::vector<T> row(std::size_t leaf, int column, std::size_t elements) const {
        const T* begin =
            reinterpret_cast<const T*>(leaves[leaf]) + static_cast<std::size_t>(column) * elements;
        return {begin, begin + elements};
    }
};

TEST(CentralCritic, ShowsTheOtherAgentsInTheirOrderFromTheOwnSeat) {
    constexpr int kAgents = 3, kEnvs = 2;
    auto batch = wrapBatch(countingBatch({.agents = kAgents}, kEnvs), {.central_critic = true});
    const EnvSpec& spec = batch->spec();
    ASSERT_EQ(spec.spaces.obs.size(), 6U);
    EXPECT_EQ(spec.spaces.obs[3].name, "others_place");
    EXPECT_EQ(spec.spaces.obs[3].shape, std::vector<int>{8});
    EXPECT_EQ(spec.spaces.obs[3].labels[7], "agent +2: agent");
    EXPECT_EQ(spec.spaces.obs[4].shape, (std::vector<int>{2, 2, 2}));
    for (std::size_t leaf = 0; leaf < 6; ++leaf) EXPECT_EQ(spec.spaces.obs[leaf].critic_only, leaf >= 3);
    std::vector<Rng> rngs;
    for (int env = 0; env < kEnvs; ++env) {
        rngs.emplace_back(3, RngPurpose::test, static_cast<std::uint32_t>(env));
        batch->reset(env, rngs.back());
    }
    ASSERT_TRUE(batch->setState(1, {{"episode", 5}, {"step", 7}}));
    Observed seen(spec, kEnvs);
    batch->observe(seen.leaves.data(), seen.mask.data());
    for (int column = 0; column < kEnvs * kAgents; ++column) {
        const auto tag = static_cast<int>(seen.row<float>(0, column, 4)[0]);
        const Place own{tag, column < kAgents ? 0 : 5, column < kAgents ? 0 : 7, column % kAgents};
        EXPECT_EQ(seen.row<float>(0, column, 4), own.vector());
        EXPECT_EQ(seen.row<float>(3, column, 8), othersOf(own, kAgents, &Place::vector)) << column;
        EXPECT_EQ(seen.row<std::uint8_t>(4, column, 8), othersOf(own, kAgents, &Place::image)) << column;
        EXPECT_EQ(seen.row<std::int32_t>(5, column, 4), othersOf(own, kAgents, &Place::discrete)) << column;
    }
}

// A batch of another process, whose second agent has left.
class Leaving final : public EnvBatch {
public:
    explicit Leaving(std::unique_ptr<LocalBatch> inner) : inner_(std::move(inner)) {}
    int count() const override { return inner_->count(); }
    const EnvSpec& spec() const override { return inner_->spec(); }
    Result<> begin(const Exchange& exchange) override {
        exchange_ = exchange;
        return {};
    }
    Result<> await() override {
        inner_->observe(exchange_.leaves, exchange_.mask);
        exchange_.flags[1] = column_flag::inactive;
        return {};
    }
    void draw(int, Scene&) const override {}
    void archive(int, Archive&) override {}
    Json state(int) const override { return {}; }
    Result<> setState(int, const Json&) override { return {}; }

private:
    std::unique_ptr<LocalBatch> inner_;
    Exchange exchange_;
};

TEST(CentralCritic, ShowsZerosForAgentsThatHaveLeft) {
    auto inner = countingBatch({.agents = 3}, 1);
    ASSERT_TRUE(inner->setState(0, {{"episode", 3}, {"step", 1}}));
    auto batch = withCentralCritic(std::unique_ptr<EnvBatch>(std::make_unique<Leaving>(std::move(inner))));
    Observed seen(batch->spec(), 1);
    std::vector<std::uint8_t> flags(3, 0);
    Exchange exchange;
    exchange.leaves = seen.leaves.data();
    exchange.mask = seen.mask.data();
    exchange.flags = flags.data();
    ASSERT_TRUE(batch->begin(exchange));
    ASSERT_TRUE(batch->await());
    // The last element of a place is the agent.
    EXPECT_EQ(seen.row<float>(3, 0, 8), (std::vector<float>{0, 0, 0, 0, 0, 3, 1, 2}));
    EXPECT_EQ(seen.row<float>(3, 1, 8), (std::vector<float>{0, 3, 1, 2, 0, 3, 1, 0}));
    EXPECT_EQ(seen.row<float>(3, 2, 8), (std::vector<float>{0, 3, 1, 0, 0, 0, 0, 0}));
}

TEST(CentralCritic, NeedsSeveralAgentsAndFreeNames) {
    const WrapperParams central{.central_critic = true};
    EXPECT_TRUE(checkWrappers(countingSpec({.agents = 2}), central));
    EXPECT_TRUE(checkWrappers(countingSpec({}), {}));
    const auto alone = checkWrappers(countingSpec({}), central);
    ASSERT_FALSE(alone);
    EXPECT_EQ(alone.error().code, ErrorCode::config);
    EXPECT_NE(alone.error().message.find("'counting' has one"), std::string::npos);
    EnvSpec taken = countingSpec({.agents = 2});
    taken.spaces.obs[1].name = "others_count";
    const auto named = checkWrappers(taken, central);
    ASSERT_FALSE(named);
    EXPECT_NE(named.error().message.find("'others_count'"), std::string::npos);
}

}  // namespace
}  // namespace seedbed::test
