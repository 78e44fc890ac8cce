// SPDX-License-Identifier: Apache-2.0
// Matches: two players on the seats of one game, or one after the other on the same episodes.
#pragma once

#include <cstdint>
#include <iterator>
#include <stop_token>
#include <string>
#include <vector>

#include "core/session/evaluation.hpp"

namespace seedbed {

struct MatchRequest {
    const EnvEntry* env = nullptr;
    Json env_params;
    EnvSpec env_spec;  // with one or two seats
    SeatPlayer a, b;   // scripted players must fit the environment
    int games = 100;   // with one seat: number of episodes of each player
    bool swap = true;  // with two seats: whether players change seats after every game; otherwise, A has the
                       // first seat
    int opening = 0;   // number of random decisions at the beginning of a game
    std::uint64_t seed = 1;
    std::int64_t max_steps = EvaluationLimits{}.episode_decisions;  // longer games do not count
    int threads = 1;                                                // does not change the result
};

inline constexpr std::uint64_t kGameDrawn = 0, kGameWon = 1, kGameLost = 2;  // by A

// Results of the games in which A had the same seat. The higher return wins.
struct GameCounts {
    std::int64_t wins = 0, draws = 0, losses = 0;
    std::int64_t games() const { return wins + draws + losses; }
};

struct MatchResult {
    std::vector<GameCounts> seats;  // two seats: by A's seat
    // Two seats: a number per game, equal for games with the same actions of A and of B, whichever seats they
    // have, and the same result; chance is not part of it. The lowest two bits are the result: kGameDrawn,
    // kGameWon or kGameLost. The others are negated if A and B are exchanged (exchangedGame()).
    std::vector<std::uint64_t> game_ids;
    // One seat: returns of A and B in the same episodes (equal seeds), [pairs] each.
    std::vector<double> a, b;
    bool stopped = false;
    std::string problem;  // why games are missing

    GameCounts total() const;
    int games() const { return static_cast<int>(a.empty() ? total().games() : std::ssize(a)); }
};

// A share of games with its 95 % Wilson interval.
struct Share {
    double share = 0, low = 0, high = 1;
};
Share shareOf(double count, std::int64_t games);
// Wins and half of the draws. A draw has less variance than a win or a loss, so the interval is conservative.
Share scoreOf(const GameCounts& counts);

// Blocks. After a stop request, which is not an error, the result contains the finished games; among these,
// short ones are over-represented. error: config (including environments with more than two seats), from the
// engine.
Result<MatchResult> playMatch(const MatchRequest& request, const std::stop_token& stop);

}  // namespace seedbed
