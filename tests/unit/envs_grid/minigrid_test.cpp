// SPDX-License-Identifier: Apache-2.0
// The rules and the view of MiniGrid: visibility compared with its definition, doors and keys, the ends of
// episodes, and the generation of maps.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "envs/minigrid.hpp"
#include "tests/unit/envs_grid/env_under_test.hpp"

namespace seedbed::minigrid {
namespace {

using Rows = std::array<std::uint8_t, kView>;

// Grid.process_vis of the original, cell by cell.
Rows visibleByDefinition(const Rows& transparent) {
    bool mask[kView][kView] = {};
    mask[kView / 2][kView - 1] = true;
    const auto clear = [&](int x, int y) { return (transparent[static_cast<std::size_t>(y)] >> x & 1) != 0; };
    for (int y = kView - 1; y >= 0; --y) {
        for (int x = 0; x < kView - 1; ++x) {
            if (!mask[x][y] || !clear(x, y)) continue;
            mask[x + 1][y] = true;
            if (y > 0) mask[x + 1][y - 1] = mask[x][y - 1] = true;
        }
        for (int x = kView - 1; x > 0; --x) {
            if (!mask[x][y] || !clear(x, y)) continue;
            mask[x - 1][y] = true;
            if (y > 0) mask[x - 1][y - 1] = mask[x][y - 1] = true;
        }
    }
    Rows rows{};
    for (std::size_t y = 0; y < kView; ++y)
        for (std::size_t x = 0; x < kView; ++x)
            rows[y] = static_cast<std::uint8_t>(rows[y] | (mask[x][y] ? 1U << x : 0U));
    return rows;
}

TEST(MiniGridView, SeesExactlyTheCellsOfTheOriginalsDefinitionOn200000RandomViews) {
    Rng rng(3, RngPurpose::test);
    for (int view = 0; view < 200'000; ++view) {
        Rows transparent, visible;
        // The view contains few walls, or almost only walls.
        const double walls = 0.05 + 0.9 * rng.uniform();
        for (std::uint8_t& row : transparent) {
            row = 0;
            for (int x = 0; x < kView; ++x)
                row = static_cast<std::uint8_t>(row | (rng.bernoulli(walls) ? 0U : 1U << x));
        }
        spreadLight(transparent, visible);
        ASSERT_EQ(visible, visibleByDefinition(transparent)) << "view " << view << " of seed 3";
    }
}

TEST(MiniGridView, ShowsTheWholeRoomThroughWallsAndTurnsWithTheAgent) {
    EnvUnderTest env("minigrid_empty_5x5");
    // Looking right from (1, 1): the goal at (3, 3) is two ahead and two to the right.
    EXPECT_EQ(env.choice(1), 0);
    EXPECT_EQ(env.pixel(0, 0, 4, 5), static_cast<int>(Kind::goal));
    EXPECT_EQ(env.pixel(0, 1, 4, 5), static_cast<int>(Paint::green));
    // There is a wall to the left of the agent; everything outside the map is wall.
    EXPECT_EQ(env.pixel(0, 0, 6, 2), static_cast<int>(Kind::wall));
    EXPECT_EQ(env.pixel(0, 0, 0, 0), static_cast<int>(Kind::wall));
    env.step(kRight);
    EXPECT_EQ(env.choice(1), 1);
    EXPECT_EQ(env.pixel(0, 0, 4, 1), static_cast<int>(Kind::goal));
}

// OneHotPartialObsWrapper of the original: eleven types, six colours, three door states.
TEST(MiniGridView, HasAPlanePerTypeColourAndDoorStateOnRequest) {
    for (const char* id : {"minigrid_door_key_5x5", "minigrid_memory_s7", "minigrid_dynamic_obstacles_6x6",
                           "minigrid_four_rooms", "minigrid_lava_crossing_s9n1", "minigrid_empty_5x5"}) {
        EnvUnderTest plain(id), planes(id, Json{{"one_hot", true}});
        ASSERT_EQ(planes.spec().spaces.obs[0].shape, (std::vector<int>{20, kView, kView})) << id;
        Rng rng(5, RngPurpose::test);
        for (int t = 0; t < 300; ++t) {
            for (int i = 0; i < kView * kView; ++i) {
                const int y = i / kView, x = i % kView;
                std::set<int> ones;
                for (int plane = 0; plane < 20; ++plane)
                    if (planes.pixel(0, plane, y, x) != 0) ones.insert(plane);
                const std::set<int> wanted{plain.pixel(0, 0, y, x), 11 + plain.pixel(0, 1, y, x),
                                           17 + plain.pixel(0, 2, y, x)};
                ASSERT_EQ(ones, wanted) << id << " step " << t << " cell " << x << ", " << y;
            }
            const auto n = static_cast<std::uint32_t>(plain.spec().spaces.actions[0].n);
            const auto action = static_cast<float>(rng.below(n));
            const bool continues = plain.step(action);
            ASSERT_EQ(planes.step(action), continues);
            if (continues) continue;
            plain.reset();
            planes.reset();
        }
    }
}

Json cellJson(int type, int colour, int state) { return {type, colour, state}; }

// DoorKey 5x5 with the agent at (1, 1) looking down at the key at (1, 2), and the locked door at (2, 1).
Json doorKeyState() {
    EnvUnderTest env("minigrid_door_key_5x5");
    Json state = env.state();
    for (Json& row : state["grid"])
        for (Json& cell : row)
            if (cell[0] == 5) cell = cellJson(1, 0, 0);
    for (std::size_t y = 1; y < 4; ++y) state["grid"][y][2] = cellJson(2, 5, 0);
    state["grid"][2][1] = cellJson(5, 4, 0);
    state["grid"][1][2] = cellJson(4, 4, 2);
    state["pos"] = {1, 1};
    state["dir"] = 1;
    state["carry"] = nullptr;
    state["t"] = 0;
    return state;
}

TEST(MiniGridDoorKey, OpensTheLockedDoorOnlyWithTheKeyAndEndsAtTheGoal) {
    EnvUnderTest env("minigrid_door_key_5x5");
    env.setState(doorKeyState());
    // Without the key the door stays locked.
    env.step(kLeft);
    env.step(kToggle);
    EXPECT_EQ(env.state()["grid"][1][2], cellJson(4, 4, 2));
    env.step(kForward);
    EXPECT_EQ(env.state()["pos"], Json({1, 1})) << "a locked door blocks the way";
    env.step(kRight);
    env.step(kPickup);
    EXPECT_EQ(env.state()["carry"], cellJson(5, 4, 0));
    EXPECT_EQ(env.state()["grid"][2][1], cellJson(1, 0, 0));
    EXPECT_EQ(env.pixel(0, 0, 6, 3), static_cast<int>(Kind::key))
        << "the carried object is visible at the agent's own cell";
    env.step(kLeft);
    env.step(kToggle);
    EXPECT_EQ(env.state()["grid"][1][2], cellJson(4, 4, 0));
    // (1,1) -> (2,1) -> (3,1), then down to the goal at (3,3).
    for (const Move move : {kForward, kForward, kRight, kForward}) ASSERT_TRUE(env.step(move));
    EXPECT_FALSE(env.step(kForward));
    EXPECT_TRUE(env.terminated());
    const int steps = env.state()["t"].get<int>();
    EXPECT_EQ(steps, 12);
    EXPECT_FLOAT_EQ(env.reward(), static_cast<float>(1 - 0.9 * steps / 250.0));
}

TEST(MiniGridDoorKey, DropsOnlyOntoEmptyCellsAndClosesAnOpenDoor) {
    EnvUnderTest env("minigrid_door_key_5x5");
    env.setState(doorKeyState());
    env.step(kPickup);
    env.step(kLeft);
    env.step(kDrop);
    EXPECT_EQ(env.state()["carry"], cellJson(5, 4, 0)) << "the key was not dropped onto the door";
    env.step(kToggle);
    env.step(kToggle);
    EXPECT_EQ(env.state()["grid"][1][2], cellJson(4, 4, 1)) << "an open door closes but is not locked again";
    env.step(kRight);
    env.step(kDrop);
    EXPECT_EQ(env.state()["carry"], Json());
    EXPECT_EQ(env.state()["grid"][2][1], cellJson(5, 4, 0));
    env.step(kLeft);
    env.step(kToggle);
    EXPECT_EQ(env.state()["grid"][1][2], cellJson(4, 4, 0)) << "a closed door opens without a key";
}

TEST(MiniGridDoorKey, HidesTheOtherRoomBehindTheClosedDoor) {
    EnvUnderTest env("minigrid_door_key_5x5");
    Json state = doorKeyState();
    state["dir"] = 0;
    env.setState(state);
    EXPECT_EQ(env.pixel(0, 0, 5, 3), static_cast<int>(Kind::open_door));
    EXPECT_EQ(env.pixel(0, 2, 5, 3), 2);
    EXPECT_EQ(env.pixel(0, 0, 4, 3), static_cast<int>(Kind::unseen));
    state["grid"][1][2] = cellJson(4, 4, 0);
    env.setState(state);
    EXPECT_EQ(env.pixel(0, 0, 4, 3), static_cast<int>(Kind::empty));
}

TEST(MiniGridMission, IsOneOfFiveAndFixedByTheEnvironment) {
    std::set<int> missions;
    for (const char* id : {"minigrid_empty_8x8", "minigrid_door_key_8x8", "minigrid_four_rooms",
                           "minigrid_memory_s7", "minigrid_lava_crossing_s9n1"}) {
        EnvUnderTest env(id);
        missions.insert(env.choice(2));
        EXPECT_EQ(env.spec().spaces.obs[2].cardinality, 5);
    }
    EXPECT_EQ(missions.size(), 5U);
    EnvUnderTest balls("minigrid_dynamic_obstacles_6x6"), empty("minigrid_empty_6x6");
    EXPECT_EQ(balls.choice(2), empty.choice(2));
    EXPECT_EQ(empty.spec().spaces.obs[2].labels, std::vector<std::string>{"get to the green goal square"});
}

TEST(MiniGridMemory, RewardsTheObjectThatWasSeenAndEndsAtEither) {
    int successes = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        EnvUnderTest env("minigrid_memory_s7", Json::object(), seed);
        const Json grid = env.state()["grid"];
        const bool upper_matches = grid[2][1] == grid[1][5];
        const bool go_up = seed % 2 == 0;
        // Down the hallway to column 5, then up or down by one.
        while (env.state()["pos"][0] != 5) ASSERT_TRUE(env.step(kForward));
        env.step(go_up ? kLeft : kRight);
        EXPECT_FALSE(env.step(kForward));
        EXPECT_TRUE(env.terminated());
        EXPECT_EQ(env.reward() > 0.9f, go_up == upper_matches) << "seed " << seed;
        EXPECT_TRUE(env.reward() == 0 || env.reward() > 0.9f);
        successes += env.reward() > 0 ? 1 : 0;
    }
    EXPECT_GT(successes, 5);
    EXPECT_LT(successes, 35);
}

TEST(MiniGridMemory, PicksNothingUp) {
    EnvUnderTest env("minigrid_memory_s7");
    Json state = env.state();
    state["pos"] = {1, 3};
    state["dir"] = 3;
    env.setState(state);
    env.step(kPickup);
    EXPECT_EQ(env.state()["carry"], Json());
    EXPECT_EQ(env.state()["grid"], state["grid"]);
}

TEST(MiniGridMemory, RejectsAGridWithoutAGoalAndKeepsItsOwn) {
    EnvUnderTest env("minigrid_memory_s7");
    const Json before = env.state();
    Json state = before;
    state["grid"][2][1] = cellJson(1, 0, 0);
    state["t"] = 5;
    EXPECT_FALSE(env.batch().setState(0, state).has_value());
    EXPECT_EQ(env.state(), before);
}

// Cells that can be reached from the agent's cell, through doors but not through lava.
bool goalCanBeReached(const Json& state) {
    std::set<std::pair<int, int>> seen;
    std::vector<std::pair<int, int>> waiting = {{state["pos"][0].get<int>(), state["pos"][1].get<int>()}};
    while (!waiting.empty()) {
        const auto [x, y] = waiting.back();
        waiting.pop_back();
        if (!seen.emplace(x, y).second) continue;
        const int type =
            state["grid"][static_cast<std::size_t>(y)][static_cast<std::size_t>(x)][0].get<int>();
        if (type == 8) return true;
        if (type == 2 || type == 9) continue;
        for (const auto& [dx, dy] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}})
            waiting.emplace_back(x + dx, y + dy);
    }
    return false;
}

