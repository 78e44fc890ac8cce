// SPDX-License-Identifier: Apache-2.0
// Tic-tac-toe's masks and winners, and the perfect player against a plain solver.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "core/env/random_policy.hpp"
#include "core/env/scripted_player.hpp"
#include "tests/unit/envs_grid/env_under_test.hpp"

namespace seedbed {
namespace {

constexpr int kCells = 9, kWaits = 9;

int moverOf(const EnvUnderTest& env) { return env.state()["turn"].get<int>(); }

bool mark(EnvUnderTest& env, int cell) {
    std::vector<float> actions = {kWaits, kWaits};
    actions[static_cast<std::size_t>(moverOf(env))] = static_cast<float>(cell);
    return env.step(actions);
}

TEST(TicTacToe, OnePlayerMovesAndTheOtherWaits) {
    EnvUnderTest env("tic_tac_toe");
    const int first = moverOf(env);
    ASSERT_TRUE(mark(env, 4));
    EXPECT_EQ(moverOf(env), 1 - first);
    std::vector<std::uint8_t> open(kCells + 1, 1), wait(kCells + 1, 0);
    open[4] = open[kWaits] = 0;
    wait[kWaits] = 1;
    EXPECT_EQ(env.mask(1 - first), open);
    EXPECT_EQ(env.mask(first), wait);
    EXPECT_EQ(env.choice(1, 1 - first), 1);
    EXPECT_EQ(env.choice(1, first), 0);
    // Each player sees its own marks first.
    EXPECT_EQ(env.pixel(0, 0, 1, 1, first), 1);
    EXPECT_EQ(env.pixel(0, 1, 1, 1, 1 - first), 1);
    EXPECT_EQ(env.pixel(0, 0, 1, 1, 1 - first), 0);
    EXPECT_FALSE(mark(env, 4)) << "an action outside the mask loses the game";
    EXPECT_EQ(env.reward(1 - first), -1);
    EXPECT_EQ(env.reward(first), 1);
}

TEST(TicTacToe, DetectsAllEightLines) {
    constexpr int kLines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                                  {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
    for (const auto& line : kLines) {
        EnvUnderTest env("tic_tac_toe");
        const int first = moverOf(env);
        std::vector<int> others;
        for (int cell = 0; cell < kCells; ++cell)
            if (std::find(std::begin(line), std::end(line), cell) == std::end(line)) others.push_back(cell);
        ASSERT_TRUE(mark(env, line[0]) && mark(env, others[0]) && mark(env, line[1]) && mark(env, others[1]));
        EXPECT_FALSE(mark(env, line[2]));
        EXPECT_TRUE(env.terminated());
        EXPECT_EQ(env.reward(first), 1);
    }
}

TEST(TicTacToe, AFullBoardIsADraw) {
    EnvUnderTest env("tic_tac_toe");
    for (const int cell : {0, 1, 2, 4, 3, 5, 7, 6}) ASSERT_TRUE(mark(env, cell));
    EXPECT_FALSE(mark(env, 8));
    EXPECT_EQ(env.reward(0), 0);
    EXPECT_EQ(env.reward(1), 0);
}

TEST(TicTacToe, RefusesStatesOfFinishedGames) {
    EnvUnderTest env("tic_tac_toe");
    const auto set = [&](const Json& board) {
        return env.batch().setState(0, {{"board", board}, {"turn", 0}}).has_value();
    };
    EXPECT_TRUE(set({{0, -1, -1}, {-1, 1, -1}, {-1, -1, -1}}));
    EXPECT_FALSE(set({{0, 0, 0}, {-1, 1, 1}, {-1, -1, -1}}));
    EXPECT_FALSE(set({{0, 1, 0}, {1, 0, 1}, {1, 0, 1}}));
    EXPECT_FALSE(set({{0, 1}, {1, 0}, {1, 0}}));
    EXPECT_FALSE(set({{2, -1, -1}, {-1, -1, -1}, {-1, -1, -1}}));
}

// A board of 0 (empty), 1 and 2.
using Cells = std::array<int, kCells>;

bool hasThree(const Cells& board, int who) {
    for (std::size_t i = 0; i < 3; ++i) {
        if (board[3 * i] == who && board[3 * i + 1] == who && board[3 * i + 2] == who) return true;
        if (board[i] == who && board[i + 3] == who && board[i + 6] == who) return true;
    }
    return board[4] == who && ((board[0] == who && board[8] == who) || (board[2] == who && board[6] == who));
}

// The value for `player`, who is to move.
int valueOf(Cells& board, int player) {
    if (hasThree(board, 3 - player)) return -1;
    int best = -2;
    for (int& cell : board) {
        if (cell != 0) continue;
        cell = player;
        best = std::max(best, -valueOf(board, 3 - player));
        cell = 0;
    }
    return best == -2 ? 0 : best;
}

std::unique_ptr<ScriptedPlayer> minimax() {
    const EnvEntry& entry = *envRegistry().find("tic_tac_toe");
    auto player = makeScriptedPlayer("minimax", entry, *entry.spec(Json::object()));
    EXPECT_TRUE(player.has_value()) << player.error().text();
    return std::move(*player);
}

int choose(const ScriptedPlayer& player, const Cells& board, int who, Rng& rng) {
    std::array<std::uint8_t, 2 * kCells> planes{};
    std::array<std::uint8_t, kCells + 1> mask{};
    for (std::size_t cell = 0; cell < kCells; ++cell) {
        planes[cell] = board[cell] == who ? 1 : 0;
        planes[kCells + cell] = board[cell] == 3 - who ? 1 : 0;
        mask[cell] = board[cell] == 0 ? 1 : 0;
    }
    const std::uint8_t* leaves[] = {planes.data(), nullptr};
    float action = -1;
    player.act({.seat = who - 1, .leaves = leaves, .mask = mask.data()}, rng, &action);
    return static_cast<int>(action);
}

TEST(Minimax, KeepsTheValueOfEveryPositionOfRandomGames) {
    const auto player = minimax();
    Rng rng(4, RngPurpose::test);
    for (int game = 0; game < 200; ++game) {
        Cells board{};
        for (int ply = 0; ply < kCells; ++ply) {
            const int who = 1 + ply % 2, before = valueOf(board, who);
            const int move = choose(*player, board, who, rng);
            ASSERT_EQ(board[static_cast<std::size_t>(move)], 0);
            Cells after = board;
            after[static_cast<std::size_t>(move)] = who;
            EXPECT_EQ(-valueOf(after, 3 - who), before) << "game " << game << ", ply " << ply;
            int random = 0;
            do random = static_cast<int>(rng.below(kCells));
            while (board[static_cast<std::size_t>(random)] != 0);
            board[static_cast<std::size_t>(random)] = who;
            if (hasThree(board, who)) break;
        }
    }
}

TEST(Minimax, ChoosesEveryEquallyGoodMove) {
    const auto player = minimax();
    Rng rng(4, RngPurpose::test);
    std::array<bool, kCells> chosen{};
    for (int game = 0; game < 400; ++game)
        chosen[static_cast<std::size_t>(choose(*player, {}, 1, rng))] = true;
    // Every first move draws.
    EXPECT_EQ(std::count(chosen.begin(), chosen.end(), true), kCells);
}

}  // namespace
}  // namespace seedbed
