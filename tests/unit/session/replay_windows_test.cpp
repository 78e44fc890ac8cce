// SPDX-License-Identifier: Apache-2.0
// The sum tree, and the replay on rings: which rows can be drawn, how often, with which weights, and how many
// gradient steps a turn has.
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "core/session/windows/replay_windows.hpp"

namespace seedbed {
namespace {

TEST(SumTree, FindsLeavesInProportionToTheirWeights) {
    SumTree tree(5);
    const double weights[] = {1, 0, 3, 0, 4};
    for (std::size_t i = 0; i < 5; ++i) tree.set(i, weights[i]);
    EXPECT_DOUBLE_EQ(tree.total(), 8);
    std::map<std::size_t, int> found;
    for (int i = 0; i < 800; ++i) ++found[tree.find(i * 0.01)];
    EXPECT_EQ(found, (std::map<std::size_t, int>{{0, 100}, {2, 300}, {4, 400}}));
    EXPECT_EQ(tree.find(8), 4u) << "rounding beyond the end";
    tree.set(4, 0);
    EXPECT_EQ(tree.find(8), 2u) << "never a leaf of weight 0";
}

TEST(SumTree, DependsOnItsLeavesOnly) {
    Rng rng(3, RngPurpose::test);
    SumTree worked(100), fresh(100);
    for (int i = 0; i < 5000; ++i) worked.set(rng.below(100), rng.uniform() * std::pow(10, rng.below(12)));
    for (std::size_t i = 0; i < 100; ++i) fresh.set(i, worked.weight(i));
    EXPECT_EQ(worked.total(), fresh.total()) << "bit for bit";
}

// Two rings of two and one columns; `extra` marks rows without an action.
struct World {
    std::vector<std::unique_ptr<Ring>> owned;
    std::vector<Ring*> rings;
    LearnPlan plan;

