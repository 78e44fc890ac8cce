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
            const auto rows = static_cast<int>(ReplayWindows::capacityRows(replay, 3)) + 5 + 3;
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
    // Begins a turn in which all rows enter.
    void turn(ReplayWindows& replay, std::uint64_t decisions) const {
        std::vector<Window> entered;
        for (std::size_t g = 0; g < rings.size(); ++g)
            entered.push_back(
                {static_cast<int>(g), 0, static_cast<int>(rings[g]->head()), 0, rings[g]->columns()});
        replay.turn(std::move(entered), decisions);
    }
    ReplayWindows replay(ReplayWindows::ActingPriorities acting = {}) const {
        return {rings, plan, 9, std::move(acting)};
    }
};

std::vector<std::uint64_t> oldest(const ReplayWindows& replay) {
    return {replay.oldest(0), replay.oldest(1)};
}

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
            w.turn(replay, 12);
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

// Two rows of burn-in, three learned rows, one more ahead; a state is stored at every 4th row.
ReplayPlan sequences(bool prioritised) {
    ReplayPlan settings = plan(prioritised);
    settings.burn_in = 2;
    settings.sequence = 3;
    settings.stride = 4;
    return settings;
}

TEST(Replay, SequencesBeginAtRowsWithAStoredState) {
    for (const bool prioritised : {false, true}) {
        ReplayPlan settings = sequences(prioritised);
        settings.ratio = 8;  // five batches in every turn
        World w(settings);
        ReplayWindows replay = w.replay();
        std::map<std::uint64_t, int> drawn;
        for (int turn = 0; turn < 400; ++turn) {
            w.act(5);
            w.turn(replay, 15);
            const std::uint64_t head = w.rings[0]->head();
            while (const TakenWindows* taken = replay.take())
                for (const Window& window : taken->windows) {
                    EXPECT_EQ(window.t0 % 4, 0u);
                    EXPECT_EQ(window.length, 2 + 3 + 1);
                    EXPECT_GE(window.t0 + 30, head);
                    EXPECT_LE(window.t0 + 6, head);
                    EXPECT_GE(window.t0, w.rings[static_cast<std::size_t>(window.group)]->tail());
                    if (turn > 20) ++drawn[head - window.t0];
                }
        }
        EXPECT_EQ(drawn.size(), 25u) << "every age from 6 to 30";
        int least = 1 << 30, most = 0;
        for (const auto& [age, count] : drawn) {
            least = std::min(least, count);
            most = std::max(most, count);
        }
        // A turn can draw six or seven ages: 543 to 633 draws of each.
        EXPECT_GT(least, 440) << prioritised;
        EXPECT_LT(most, 740) << prioritised;
    }
}

TEST(Replay, ASequenceNeedsALearnedRowWithAnAction) {
    for (const bool prioritised : {false, true}) {
        ReplayPlan settings = sequences(prioritised);
        settings.sequence = 1;
        settings.burn_in = 6;  // the learned row of the window at row 28 k is an extra row
        World w(settings);
        ReplayWindows replay = w.replay();
        std::map<std::uint64_t, int> drawn;
        for (int turn = 0; turn < 200; ++turn) {
            w.act(4);
            w.turn(replay, 12);
            while (const TakenWindows* taken = replay.take())
                for (const Window& window : taken->windows) ++drawn[window.t0 % 28];
        }
        EXPECT_EQ(drawn.count(0), 0u);
        EXPECT_EQ(drawn.size(), 6u) << "the other multiples of 4";
    }
}

