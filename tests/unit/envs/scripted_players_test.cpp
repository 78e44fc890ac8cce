// SPDX-License-Identifier: Apache-2.0
// Scripted players: the searches of alpha_beta against a plain solver, the tracker against the rules of Pong,
// and invalid names. Random numbers have fixed seeds.
#include "core/env/scripted_player.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

namespace seedbed {
namespace {

std::unique_ptr<ScriptedPlayer> makePlayer(const std::string& name, const std::string& env,
                                           const Json& params = Json::object()) {
    const EnvEntry& entry = *envRegistry().find(env);
    auto player = makeScriptedPlayer(name, entry, *entry.spec(params));
    EXPECT_TRUE(player.has_value()) << player.error().text();
    return std::move(*player);
}

std::string errorOf(const std::string& name, const std::string& env, const Json& params = Json::object()) {
    const EnvEntry& entry = *envRegistry().find(env);
    const auto player = makeScriptedPlayer(name, entry, *entry.spec(params));
    return player ? "" : player.error().text();
}

// --- Connect Four, with plain loops instead of bits

constexpr int kRows = 6, kColumns = 7, kWait = 7;

struct Board {
    std::array<std::array<int, kColumns>, kRows> cells{};  // from the bottom; 0 empty, else 1 or 2
    std::array<int, kColumns> heights{};