    explicit World(ReplayPlan replay, int n = 2) {
        plan = {.rollout_length = 4, .rows_ahead = n, .replay = replay};
        Spaces spaces;
        spaces.obs = {{.name = "obs", .kind = ObsLeaf::Kind::vector, .dtype = DType::f32, .shape = {1}}};
        spaces.actions = {{.name = "action", .kind = ActionLeaf::Kind::discrete, .n = 2}};
        for (const int columns : {2, 1}) {
            const auto rows = static_cast<int>(ReplayWindows::capacityRows(replay, 3)) + 4 + 3;
            owned.push_back(std::move(
                *Ring::create({.spaces = spaces, .columns = columns, .rows = rows, .policy_words = 2})));
            rings.push_back(owned.back().get());
        }
    }
    static bool isExtra(std::uint64_t t) { return t % 7 == 6; }
    void act(int rows) {
        for (int i = 0; i < rows; ++i)
            for (Ring* ring : rings) {
                ASSERT_TRUE(ring->hasRoom());
                for (int n = 0; n < ring->columns(); ++n)
                    ring->valid(ring->head())[n] = isExtra(ring->head()) ? 0 : 1;
                ring->advance();
            }
    }
    ReplayWindows replay() const { return {rings, plan, 9}; }
};

ReplayPlan plan(bool prioritised = false) {
    return {
        .size = 90, .start = 30, .batch = 8, .ratio = 2, .prioritised = prioritised, .alpha = 1, .beta = 1};
}

TEST(Replay, DrawsEveryStoredActionAndNothingElse) {
    for (const bool prioritised : {false, true}) {
        World w(plan(prioritised));
        ReplayWindows replay = w.replay();
        std::map<std::uint64_t, int> drawn;
        for (int turn = 0; turn < 400; ++turn) {
            w.act(4);
            replay.turn(12);
            const std::uint64_t head = w.rings[0]->head();
            while (const TakenWindows* taken = replay.take())
                for (const Window& window : taken->windows) {
                    // 30 rows per column; a window of n = 2 rows, and the observation after it.
                    EXPECT_GE(window.t0 + 30, head);
                    EXPECT_LE(window.t0 + 2, head);
                    EXPECT_EQ(window.length, 2);
                    EXPECT_FALSE(World::isExtra(window.t0));
                    EXPECT_LT(window.column, w.rings[static_cast<std::size_t>(window.group)]->columns());
                    EXPECT_GE(window.t0, w.rings[static_cast<std::size_t>(window.group)]->tail());
                    if (turn > 20) ++drawn[head - window.t0];
                }
        }
        EXPECT_EQ(drawn.size(), 29u) << "every age from 2 to 30";
        int least = 1 << 30, most = 0;
        for (const auto& [age, count] : drawn) {
            least = std::min(least, count);
            most = std::max(most, count);
        }
        // Ages of extra rows differ by turn, so all ages are equally frequent: about 314 draws each.
        EXPECT_GT(least, 240) << prioritised;
        EXPECT_LT(most, 400) << prioritised;
    }
}

TEST(Replay, LearnsExactlyTheRatioAfterItsStart) {
    ReplayPlan settings = plan();
    settings.ratio = 0.7;
    World w(settings);
    ReplayWindows replay = w.replay();
    std::uint64_t steps = 0, decisions = 0;
    for (int turn = 0; turn < 200; ++turn) {
        w.act(4);
        replay.turn(12);
        EXPECT_EQ(replay.missing(), turn < 2 ? 30u - 12u * static_cast<unsigned>(turn + 1) : 0u);
        if (turn >= 2) decisions += 12;
        while (replay.take() != nullptr) {
            EXPECT_GE(turn, 2) << "before its start";
            ++steps;
        }
        EXPECT_EQ(steps, decisions * 7 / 80);
    }
}

TEST(Replay, DrawsByPriorityAndWeighsByImportance) {
    World w(plan(true));
    ReplayWindows replay = w.replay();
    w.act(24);
    replay.turn(72);
    // The first draws have equal weights. Then row 10 of ring 1 gets 3 times the others' priority.
    const TakenWindows* taken = replay.take();
    ASSERT_NE(taken, nullptr);
    for (const float weight : taken->weights) EXPECT_FLOAT_EQ(weight, 1);
    std::map<bool, int> drawn;
    for (int turn = 0; turn < 4000; ++turn) {
        std::vector<float> priorities;
        for (const Window& window : taken->windows)
            priorities.push_back(window.group == 1 && window.t0 == 10 ? 3.0f : 1.0f);
        replay.done(priorities);
        taken = replay.take();
        if (taken == nullptr) {
            replay.turn(72);
            taken = replay.take();
        }
        if (turn < 1000) continue;
        float largest = 0;
        for (std::size_t i = 0; i < taken->windows.size(); ++i) {
            const bool is_special = taken->windows[i].group == 1 && taken->windows[i].t0 == 10;
            ++drawn[is_special];
            largest = std::max(largest, taken->weights[i]);
            // w = (N P)^-1 over the largest of the batch, which is that of the others.
            EXPECT_NEAR(taken->weights[i], is_special ? 1.0 / 3 : 1, 1e-5);
        }
        EXPECT_FLOAT_EQ(largest, 1);
    }
    // Starts: rows 0 to 22 without rows 6, 13 and 20, three columns: 60; one of them counts three times.
    const double share = static_cast<double>(drawn[true]) / (drawn[true] + drawn[false]);
    EXPECT_NEAR(share, 3.0 / 62, 0.004);
    EXPECT_DOUBLE_EQ(replay.largestPriority(), 3);
}

// The starts of all windows of a turn.
std::vector<std::uint64_t> draws(ReplayWindows& replay, World& w) {
    std::vector<std::uint64_t> all;
    replay.turn(12);
    while (const TakenWindows* taken = replay.take()) {
        std::vector<float> priorities;
        for (const Window& window : taken->windows) {
            all.push_back(window.t0 * 4 + static_cast<std::uint64_t>(window.column + 2 * window.group));
            priorities.push_back(static_cast<float>(window.t0 % 5));
        }
        for (const float weight : taken->weights) all.push_back(static_cast<std::uint64_t>(weight * 1e6f));
        replay.done(priorities);
    }
    w.act(4);
    return all;
}

TEST(Replay, AnAbandonedTurnLeavesNoTrace) {
    for (const bool prioritised : {false, true}) {
        World a(plan(prioritised)), b(plan(prioritised));
        ReplayWindows whole = a.replay(), stopped = b.replay();
        a.act(12);
        b.act(12);
        for (int turn = 0; turn < 30; ++turn) {
            if (turn % 3 == 0) {
                stopped.turn(12);
                while (const TakenWindows* taken = stopped.take())
                    stopped.done(std::vector<float>(prioritised ? taken->windows.size() : 0, 50.0f));
                stopped.revert();
            }
            EXPECT_EQ(draws(whole, a), draws(stopped, b)) << "turn " << turn;
        }
    }
}

TEST(Replay, ASavedReplayContinuesBitForBit) {
    for (const bool prioritised : {false, true}) {
        World w(plan(prioritised));
        ReplayWindows replay = w.replay();
        w.act(12);
        for (int turn = 0; turn < 20; ++turn) draws(replay, w);
        Archive saved = Archive::saving();
        ASSERT_TRUE(replay.archive(saved, replay.oldest()));
        World other(plan(prioritised));
        for (std::size_t g = 0; g < w.rings.size(); ++g) {
            Archive rows = Archive::saving();
            ASSERT_TRUE(w.rings[g]->archive(rows, replay.oldest()));
            Archive loaded = Archive::loading(rows.bytes());
            ASSERT_TRUE(other.rings[g]->archive(loaded, 0));
        }
        ReplayWindows resumed = other.replay();
        Archive loaded = Archive::loading(saved.bytes());
        ASSERT_TRUE(resumed.archive(loaded, 0));
        EXPECT_TRUE(loaded.finish());
        for (int turn = 0; turn < 20; ++turn) EXPECT_EQ(draws(replay, w), draws(resumed, other)) << turn;
    }
}

// Drawing from such rows would never end.
TEST(Replay, RefusesRowsWithoutAnAction) {
    World w(plan(false));
    ReplayWindows replay = w.replay();
    w.act(12);
    for (int turn = 0; turn < 20; ++turn) draws(replay, w);
    Archive saved = Archive::saving();
    ASSERT_TRUE(replay.archive(saved, replay.oldest()));
    for (const auto& ring : w.rings)
        for (std::uint64_t t = ring->tail(); t < ring->head(); ++t)
            std::fill_n(ring->valid(t), ring->columns(), std::uint8_t{0});
    ReplayWindows other = w.replay();
    Archive archive = Archive::loading(saved.bytes());
    EXPECT_FALSE(other.archive(archive, 0));
}

TEST(Replay, RefusesASavedStateThatDoesNotFitTheRows) {
    World w(plan(true));
    ReplayWindows replay = w.replay();
    w.act(12);
    for (int turn = 0; turn < 20; ++turn) draws(replay, w);
    Archive saved = Archive::saving();
    ASSERT_TRUE(replay.archive(saved, replay.oldest()));
    const std::vector<std::uint8_t> good = saved.bytes();
    const auto load = [&](const std::vector<std::uint8_t>& bytes) {
        ReplayWindows other = w.replay();
        Archive archive = Archive::loading(bytes);
        Result<> loaded = other.archive(archive, 0);
        return loaded ? archive.finish() : loaded;
    };
    ASSERT_TRUE(load(good));
    // Oldest row, end, decisions, largest priority.
    for (std::size_t field = 0; field < 4; ++field)
        for (const std::uint8_t byte : {0x00, 0xff}) {
            std::vector<std::uint8_t> bad = good;
            std::fill_n(bad.begin() + static_cast<std::ptrdiff_t>(8 * field), 8, byte);
            if (byte == 0 && field >= 2) continue;  // zero is legal there
            EXPECT_FALSE(load(bad)) << "field " << field;
        }
    std::vector<std::uint8_t> nan = good;
    std::fill_n(nan.end() - 8, 8, std::uint8_t{0xff});
    EXPECT_FALSE(load(nan)) << "a priority";
    EXPECT_FALSE(load({good.begin(), good.end() - 1}));
}

}  // namespace
}  // namespace seedbed