TEST(MiniGridMaps, AlwaysHaveAWayToTheGoal) {
    for (const std::string& id : envRegistry().ids()) {
        if (!id.starts_with("minigrid_") || id.find("memory") != std::string::npos) continue;
        EnvUnderTest env(id);
        for (int map = 0; map < 200; ++map) {
            ASSERT_TRUE(goalCanBeReached(env.state())) << id << " map " << map << " " << env.state().dump();
            env.reset();
        }
    }
}

TEST(MiniGridMaps, HaveTheConfiguredNumberOfRivers) {
    for (const auto& [id, rivers] :
         {std::pair{"minigrid_lava_crossing_s9n1", 1}, {"minigrid_lava_crossing_s9n3", 3}}) {
        EnvUnderTest env(id);
        for (int map = 0; map < 100; ++map) {
            const Json grid = env.state()["grid"];
            std::set<int> columns, rows;
            // A river is a column or row with lava in at least half of it.
            for (std::size_t i = 1; i < 8; ++i) {
                int across = 0, down = 0;
                for (std::size_t k = 1; k < 8; ++k) {
                    across += grid[i][k][0] == 9 ? 1 : 0;
                    down += grid[k][i][0] == 9 ? 1 : 0;
                }
                if (across >= 5) rows.insert(static_cast<int>(i));
                if (down >= 5) columns.insert(static_cast<int>(i));
            }
            EXPECT_EQ(columns.size() + rows.size(), static_cast<std::size_t>(rivers)) << grid.dump();
            env.reset();
        }
    }
}

