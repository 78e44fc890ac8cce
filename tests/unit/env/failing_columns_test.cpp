// SPDX-License-Identifier: Apache-2.0
// Rows of environments in other processes that fail, end without being reset, or lose agents.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "core/env/joined_batch.hpp"
#include "core/env/vector_env.hpp"

namespace seedbed {
namespace {

using namespace column_flag;

// Returns scripted flags; each observation is the number of the exchange, each reward 1.
class Scripted final : public EnvBatch {
public:
    Scripted(int count, int agents, std::deque<std::vector<std::uint8_t>> script)
        : count_(count), script_(std::move(script)) {
        spec_.id = "scripted";
        spec_.agents = agents;
        spec_.spaces.obs = {ObsLeaf{.shape = {1}, .low = 0, .high = 1000}};
        spec_.spaces.actions = {ActionLeaf{.n = 2}};
    }

    int count() const override { return count_; }
    const EnvSpec& spec() const override { return spec_; }
    Result<> begin(const Exchange& exchange) override {
        if (script_.empty()) return fail("the script is over");
        exchange_ = exchange;
        commands.assign(exchange.commands, exchange.commands + count_);
        return {};
    }
    bool ready() override { return !script_.empty(); }
    Result<> await() override {
        const std::vector<std::uint8_t> flags = script_.front();
        script_.pop_front();
        ++exchanges_;
        auto* obs = reinterpret_cast<float*>(exchange_.leaves[0]);
        for (std::size_t column = 0; column < flags.size(); ++column) {
            exchange_.flags[column] = flags[column];
            const bool is_failed = (flags[column] & failed) != 0;
            exchange_.rewards[column] = is_failed ? NAN : 1;
            obs[column] = is_failed ? NAN : static_cast<float>(exchanges_);
        }
        return {};
    }
    std::vector<std::string> takeNotices() override { return {"it broke"}; }
    void draw(int, Scene&) const override {}
    bool canArchive() const override { return false; }
    void archive(int, Archive&) override {}
    Json state(int) const override { return {}; }
    Result<> setState(int, const Json&) override { return {}; }

    std::vector<EnvCommand> commands;

private:
    int count_;
    EnvSpec spec_;
    std::deque<std::vector<std::uint8_t>> script_;
    Exchange exchange_;
    int exchanges_ = 0;
};

struct World {
    World(int count, int agents, std::deque<std::vector<std::uint8_t>> script) {
        auto made = std::make_unique<Scripted>(count, agents, std::move(script));
        batch = made.get();
        ring =
            std::move(*Ring::create({.spaces = made->spec().spaces, .columns = count * agents, .rows = 32}));
        env = std::make_unique<VectorEnv>(std::move(made), *ring, VectorEnvOptions{.seed = 1});
        const auto reset = env->reset();
        EXPECT_TRUE(reset.has_value());
    }
    void step() {
        const auto stepped = env->step(ended);
        ASSERT_TRUE(stepped.has_value()) << stepped.error().text();
    }
    float obs(std::uint64_t t, int column = 0) { return reinterpret_cast<float*>(ring->obs(0, t))[column]; }