TEST(Replay, NewSequencesHaveThePrioritiesOfTheActingNetwork) {
    ReplayPlan settings = sequences(true);
    settings.acting_priorities = true;
    settings.beta = 0;
    World w(settings);
    std::vector<std::uint64_t> entered;
    // The priority of a window is 1 + its column; its rows are recognised by their rewards.
    ReplayWindows replay = w.replay([&](const Chunk& acted, float* priorities) {
        EXPECT_EQ(acted.steps, 3 + 2);
        EXPECT_EQ(acted.learned, 3);
        for (int row = 0; row < acted.rows(); ++row) {
            const auto t = static_cast<std::uint64_t>(row / acted.sequences);
            EXPECT_EQ(acted.reward[row], acted.reward[0] + static_cast<float>(t));
            EXPECT_EQ(acted.policy[2 * row + 1], acted.reward[row]);
            EXPECT_EQ(acted.valid[row] == 0, World::isExtra(static_cast<std::uint64_t>(acted.reward[row])));
        }
        entered.push_back(static_cast<std::uint64_t>(acted.reward[0]));
        for (int s = 0; s < acted.sequences; ++s) priorities[s] = static_cast<float>(1 + s);
    });
    std::map<int, int> drawn;
    for (int turn = 0; turn < 300; ++turn) {
        for (Ring* ring : w.rings)
            for (std::uint64_t t = ring->head(); t < ring->head() + 4; ++t)
                for (int n = 0; n < ring->columns(); ++n) {
                    ring->reward(t)[n] = static_cast<float>(t);
                    ring->policy(t)[2 * n + 1] = static_cast<float>(t);
                }
        w.act(4);
        w.turn(replay, 12);
        while (const TakenWindows* taken = replay.take())
            for (const Window& window : taken->windows) {
                EXPECT_LT(window.t0 + 6, w.rings[0]->head()) << "the last row has its values";
                ++drawn[window.group * 2 + window.column];
            }
    }
    // Each window enters once per ring, with its first learned row.
    ASSERT_GT(entered.size(), 500u);
    for (std::size_t i = 0; i < entered.size(); ++i) EXPECT_EQ(entered[i], 4 * (i / 2) + 2);
    const double total = drawn[0] + drawn[1] + drawn[2];
    EXPECT_NEAR(drawn[0] / total, 0.25, 0.03);
    EXPECT_NEAR(drawn[1] / total, 0.5, 0.03);
    EXPECT_NEAR(drawn[2] / total, 0.25, 0.03);
}

TEST(Replay, TheEffectiveShareShowsHowStronglyPrioritiesConcentrate) {
    ReplayPlan settings = plan(true);
    settings.ratio = 200;
    World w(settings);
    ReplayWindows replay = w.replay();
    EXPECT_EQ(replay.effectiveShare(), 0);
    w.act(28);
    w.turn(replay, 72);
    const auto drawAll = [&](float special) {
        while (const TakenWindows* taken = replay.take()) {
            std::vector<float> priorities;
            for (const Window& window : taken->windows)
                priorities.push_back(window.group == 1 && window.t0 == 10 ? special : 1.0f);
            replay.done(priorities);
        }
    };
    drawAll(1);
    EXPECT_NEAR(replay.effectiveShare(), 1, 1e-6) << "all windows have the same priority";
    w.turn(replay, 72);
    drawAll(1000);
    // Rows 0 to 26 without extra rows 6, 13 and 20 of three columns: 72 windows, one of which has 1000 times
    // the priority of the others.
    w.turn(replay, 72);
    drawAll(1000);
    const double expected = std::pow(71 + 1000, 2) / (72 * (71 + 1e6));
    EXPECT_NEAR(replay.effectiveShare() / expected, 1, 0.02);
}

// As in the async schedule: rows of ring 1 enter two rollouts at a time.
TEST(Replay, RingsMayBeAtDifferentRows) {
    for (const bool prioritised : {false, true}) {
        World w(plan(prioritised));
        ReplayWindows replay = w.replay();
        const auto act = [&](std::size_t ring, int rows) {
            for (int i = 0; i < rows; ++i) {
                Ring& one = *w.rings[ring];
                for (int n = 0; n < one.columns(); ++n)
                    one.valid(one.head())[n] = World::isExtra(one.head()) ? 0 : 1;
                one.advance();
            }
        };
        std::map<std::pair<int, std::uint64_t>, int> drawn;
        std::uint64_t heads[] = {0, 0};
        for (int turn = 0; turn < 600; ++turn) {
            // Ring 0 enters in every turn, ring 1 two rollouts in every second one.
            std::vector<Window> entered{{0, heads[0], 4, 0, 2}};
            act(0, 4);
            heads[0] += 4;
            if (turn % 2 == 1) {
                act(1, 8);
                for (int i = 0; i < 2; ++i, heads[1] += 4) entered.push_back({1, heads[1], 4, 0, 1});
            }
            replay.turn(std::move(entered), 12);
            EXPECT_EQ(replay.rows(),
                      std::min<std::uint64_t>(heads[0], 30) * 2 + std::min<std::uint64_t>(heads[1], 30));
            while (const TakenWindows* taken = replay.take())
                for (const Window& window : taken->windows) {
                    const std::uint64_t head = heads[window.group];
                    EXPECT_GE(window.t0 + 30, head);
                    EXPECT_LE(window.t0 + 2, head);
                    EXPECT_FALSE(World::isExtra(window.t0));
                    if (turn > 20) ++drawn[{window.group, head - window.t0}];
                }
        }
        EXPECT_EQ(drawn.size(), 2 * 29u) << "every age from 2 to 30 in both rings";
        int of_ring[] = {0, 0};
        for (const auto& [key, count] : drawn) of_ring[key.first] += count;
        // Ring 0 has two of the three columns. 13,900 draws: a standard deviation is 0.4 %.
        EXPECT_NEAR(of_ring[0] / static_cast<double>(of_ring[0] + of_ring[1]), 2.0 / 3, 0.02) << prioritised;
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
        w.turn(replay, 12);
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
    w.turn(replay, 72);
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
            w.turn(replay, 72);
            taken = replay.take();
        }
        if (turn < 1000) continue;
        float largest = 0;
        for (std::size_t i = 0; i < taken->windows.size(); ++i) {
            const bool is_special = taken->windows[i].group == 1 && taken->windows[i].t0 == 10;
            ++drawn[is_special];
            largest = std::max(largest, taken->weights[i]);
            // w = (N P)^-1 divided by the largest one in the batch, which is that of the other windows.
            EXPECT_NEAR(taken->weights[i], is_special ? 1.0 / 3 : 1, 1e-5);
        }
        EXPECT_FLOAT_EQ(largest, 1);
    }
    // There are 60 starts: rows 0 to 22 except 6, 13 and 20, in three columns. One of them has three times
    // the weight.
    const double share = static_cast<double>(drawn[true]) / (drawn[true] + drawn[false]);
    EXPECT_NEAR(share, 3.0 / 62, 0.004);
    EXPECT_DOUBLE_EQ(replay.largestPriority(), 3);
}