TEST(MiniGridMaps, RoundAnEvenSizeUp) {
    EnvUnderTest env("minigrid_lava_crossing_s9n1", {{"size", 10}});
    EXPECT_EQ(env.state()["grid"].size(), 11U);
    EXPECT_EQ(env.spec().horizon, 4 * 121);
}

TEST(MiniGridLava, EndsTheEpisodeWithoutReward) {
    EnvUnderTest env("minigrid_lava_crossing_s9n1");
    Json state = env.state();
    state["grid"][1][2] = cellJson(9, 0, 0);
    env.setState(state);
    EXPECT_FALSE(env.step(kForward));
    EXPECT_TRUE(env.terminated());
    EXPECT_EQ(env.reward(), 0);
}

// --- Dynamic-Obstacles

std::set<std::pair<int, int>> ballsOf(const Json& state) {
    std::set<std::pair<int, int>> balls;
    for (std::size_t y = 0; y < state["grid"].size(); ++y)
        for (std::size_t x = 0; x < state["grid"].size(); ++x)
            if (state["grid"][y][x][0] == 6) balls.emplace(static_cast<int>(x), static_cast<int>(y));
    return balls;
}

TEST(MiniGridDynamicObstacles, PunishesBumpingIntoAWall) {
    EnvUnderTest env("minigrid_dynamic_obstacles_5x5");
    env.step(kLeft);
    EXPECT_FALSE(env.step(kForward));
    EXPECT_EQ(env.reward(), -1);
    EXPECT_TRUE(env.terminated());
}

