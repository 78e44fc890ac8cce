// SPDX-License-Identifier: Apache-2.0
// Ratings of players from the results of their games.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/error.hpp"

namespace seedbed {

// The games of two players. Several entries of the same two players add up.
struct PairGames {
    std::size_t a = 0, b = 0;                // numbers of the players, a != b
    double wins = 0, draws = 0, losses = 0;  // of a
    double games() const { return wins + draws + losses; }
};

// In points: a difference of 400 means ten wins per loss. The mean of all players is 0.
struct Rating {
    double points = 0;
    double low = 0, high = 0;  // 95 % interval (Wald) of the difference to the mean of all players
    double games = 0;
};

struct Ratings {
    std::vector<Rating> players;
    // The draws of two equal players are draw_ratio / (2 + draw_ratio) of their games.
    double draw_ratio = 0;
    int iterations = 0;
};

// Davidson 1970, "On Extending the Bradley-Terry Model to Accommodate Ties": i beats j with a probability
// proportional to p_i, and draws with draw_ratio * sqrt(p_i p_j). A weak normal prior (868 points) keeps
// ratings finite if a player won or lost every game. error: config, for players that do not exist, and
// negative or infinite counts.
Result<Ratings> fitRatings(std::size_t players, std::span<const PairGames> games);

// The expected score of a player whose rating is `points` higher: wins and half of the draws.
double expectedScore(double points, double draw_ratio);

}  // namespace seedbed