    Scripted* batch = nullptr;
    std::unique_ptr<Ring> ring;
    std::unique_ptr<VectorEnv> env;
    std::vector<EpisodeEnd> ended;
};

TEST(FailingColumns, AFailureTurnsTheHeadRowIntoAnExtraRow) {
    World world(2, 1,
                {{first, first}, {0, 0}, {failed, 0}, {failed, 0}, {first, 0}, {terminated | first, 0}});
    for (int i = 0; i < 5; ++i) world.step();
    Ring& ring = *world.ring;
    const auto column = [&](const std::uint8_t* values, int c) { return static_cast<int>(values[c]); };
    // Row 0 is a decision, row 1 the extra row of the failure; rows 1 and 2 keep its observation.
    EXPECT_EQ(column(ring.valid(0), 0), 1);
    EXPECT_EQ(ring.discount(0)[0], 1) << "bootstraps from the extra row";
    for (const std::uint64_t t : {1, 2, 3}) {
        EXPECT_EQ(column(ring.valid(t), 0), 0) << t;
        EXPECT_EQ(ring.reward(t)[0], 0) << t;
        EXPECT_EQ(ring.discount(t)[0], 0) << t;
        EXPECT_EQ(world.obs(t), 2) << t;
    }
    EXPECT_EQ(column(ring.first(4), 0), 1);
    EXPECT_EQ(column(ring.valid(4), 0), 1);
    EXPECT_EQ(world.obs(4), 5);
    // The other column is not affected.
    for (std::uint64_t t = 0; t < 5; ++t) {
        EXPECT_EQ(column(ring.valid(t), 1), 1);
        EXPECT_EQ(ring.reward(t)[1], 1);
        EXPECT_EQ(world.obs(t, 1), static_cast<float>(t + 1));
    }
    // The episode that failed is not counted.
    ASSERT_EQ(world.ended.size(), 1U);
    EXPECT_EQ(world.ended[0].column, 0);
    EXPECT_EQ(world.ended[0].length, 1);
    EXPECT_EQ(world.ended[0].episode_return, 1);
    EXPECT_EQ(world.env->decisions(), 5U + 2U);
    EXPECT_FALSE(world.env->takeNotices().empty());
}

TEST(FailingColumns, OneOfSeveralBatchesMayStop) {
    using Script = std::deque<std::vector<std::uint8_t>>;
    std::vector<std::unique_ptr<EnvBatch>> parts;
    parts.push_back(std::make_unique<Scripted>(2, 1, Script{{first, first}, {0, 0}}));
    parts.push_back(std::make_unique<Scripted>(1, 1, Script{{first}, {0}, {0}, {0}}));
    auto joined = std::make_unique<JoinedBatch>(std::move(parts));
    const auto ring = std::move(*Ring::create({.spaces = joined->spec().spaces, .columns = 3, .rows = 8}));
    VectorEnv env(std::move(joined), *ring, {});
    ASSERT_TRUE(env.reset().has_value());
    std::vector<EpisodeEnd> ended;
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(env.step(ended).has_value());
    EXPECT_EQ(ring->valid(0)[0], 1);
    for (const std::uint64_t t : {1, 2, 3})
        for (const int column : {0, 1, 2}) EXPECT_EQ(ring->valid(t)[column], column == 2 ? 1 : 0) << t;
    const auto notices = env.takeNotices();
    EXPECT_TRUE(std::find(notices.begin(), notices.end(), "the script is over") != notices.end());
    EXPECT_FALSE(env.step(ended).has_value()) << "no environment is left";
}

TEST(FailingColumns, AFailureAtTheStartIsAnError) {
    auto batch = std::make_unique<Scripted>(1, 1, std::deque<std::vector<std::uint8_t>>{{failed}});
    const auto ring = std::move(*Ring::create({.spaces = batch->spec().spaces, .columns = 1, .rows = 8}));
    VectorEnv env(std::move(batch), *ring, {});
    const auto reset = env.reset();
    ASSERT_FALSE(reset.has_value());
    EXPECT_NE(reset.error().text().find("it broke"), std::string::npos);
}

// Vector environments that reset in the step after the last one of an episode (EnvPool, ale-py).
TEST(FailingColumns, ATerminationWithoutAResetHasAnExtraRow) {
    World world(1, 1, {{first}, {terminated}, {first}, {0}});
    world.step();
    EXPECT_EQ(world.batch->commands[0], EnvCommand::step);
    world.step();
    EXPECT_EQ(world.batch->commands[0], EnvCommand::reset);
    world.step();
    Ring& ring = *world.ring;
    EXPECT_EQ(ring.discount(0)[0], 0);
    EXPECT_EQ(ring.valid(1)[0], 0);
    EXPECT_EQ(ring.first(1)[0], 0);
    EXPECT_EQ(ring.first(2)[0], 1);
    EXPECT_EQ(ring.valid(2)[0], 1);
    ASSERT_EQ(world.ended.size(), 1U);
    EXPECT_TRUE(world.ended[0].terminated);
    EXPECT_EQ(world.env->decisions(), 2U);
}

// Atari games in which each life is an episode for the learner.
TEST(FailingColumns, AReturnContinuesAfterALostLife) {
    constexpr std::uint8_t life = terminated | first | continues;
    World world(2, 1, {{first, first}, {0, 0}, {life, 0}, {0, 0}, {terminated | first, 0}, {0, 0}});
    for (int i = 0; i < 4; ++i) world.step();
    Ring& ring = *world.ring;
    EXPECT_EQ(ring.discount(1)[0], 0) << "the lost life ends the learner's episode";
    EXPECT_EQ(ring.first(2)[0], 1);
    EXPECT_EQ(ring.valid(2)[0], 1);
    EXPECT_EQ(ring.discount(2)[0], 1);
    ASSERT_EQ(world.ended.size(), 1U) << "only the complete game counts as an episode";
    EXPECT_EQ(world.ended[0].episode_return, 4);
    EXPECT_EQ(world.ended[0].length, 4);
    EXPECT_EQ(ring.episodeStep(4)[0], 0);
    EXPECT_EQ(ring.episodeStep(4)[1], 4) << "the other column is not affected";
}

TEST(FailingColumns, AnAgentThatLeavesHasNoValidRowsUntilTheNextEpisode) {
    const std::uint8_t over = terminated | first;
    World world(1, 2, {{first, first}, {0, inactive}, {0, inactive}, {over, over}, {0, 0}});
    for (int i = 0; i < 4; ++i) world.step();
    Ring& ring = *world.ring;
    EXPECT_EQ(ring.valid(0)[1], 1);
    EXPECT_EQ(ring.reward(0)[1], 1) << "the last decision of the episode";
    EXPECT_EQ(ring.discount(0)[1], 0);
    for (const std::uint64_t t : {1, 2}) {
        EXPECT_EQ(ring.valid(t)[1], 0) << t;
        EXPECT_EQ(ring.reward(t)[1], 0) << t;
        EXPECT_EQ(ring.valid(t)[0], 1) << t;
    }
    EXPECT_EQ(ring.valid(3)[1], 1);
    EXPECT_EQ(ring.first(3)[1], 1);
    ASSERT_EQ(world.ended.size(), 2U);
    EXPECT_EQ(world.ended[0].episode_return, 3);
    EXPECT_EQ(world.ended[1].episode_return, 1);
    EXPECT_EQ(world.env->decisions(), 8U - 2U);
}

TEST(FailingColumns, AnAgentThatIsTruncatedAloneBootstrapsFromItsLastObservation) {
    const std::uint8_t over = terminated | first;
    World world(1, 2, {{first, first}, {0, inactive | cut}, {0, inactive}, {over, over}, {0, 0}});
    for (int i = 0; i < 4; ++i) world.step();
    Ring& ring = *world.ring;
    EXPECT_EQ(ring.valid(0)[1], 1);
    EXPECT_EQ(ring.discount(0)[1], 1) << "bootstraps from the extra row, row 1";
    EXPECT_EQ(world.obs(1, 1), 2);
    for (const std::uint64_t t : {1, 2}) {
        EXPECT_EQ(ring.valid(t)[1], 0) << t;
        EXPECT_EQ(ring.reward(t)[1], 0) << t;
        EXPECT_EQ(ring.discount(t)[1], 0) << t;
    }
    EXPECT_EQ(ring.valid(3)[1], 1);
    EXPECT_EQ(ring.first(3)[1], 1);
    EXPECT_EQ(world.env->decisions(), 8U - 2U);
}

TEST(FailingColumns, AnAgentThatIsAbsentFromAnEpisodeHasNoValidRowsAndNoEpisode) {
    constexpr std::uint8_t over = terminated | first, absent = first | inactive;
    // Absent after the first reset, after a termination, and after a truncation; present in the last episode.
    World world(1, 2,
                {{first, absent},
                 {0, inactive},
                 {over, over | inactive},
                 {truncated, truncated | inactive},
                 {first, absent},
                 {over, over},
                 {0, 0}});
    for (int i = 0; i < 6; ++i) world.step();
    Ring& ring = *world.ring;
    for (std::uint64_t t = 0; t < 6; ++t) {
        const bool is_extra = t == 3, is_present = t == 5;
        EXPECT_EQ(ring.valid(t)[0], is_extra ? 0 : 1) << t;
        EXPECT_EQ(ring.valid(t)[1], is_present ? 1 : 0) << t;
        EXPECT_EQ(ring.reward(t)[1], is_present ? 1 : 0) << t;
        EXPECT_EQ(ring.discount(t)[1], is_present ? 1 : 0) << t;
    }
    EXPECT_EQ(ring.first(5)[1], 1);
    ASSERT_EQ(world.ended.size(), 3U) << "only the first agent's episodes count";
    for (const EpisodeEnd& end : world.ended) EXPECT_EQ(end.column, 0);
    EXPECT_EQ(world.env->decisions(), 5U + 1U);
}

}  // namespace
}  // namespace seedbed