    bool canPlay(int column) const { return heights[static_cast<std::size_t>(column)] < kRows; }
    void play(int column, int player) {
        const auto c = static_cast<std::size_t>(column);
        cells[static_cast<std::size_t>(heights[c]++)][c] = player;
    }
    int at(int row, int column) const {
        const bool is_inside = row >= 0 && row < kRows && column >= 0 && column < kColumns;
        return is_inside ? cells[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] : 0;
    }
    bool hasFour(int player) const {
        constexpr int kDirections[][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
        for (int row = 0; row < kRows; ++row)
            for (int column = 0; column < kColumns; ++column)
                for (const auto& [up, right] : kDirections) {
                    int length = 0;
                    while (length < 4 && at(row + up * length, column + right * length) == player) ++length;
                    if (length == 4) return true;
                }
        return false;
    }
};

// 1: `player`, who is to move, wins within `depth` plies; -1: loses within them; 0: neither.
int solve(const Board& board, int player, int depth) {
    int best = -2;
    for (int column = 0; column < kColumns && best < 1; ++column) {
        if (!board.canPlay(column)) continue;
        Board next = board;
        next.play(column, player);
        const int value = next.hasFour(player) ? 1 : depth > 1 ? -solve(next, 3 - player, depth - 1) : 0;
        best = std::max(best, value);
    }
    return best == -2 ? 0 : best;  // a full board is a draw
}

int valueOfMove(Board board, int column, int player, int depth) {
    board.play(column, player);
    if (board.hasFour(player)) return 1;
    return depth > 1 ? -solve(board, 3 - player, depth - 1) : 0;
}

int chooseMove(const ScriptedPlayer& ai, const Board& board, int player, Rng& rng) {
    std::array<std::uint8_t, 2 * kRows * kColumns> planes{};
    std::array<std::uint8_t, kColumns + 1> mask{};
    auto* plane = planes.data();
    for (const int owner : {player, 3 - player})
        for (int row = kRows - 1; row >= 0; --row)
            for (int column = 0; column < kColumns; ++column)
                *plane++ = board.at(row, column) == owner ? 1 : 0;
    for (int column = 0; column < kColumns; ++column)
        mask[static_cast<std::size_t>(column)] = board.canPlay(column) ? 1 : 0;
    const std::uint8_t* leaves[] = {planes.data(), nullptr};
    float action = -1;
    ai.act({.seat = player - 1, .leaves = leaves, .mask = mask.data()}, rng, &action);
    return static_cast<int>(action);
}

// Calls `check(board, player)` for the positions of random games.
template <class Check>
void forRandomPositions(int games, std::uint64_t seed, const Check& check) {
    Rng rng(seed, RngPurpose::test);
    for (int game = 0; game < games; ++game) {
        Board board;
        for (int ply = 0; ply < kRows * kColumns; ++ply) {
            const int player = 1 + ply % 2;
            check(board, player);
            int column = 0;
            do column = static_cast<int>(rng.below(kColumns));
            while (!board.canPlay(column));
            board.play(column, player);
            if (board.hasFour(player)) break;
        }
    }
}

TEST(AlphaBeta, TakesEveryImmediateWinAndBlocksEveryThreatThatCanBeBlockedAtDepth2) {
    const auto ai = makePlayer("alpha_beta:2", "connect_four");
    Rng rng(1, RngPurpose::test);
    int wins = 0, blocks = 0;
    forRandomPositions(300, 7, [&](const Board& board, int player) {
        const int best = solve(board, player, 2);
        const int value = valueOfMove(board, chooseMove(*ai, board, player, rng), player, 2);
        ASSERT_EQ(value, best);
        if (best == 1) ++wins;
        // The opponent wins unless the move prevents it.
        Board passed = board;
        if (best == 0 && solve(passed, 3 - player, 1) == 1) ++blocks;
    });
    EXPECT_GT(wins, 100);
    EXPECT_GT(blocks, 100);
}

TEST(AlphaBeta, FindsForcedWinsAndAvoidsForcedLossesWithinItsDepth) {
    for (const int depth : {3, 4, 5}) {
        const auto ai = makePlayer("alpha_beta:" + std::to_string(depth), "connect_four");
        Rng rng(2, RngPurpose::test);
        int mates = 0, rescues = 0;
        forRandomPositions(24, static_cast<std::uint64_t>(depth), [&](const Board& board, int player) {
            const int best = solve(board, player, depth);
            const int move = chooseMove(*ai, board, player, rng);
            ASSERT_TRUE(board.canPlay(move));
            ASSERT_EQ(valueOfMove(board, move, player, depth), best) << "depth " << depth;
            if (best == 1 && solve(board, player, 1) == 0) ++mates;
            for (int column = 0; column < kColumns && best == 0; ++column)
                if (board.canPlay(column) && valueOfMove(board, column, player, depth) < 0) {
                    ++rescues;
                    break;
                }
        });
        EXPECT_GT(mates, 5) << "depth " << depth;
        EXPECT_GT(rescues, 20) << "depth " << depth;
    }
}

// Three discs in an open row would win at both ends, so only occupying an end before that saves the game.
TEST(AlphaBeta, SolvesAMateInThree) {
    Board board;  // player 1 has columns 2 and 3 (from 0) of the bottom row and moves
    board.play(2, 1);
    board.play(2, 2);
    board.play(3, 1);
    board.play(3, 2);
    const auto ai = makePlayer("alpha_beta:3", "connect_four");
    std::set<int> moves;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Rng rng(seed, RngPurpose::test);
        moves.insert(chooseMove(*ai, board, 1, rng));
    }
    // Column 1 leaves 0 and 4, column 4 leaves 1 and 5.
    EXPECT_EQ(moves, (std::set<int>{1, 4}));
}

TEST(AlphaBeta, ChoosesAmongEqualMovesAtRandomAndRepeatsWithTheSameStream) {
    const auto ai = makePlayer("alpha_beta:1", "connect_four");
    std::set<int> moves;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Rng rng(seed, RngPurpose::test), again(seed, RngPurpose::test);
        const int move = chooseMove(*ai, Board(), 1, rng);
        EXPECT_EQ(chooseMove(*ai, Board(), 1, again), move);
        moves.insert(move);
    }
    EXPECT_EQ(moves.size(), 7U);  // no move on the empty board makes a threat
}

TEST(AlphaBeta, WaitsOutOfTurn) {
    const auto ai = makePlayer("alpha_beta:4", "connect_four");
    const std::array<std::uint8_t, 2 * kRows * kColumns> planes{};
    std::array<std::uint8_t, kColumns + 1> mask{};
    mask[kWait] = 1;
    const std::uint8_t* leaves[] = {planes.data(), nullptr};
    Rng rng(1, RngPurpose::test);
    float action = -1;
    ai->act({.leaves = leaves, .mask = mask.data()}, rng, &action);
    EXPECT_EQ(action, kWait);
}

// --- Pong

constexpr int kHeight = 30, kReach = 2;

// A game of Pong in which both paddles move as the caller decides.
class PongGame {
public:
    explicit PongGame(const std::string& env, std::uint64_t seed)
        : batch_(std::move(*envRegistry().find(env)->makeLocal(Json::object(), 1))),
          rng_(seed, RngPurpose::environment) {
        batch_->reset(0, rng_);
    }
    Json state() const { return batch_->state(0); }
    // Returns the reward of the first agent.
    float step(std::array<float, 2> actions) {
        const std::uint8_t active = 1;
        std::array<float, 2> rewards{};
        EXPECT_TRUE(batch_->step(actions.data(), &active, &rng_, rewards.data(), &terminated_, &truncated_)
                        .has_value());
        if (terminated_ != 0) batch_->reset(0, rng_);
        return rewards[0];
    }
    bool isOver() const { return terminated_ != 0; }

private:
    std::unique_ptr<LocalBatch> batch_;
    Rng rng_;
    std::uint8_t terminated_ = 0, truncated_ = 0;
};

float act(const ScriptedPlayer& player, int seat, const Json& state) {
    Rng rng;
    float action = -1;
    player.act({.seat = seat, .state = &state}, rng, &action);
    return action;
}

TEST(Tracker, IsTheOpponentOfPongAlone) {
    const auto tracker = makePlayer("tracker", "pong");
    PongGame two("pong", 5), alone("pong_alone", 5);
    Rng rng(3, RngPurpose::test);
    for (int t = 0; t < 20'000; ++t) {
        ASSERT_EQ(two.state(), alone.state()) << "step " << t;
        const auto left = static_cast<float>(rng.below(3));
        const float reward = two.step({left, act(*tracker, 1, two.state())});
        ASSERT_EQ(reward, alone.step({left, 0}));
    }
}

// The row in which an approaching ball arrives at the paddle's column, and the steps until then.
std::pair<int, int> arrival(const Json& state, int seat) {
    int x = state["ball"][0], y = state["ball"][1], dy = state["speed"][1], steps = 0;
    const int dx = state["speed"][0];
    while (x != (seat == 0 ? 1 : 38)) {
        x += dx;
        y += dy;
        if (y < 0 || y >= kHeight) {
            y = y < 0 ? -y : 2 * (kHeight - 1) - y;
            dy = -dy;
        }
        ++steps;
    }
    return {y, steps};
}

TEST(Tracker, ReturnsEveryReachableBallWithFullLookaheadOnBothSeats) {
    for (const int seat : {0, 1}) {
        const auto tracker = makePlayer("tracker:40", "pong");
        PongGame game("pong", 9);
        Rng rng(4, RngPurpose::test);
        bool is_reachable = false, was_approaching = false;
        int returned = 0, unreachable = 0;
        for (int t = 0; t < 60'000; ++t) {
            const Json state = game.state();
            const int x = state["ball"][0];
            const bool is_approaching =
                (state["speed"][0] == (seat == 0 ? -1 : 1)) && (seat == 0 ? x > 1 : x < 38);
            if (is_approaching && !was_approaching) {
                const auto [row, steps] = arrival(state, seat);
                const int paddle = state["paddles"][static_cast<std::size_t>(seat)];
                is_reachable = std::abs(row - std::clamp(row, paddle - steps, paddle + steps)) <= kReach;
                unreachable += is_reachable ? 0 : 1;
            }
            std::array<float, 2> actions{};
            actions[static_cast<std::size_t>(seat)] = act(*tracker, seat, state);
            actions[static_cast<std::size_t>(1 - seat)] = static_cast<float>(rng.below(3));
            const float reward = game.step(actions);
            const bool has_lost = seat == 0 ? reward < 0 : reward > 0;
            ASSERT_FALSE(has_lost && is_reachable) << "seat " << seat << ", step " << t << ": " << state;
            if (!has_lost && reward == 0 && was_approaching && !is_approaching) ++returned;
            was_approaching = is_approaching && reward == 0;
        }
        EXPECT_GT(returned, 300) << "seat " << seat;
        EXPECT_LT(unreachable, returned / 10) << "seat " << seat;
    }
}

TEST(Tracker, WithoutLookaheadMissesSteepBalls) {
    const auto tracker = makePlayer("tracker", "pong");
    PongGame game("pong", 9);
    Rng rng(4, RngPurpose::test);
    int lost = 0;
    for (int t = 0; t < 20'000; ++t)
        if (game.step({act(*tracker, 0, game.state()), static_cast<float>(rng.below(3))}) < 0) ++lost;
    EXPECT_GT(lost, 10);
}

// --- simple tag

TEST(Chase, AdversariesRunAtThePreyAndThePreyRunsAwayWithinTheSquare) {
    const auto chase = makePlayer("chase", "simple_tag");
    Rng rng(1, RngPurpose::test);
    // Actions: 0 stay, 1 left, 2 right, 3 down, 4 up. The three others are around (x, y), as seen by the
    // seat.
    const auto action = [&](int role, std::array<float, 2> own, std::array<float, 6> others) {
        std::array<float, 16> obs{};
        std::copy(own.begin(), own.end(), obs.begin() + 2);
        std::copy(others.begin(), others.end(), obs.begin() + 8);
        const std::uint8_t* leaves[] = {reinterpret_cast<const std::uint8_t*>(obs.data()),
                                        reinterpret_cast<const std::uint8_t*>(&role)};
        float chosen = -1;
        chase->act({.seat = role == 0 ? 0 : 3, .leaves = leaves}, rng, &chosen);
        return static_cast<int>(chosen);
    };
    // The other adversaries do not matter, only the last of the others, the prey.
    EXPECT_EQ(action(0, {0, 0}, {9, 9, -9, 9, -0.5f, 0.4f}), 1);
    EXPECT_EQ(action(0, {0, 0}, {-9, 9, -9, 9, 0.5f, 0.4f}), 2);
    EXPECT_EQ(action(0, {0, 0}, {9, 9, 9, 9, 0.3f, -0.4f}), 3);
    EXPECT_EQ(action(0, {0, 0}, {9, -9, 9, -9, 0.3f, 0.4f}), 4);
    // Each adversary may be the nearest.
    EXPECT_EQ(action(1, {0, 0}, {0.2f, 0, 2, 2, 2, -2}), 1);
    EXPECT_EQ(action(1, {0, 0}, {2, 2, -0.2f, 0, -2, 2}), 2);
    EXPECT_EQ(action(1, {0, 0}, {2, -2, -2, -2, 0, -0.2f}), 4);
    EXPECT_EQ(action(1, {0, 0.9f}, {0.02f, -0.3f, 2, -2, -2, -2}), 1) << "not out of the square";
    EXPECT_EQ(action(1, {0, 0}, {0.2f, 0, -0.2f, 0, 0, 0.2f}), 3) << "through the gap";
}

// --- names

TEST(ScriptedPlayerNames, ThatDoNotFitAreNamedWithWhatIsPossible) {
    EXPECT_NE(errorOf("alpha_beta:4", "cartpole").find("it plays connect_four"), std::string::npos);
    EXPECT_NE(errorOf("tracker", "connect_four").find("it plays pong, pong_alone, pong_pixels"),
              std::string::npos);
    for (const char* name : {"alpha_beta", "alpha_beta:0", "alpha_beta:9", "alpha_beta:x", "alpha_beta:"})
        EXPECT_NE(errorOf(name, "connect_four").find("alpha_beta:DEPTH with DEPTH from 1 to 8"),
                  std::string::npos)
            << name;
    EXPECT_NE(errorOf("tracker:41", "pong").find("tracker[:LOOKAHEAD] with LOOKAHEAD from 0 to 40"),
              std::string::npos);
    EXPECT_NE(errorOf("random:1", "pong").find("has no parameter"), std::string::npos);
    EXPECT_NE(errorOf("trakcer", "pong").find("did you mean 'tracker'?"), std::string::npos);
}

TEST(ScriptedPlayerNames, AreRecognisedWithAndWithoutParameters) {
    EXPECT_TRUE(namesScriptedPlayer("random"));
    EXPECT_TRUE(namesScriptedPlayer("alpha_beta:99"));
    EXPECT_FALSE(namesScriptedPlayer("2:best"));
    EXPECT_FALSE(namesScriptedPlayer(""));
    EXPECT_EQ(scriptedPlayerForms(),
              "alpha_beta:DEPTH, chase, minimax, positional:DEPTH, random, tracker[:LOOKAHEAD]");
}

}  // namespace
}  // namespace seedbed