// The starts of all windows of a turn.
std::vector<std::uint64_t> draws(ReplayWindows& replay, World& w) {
    std::vector<std::uint64_t> all;
    w.turn(replay, 12);
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
    for (const bool prioritised : {false, true})
        for (const ReplayPlan& settings : {plan(prioritised), sequences(prioritised)}) {
            World a(settings), b(settings);
            ReplayWindows whole = a.replay(), stopped = b.replay();
            a.act(12);
            b.act(12);
            for (int turn = 0; turn < 30; ++turn) {
                if (turn % 3 == 0) {
                    b.turn(stopped, 12);
                    while (const TakenWindows* taken = stopped.take())
                        stopped.done(std::vector<float>(prioritised ? taken->windows.size() : 0, 50.0f));
                    stopped.revert();
                }
                EXPECT_EQ(draws(whole, a), draws(stopped, b)) << "turn " << turn;
            }
        }
}

TEST(Replay, ASavedReplayContinuesBitForBit) {
    for (const bool prioritised : {false, true})
        for (const ReplayPlan& settings : {plan(prioritised), sequences(prioritised)}) {
            World w(settings);
            ReplayWindows replay = w.replay();
            w.act(12);
            for (int turn = 0; turn < 20; ++turn) draws(replay, w);
            Archive saved = Archive::saving();
            ASSERT_TRUE(replay.archive(saved, oldest(replay)));
            World other(settings);
            for (std::size_t g = 0; g < w.rings.size(); ++g) {
                Archive rows = Archive::saving();
                ASSERT_TRUE(w.rings[g]->archive(rows, replay.oldest(g)));
                Archive loaded = Archive::loading(rows.bytes());
                ASSERT_TRUE(other.rings[g]->archive(loaded, 0));
            }
            ReplayWindows resumed = other.replay();
            Archive loaded = Archive::loading(saved.bytes());
            ASSERT_TRUE(resumed.archive(loaded, {0, 0}));
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
    ASSERT_TRUE(replay.archive(saved, oldest(replay)));
    for (const auto& ring : w.rings)
        for (std::uint64_t t = ring->tail(); t < ring->head(); ++t)
            std::fill_n(ring->valid(t), ring->columns(), std::uint8_t{0});
    ReplayWindows other = w.replay();
    Archive archive = Archive::loading(saved.bytes());
    EXPECT_FALSE(other.archive(archive, {0, 0}));
}

TEST(Replay, RefusesASavedStateThatDoesNotFitTheRows) {
    World w(plan(true));
    ReplayWindows replay = w.replay();
    w.act(12);
    for (int turn = 0; turn < 20; ++turn) draws(replay, w);
    Archive saved = Archive::saving();
    ASSERT_TRUE(replay.archive(saved, oldest(replay)));
    const std::vector<std::uint8_t> good = saved.bytes();
    const auto load = [&](const std::vector<std::uint8_t>& bytes) {
        ReplayWindows other = w.replay();
        Archive archive = Archive::loading(bytes);
        Result<> loaded = other.archive(archive, {0, 0});
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
