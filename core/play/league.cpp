// SPDX-License-Identifier: Apache-2.0
#include "core/play/league.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/base/rng.hpp"

namespace seedbed {
namespace {

void addGames(GameCounts& counts, std::int64_t wins, std::int64_t draws, std::int64_t losses) {
    counts.wins += wins;
    counts.draws += draws;
    counts.losses += losses;
}

// Matches that were recorded, by pair.
std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> nextNumbers(
    const std::vector<LeagueMatch>& matches) {
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> numbers;
    for (const LeagueMatch& match : matches) {
        std::int64_t& next = numbers[{match.a, match.b}];
        next = std::max(next, match.number + 1);
    }
    return numbers;
}

LeagueMatch withSeed(std::int64_t league, LeagueMatch match) {
    // Members have few numbers, so lanes of different pairs differ.
    const auto lane = static_cast<std::uint32_t>(match.a * 65537 + match.b);
    Rng rng(static_cast<std::uint64_t>(league), RngPurpose::play, lane,
            static_cast<std::uint64_t>(match.number) * 4);
    match.seed = rng.nextU32();
    return match;
}

}  // namespace

Result<LeagueTable> leagueTable(const std::vector<LeagueMember>& members,
                                const std::vector<LeagueMatch>& matches) {
    std::map<std::int64_t, std::size_t> index;
    for (const LeagueMember& member : members) index.emplace(member.id, index.size());
    std::vector<PairGames> games;
    for (const LeagueMatch& match : matches) {
        if (!index.contains(match.a) || !index.contains(match.b)) continue;
        games.push_back({index[match.a], index[match.b], static_cast<double>(match.wins),
                         static_cast<double>(match.draws), static_cast<double>(match.losses)});
    }
    SEEDBED_ASSIGN(const Ratings ratings, fitRatings(members.size(), games));
    std::vector<std::size_t> order(members.size()), place(members.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return ratings.players[a].points > ratings.players[b].points;
    });
    LeagueTable table;
    table.draw_ratio = ratings.draw_ratio;
    table.matrix.assign(members.size(), std::vector<GameCounts>(members.size()));
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        place[order[rank]] = rank;
        table.ladder.push_back({members[order[rank]], ratings.players[order[rank]], {}});
    }
    for (const PairGames& pair : games) {
        const auto wins = static_cast<std::int64_t>(pair.wins), draws = static_cast<std::int64_t>(pair.draws),
                   losses = static_cast<std::int64_t>(pair.losses);
        const std::size_t a = place[pair.a], b = place[pair.b];
        addGames(table.matrix[a][b], wins, draws, losses);
        addGames(table.matrix[b][a], losses, draws, wins);
        addGames(table.ladder[a].games, wins, draws, losses);
        addGames(table.ladder[b].games, losses, draws, wins);
    }
    return table;
}

LeagueMatch nextMatch(std::int64_t league, std::int64_t a, std::int64_t b,
                      const std::vector<LeagueMatch>& matches) {
    LeagueMatch match;
    match.a = std::min(a, b);
    match.b = std::max(a, b);
    match.number = nextNumbers(matches)[{match.a, match.b}];
    return withSeed(league, match);
}

std::vector<LeagueMatch> nextRound(std::int64_t league, const std::vector<LeagueMember>& members,
                                   const std::vector<LeagueMatch>& matches) {
    auto numbers = nextNumbers(matches);
    std::vector<LeagueMatch> round;
    for (const LeagueMember& a : members)
        for (const LeagueMember& b : members) {
            if (a.id >= b.id || !a.active || !b.active) continue;
            LeagueMatch match;
            match.a = a.id;
            match.b = b.id;
            match.number = numbers[{a.id, b.id}];
            round.push_back(withSeed(league, match));
        }
    std::stable_sort(round.begin(), round.end(),
                     [](const LeagueMatch& a, const LeagueMatch& b) { return a.number < b.number; });
    return round;
}

}  // namespace seedbed