TEST(MiniGridDynamicObstacles, MovesEveryBallToAFreeNeighbourWithEqualProbability) {
    EnvUnderTest env("minigrid_dynamic_obstacles_8x8", {{"obstacles", 1}});
    Json state = env.state();
    for (Json& row : state["grid"])
        for (Json& cell : row)
            if (cell[0] == 6) cell = cellJson(1, 0, 0);
    state["grid"][3][3] = cellJson(6, 2, 0);
    std::map<std::pair<int, int>, int> counts;
    constexpr int kTrials = 8000;
    for (int trial = 0; trial < kTrials; ++trial) {
        env.setState(state);
        env.step(kLeft);
        const auto balls = ballsOf(env.state());
        ASSERT_EQ(balls.size(), 1U);
        ++counts[*balls.begin()];
    }
    EXPECT_EQ(counts.size(), 8U);
    EXPECT_EQ(counts.count({3, 3}), 0U) << "a ball moves whenever a cell is free";
    // Five standard deviations of a binomial count.
    for (const auto& [cell, count] : counts)
        EXPECT_NEAR(count, kTrials / 8, 5 * std::sqrt(kTrials * 7.0 / 64))
            << cell.first << "," << cell.second;
}

TEST(MiniGridDynamicObstacles, AcceptsLegalOutcomesOfTheOriginalAndRejectsOthers) {
    EnvUnderTest env("minigrid_dynamic_obstacles_6x6");
    const float action = kRight;
    for (int trial = 0; trial < 200; ++trial) {
        env.reset();
        const Json before = env.state();
        EnvUnderTest other("minigrid_dynamic_obstacles_6x6", Json::object(),
                           1000 + static_cast<std::uint64_t>(trial));
        other.setState(before);
        other.step(action);
        const Json after = other.state();
        env.step(action);
        const auto adopted = env.batch().adoptOutcome(0, before, &action, after);
        ASSERT_TRUE(adopted.has_value()) << adopted.error().text();
        EXPECT_EQ(env.state(), after);

        // The same with one ball moved to a cell that was not adjacent to any ball.
        Json illegal = after;
        const auto ball = *ballsOf(after).begin();
        const auto old = ballsOf(before);
        bool placed = false;
        for (int y = 1; y < 5 && !placed; ++y) {
            for (int x = 1; x < 5 && !placed; ++x) {
                const bool near = std::any_of(old.begin(), old.end(), [&](const auto& b) {
                    return std::abs(b.first - x) <= 1 && std::abs(b.second - y) <= 1;
                });
                Json& cell = illegal["grid"][static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
                if (near || cell[0] != 1 || Json({x, y}) == after["pos"]) continue;
                cell = cellJson(6, 2, 0);
                illegal["grid"][static_cast<std::size_t>(ball.second)][static_cast<std::size_t>(ball.first)] =
                    cellJson(1, 0, 0);
                placed = true;
            }
        }
        if (placed) {
            EXPECT_FALSE(env.batch().adoptOutcome(0, before, &action, illegal).has_value());
        }
    }
}

}  // namespace
}  // namespace seedbed::minigrid
