// SPDX-License-Identifier: Apache-2.0
// The ladder of a league, and which members play next.
#pragma once

#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "core/analysis/rating.hpp"
#include "core/play/match.hpp"
#include "core/store/league/league_store.hpp"

namespace seedbed {

struct LeagueStanding {
    LeagueMember member;
    Rating rating;
    GameCounts games;           // all games of the member
    std::int64_t distinct = 0;  // games without repetitions: the same actions of both players
};

struct LeagueTable {
    std::vector<LeagueStanding> ladder;  // the highest rating first
    double draw_ratio = 0;               // see Ratings
    // matrix[i][j]: the games of ladder[i] against ladder[j], counted for ladder[i].
    std::vector<std::vector<GameCounts>> matrix;
};

// Ratings are fitted from all matches, including those of members that are not active. The games of a pair
// together weigh as much as its distinct ones, since a repeated game shows nothing new: scores are those of
// all games, but repetitions do not narrow an interval. error: as for fitRatings().
Result<LeagueTable> leagueTable(const std::vector<LeagueMember>& members,
                                const std::vector<LeagueMatch>& matches);

// The matches of a round: every pair of active members once, those with the fewest matches first. Each has
// its number and a seed that depends on league, members and number, but no result.
std::vector<LeagueMatch> nextRound(std::int64_t league, const std::vector<LeagueMember>& members,
                                   const std::vector<LeagueMatch>& matches);
// The matches of `players` (ids of members) that are missing so that each has played `rounds` against every
// other active member; those with the lowest numbers first. Otherwise as nextRound().
std::vector<LeagueMatch> missingMatches(std::int64_t league, const std::set<std::int64_t>& players,
                                        const std::vector<LeagueMember>& members,
                                        const std::vector<LeagueMatch>& matches, int rounds);
// The next match of one pair.
LeagueMatch nextMatch(std::int64_t league, std::int64_t a, std::int64_t b,
                      const std::vector<LeagueMatch>& matches);

}  // namespace seedbed
