// SPDX-License-Identifier: Apache-2.0
// Othello: the published numbers of positions, turned discs, skipped turns, the end, and the player's search.
#include "envs/othello.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "core/env/scripted_player.hpp"
#include "tests/unit/envs_grid/env_under_test.hpp"

namespace seedbed::othello {
namespace {

constexpr int kWaits = kCells;

int moverOf(const EnvUnderTest& env) { return env.state()["turn"].get<int>(); }

bool place(EnvUnderTest& env, int cell) {
    std::vector<float> actions = {kWaits, kWaits};
    actions[static_cast<std::size_t>(moverOf(env))] = static_cast<float>(cell);
    return env.step(actions);
}

int cellOf(const char* name) { return (name[1] - '1') * kSide + name[0] - 'a'; }

// Rows from the top: '0' and '1' are discs of agents 0 and 1; the other letters are empty cells.
Json boardOf(const std::vector<std::string>& rows) {
    Json board = Json::array();
    for (const std::string& row : rows) {
        board.push_back(Json::array());
        for (const char cell : row) board.back().push_back(cell == '0' ? 0 : cell == '1' ? 1 : -1);
    }
    return board;
}

// The number of games of `depth` moves, a skipped turn being a move.
long gamesOf(Discs own, Discs other, int depth, bool skipped = false) {
    if (depth == 0) return 1;
    Discs moves = movesOf(own, other);
    if (moves == 0) return skipped ? 1 : gamesOf(other, own, depth - 1, true);
    long games = 0;
    for (; moves != 0; moves &= moves - 1) {
        const int cell = std::countr_zero(moves);
        const Discs turned = turnedBy(own, other, cell);
        games += gamesOf(other ^ turned, own ^ (turned | discAt(cell)), depth - 1);
    }
    return games;
}

// The numbers of many programs, for example https://www.aartbik.com/strategy.php.
TEST(Othello, TheNumberOfGamesIsThePublishedOne) {
    constexpr long kGames[] = {1, 4, 12, 56, 244, 1396, 8200, 55092, 390216};
    const Discs own = discAt(28) | discAt(35), other = discAt(27) | discAt(36);
    for (int depth = 0; depth <= 8; ++depth) EXPECT_EQ(gamesOf(own, other, depth), kGames[depth]) << depth;
}

long gamesByMask(EnvUnderTest& env, int depth) {
    if (depth == 0) return 1;
    const Json state = env.state();
    const std::vector<std::uint8_t> mask = env.mask(moverOf(env));
    long games = 0;
    for (int cell = 0; cell < kCells; ++cell) {
        if (mask[static_cast<std::size_t>(cell)] == 0) continue;
        EXPECT_TRUE(place(env, cell));
        games += gamesByMask(env, depth - 1);
        env.setState(state);
    }
    return games;
}

TEST(Othello, StepsAndMasksGiveTheSameNumber) {
    EnvUnderTest env("othello");
    EXPECT_EQ(gamesByMask(env, 5), 1396);
}

TEST(Othello, OnePlayerMovesAndTheOtherWaits) {
    EnvUnderTest env("othello");
    const int first = moverOf(env);
    std::vector<std::uint8_t> wait(kCells + 1, 0);
    wait[kWaits] = 1;
    EXPECT_EQ(env.mask(1 - first), wait);
    for (const char* name : {"d3", "c4", "f5", "e6"})
        EXPECT_EQ(env.mask(first)[static_cast<std::size_t>(cellOf(name))], 1) << name;
    ASSERT_TRUE(place(env, cellOf("d3")));
    EXPECT_EQ(moverOf(env), 1 - first);
    EXPECT_EQ(env.choice(1, 1 - first), 1);
    // d4 was turned over. Each player sees its own discs first.
    EXPECT_EQ(env.pixel(0, 0, 3, 3, first), 1);
    EXPECT_EQ(env.pixel(0, 1, 3, 3, 1 - first), 1);
    EXPECT_FALSE(place(env, cellOf("a1"))) << "an action outside the mask loses the game";
    EXPECT_EQ(env.reward(1 - first), -1);
    EXPECT_EQ(env.reward(first), 1);
}

TEST(Othello, TheShortestGameEndsWithoutADiscOfTheLoser) {
    EnvUnderTest env("othello");
    const int first = moverOf(env);
    for (const char* name : {"e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5"})
        ASSERT_TRUE(place(env, cellOf(name))) << name;
    EXPECT_FALSE(place(env, cellOf("c5")));
    EXPECT_EQ(env.reward(first), 1);
    EXPECT_EQ(env.reward(1 - first), -1);
}

TEST(Othello, APlayerWithoutAMoveIsSkipped) {
    EnvUnderTest env("othello");
    const std::vector<std::string> rows = {".10.....", "........", "........", "........",
                                           "........", "........", "........", "0111111."};
    env.setState({{"board", boardOf(rows)}, {"turn", 0}});
    // After h8, agent 1 has no discs in the bottom row and cannot move; agent 0 moves again at the top.
    std::vector<std::string> other = rows;
    other[0] = "01......";
    env.setState({{"board", boardOf(other)}, {"turn", 0}});
    ASSERT_TRUE(place(env, cellOf("h8")));
    EXPECT_EQ(moverOf(env), 0);
    EXPECT_EQ(env.mask(1)[kWaits], 1);
    EXPECT_FALSE(place(env, cellOf("c1")));
    EXPECT_EQ(env.reward(0), 1);
}

TEST(Othello, EqualNumbersOfDiscsAreADraw) {
    EnvUnderTest env("othello");
    env.setState({{"board", boardOf({".10.....", "........", "........", "........", "........", "........",
                                     "........", ".....111"})},
                  {"turn", 0}});
    EXPECT_FALSE(place(env, cellOf("a1")));
    EXPECT_EQ(env.reward(0), 0);
    EXPECT_EQ(env.reward(1), 0);
}

TEST(Othello, RefusesBoardsWithoutAMove) {
    EnvUnderTest env("othello");
    const std::vector<std::string> empty(8, "........");
    const auto set = [&](const Json& board, const Json& turn) {
        return env.batch().setState(0, {{"board", board}, {"turn", turn}}).has_value();
    };
    std::vector<std::string> rows = empty;
    rows[3] = ".01.....";
    EXPECT_TRUE(set(boardOf(rows), 0));
    EXPECT_TRUE(set(boardOf(rows), 1));
    EXPECT_FALSE(set(boardOf(empty), 0));
    EXPECT_FALSE(set(boardOf(rows), 2));
    rows.pop_back();
    EXPECT_FALSE(set(boardOf(rows), 0));
}

int choose(int depth, const std::vector<std::string>& rows, std::uint64_t seed) {
    EnvUnderTest env("othello");
    env.setState({{"board", boardOf(rows)}, {"turn", 0}});
    auto player =
        makeScriptedPlayer("positional:" + std::to_string(depth), *envRegistry().find("othello"), env.spec());
    EXPECT_TRUE(player.has_value()) << player.error().text();
    Rng rng(seed, RngPurpose::test);
    const std::vector<std::uint8_t> mask = env.mask(0);
    const std::uint8_t* leaves[] = {env.bytes(0), env.bytes(1)};
    float action = -1;
    (*player)->act({.seat = 0, .leaves = leaves, .mask = mask.data()}, rng, &action);
    EXPECT_EQ(mask[static_cast<std::size_t>(action)], 1);
    return static_cast<int>(action);
}

TEST(Positional, TakesACornerAndWinsWhereItCan) {
    const std::vector<std::string> corner = {".10.....", "........", "...10...", "...01...",
                                             "........", "........", "........", "........"};
    const std::vector<std::string> win = {"........", "........", ".0111...", "........",
                                          "........", "........", ".011....", "...1...."};
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        EXPECT_EQ(choose(1, corner, seed), cellOf("a1"));
        EXPECT_NE(choose(3, win, seed), kWaits);
    }
}

TEST(Positional, ChoosesEveryEquallyGoodMove) {
    const std::vector<std::string> start = {"........", "........", "........", "...10...",
                                            "...01...", "........", "........", "........"};
    std::vector<int> chosen(kCells, 0);
    for (std::uint64_t seed = 0; seed < 60; ++seed)
        ++chosen[static_cast<std::size_t>(choose(2, start, seed))];
    for (const char* name : {"d3", "c4", "f5", "e6"})
        EXPECT_GT(chosen[static_cast<std::size_t>(cellOf(name))], 0) << name;
}

}  // namespace
}  // namespace seedbed::othello
