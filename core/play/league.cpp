// SPDX-License-Identifier: Apache-2.0
#include "core/play/league.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_set>

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

LeagueMatch numbered(std::int64_t league, std::int64_t a, std::int64_t b, std::int64_t number) {
    LeagueMatch match;
    match.a = a;
    match.b = b;
    match.number = number;
    // Members have few numbers, so lanes of different pairs differ.
    const auto lane = static_cast<std::uint32_t>(match.a * 65537 + match.b);
    Rng rng(static_cast<std::uint64_t>(league), RngPurpose::play, lane,
            static_cast<std::uint64_t>(match.number) * 4);
    match.seed = rng.nextU32();
    return match;
}

template <class Visit>
void forActivePairs(const std::vector<LeagueMember>& members, const Visit& visit) {
    for (const LeagueMember& a : members)
        for (const LeagueMember& b : members)
            if (a.id < b.id && a.active && b.active) visit(a.id, b.id);
}

void sortByNumber(std::vector<LeagueMatch>& matches) {
    std::stable_sort(matches.begin(), matches.end(),
                     [](const LeagueMatch& a, const LeagueMatch& b) { return a.number < b.number; });
}

// Games of a pair, with and without repetitions.
struct PairCount {
    std::int64_t games = 0, unidentified = 0;
    std::unordered_set<std::uint64_t> ids;
    std::int64_t distinct() const { return unidentified + static_cast<std::int64_t>(ids.size()); }
};

}  // namespace

Result<LeagueTable> leagueTable(const std::vector<LeagueMember>& members,
                                const std::vector<LeagueMatch>& matches) {
    std::map<std::int64_t, std::size_t> index;
    for (const LeagueMember& member : members) index.emplace(member.id, index.size());
    std::map<std::pair<std::size_t, std::size_t>, PairCount> pairs;
    std::vector<const LeagueMatch*> counted;
    for (const LeagueMatch& match : matches) {
        if (!index.contains(match.a) || !index.contains(match.b)) continue;
        counted.push_back(&match);
        PairCount& pair = pairs[{index[match.a], index[match.b]}];
        pair.games += match.games();
        if (match.game_ids.empty()) pair.unidentified += match.games();
        pair.ids.insert(match.game_ids.begin(), match.game_ids.end());
    }
    std::vector<PairGames> games;
    for (const LeagueMatch* match : counted) {
        const std::size_t a = index[match->a], b = index[match->b];
        const PairCount& pair = pairs[{a, b}];
        if (pair.games == 0) continue;
        const double weight = static_cast<double>(pair.distinct()) / static_cast<double>(pair.games);
        games.push_back({a, b, weight * match->wins, weight * match->draws, weight * match->losses});
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
        table.ladder.push_back({members[order[rank]], ratings.players[order[rank]], {}, 0});
    }
    for (const LeagueMatch* match : counted) {
        const std::size_t a = place[index[match->a]], b = place[index[match->b]];
        addGames(table.matrix[a][b], match->wins, match->draws, match->losses);
        addGames(table.matrix[b][a], match->losses, match->draws, match->wins);
        addGames(table.ladder[a].games, match->wins, match->draws, match->losses);
        addGames(table.ladder[b].games, match->losses, match->draws, match->wins);
    }
    for (const auto& [pair, count] : pairs)
        for (const std::size_t member : {pair.first, pair.second})
            table.ladder[place[member]].distinct += count.distinct();
    return table;
}

LeagueMatch nextMatch(std::int64_t league, std::int64_t a, std::int64_t b,
                      const std::vector<LeagueMatch>& matches) {
    const std::pair pair(std::min(a, b), std::max(a, b));
    return numbered(league, pair.first, pair.second, nextNumbers(matches)[pair]);
}

std::vector<LeagueMatch> nextRound(std::int64_t league, const std::vector<LeagueMember>& members,
                                   const std::vector<LeagueMatch>& matches) {
    auto numbers = nextNumbers(matches);
    std::vector<LeagueMatch> round;
    forActivePairs(members, [&](std::int64_t a, std::int64_t b) {
        round.push_back(numbered(league, a, b, numbers[{a, b}]));
    });
    sortByNumber(round);
    return round;
}

std::vector<LeagueMatch> missingMatches(std::int64_t league, const std::set<std::int64_t>& players,
                                        const std::vector<LeagueMember>& members,
                                        const std::vector<LeagueMatch>& matches, int rounds) {
    auto numbers = nextNumbers(matches);
    std::vector<LeagueMatch> missing;
    forActivePairs(members, [&](std::int64_t a, std::int64_t b) {
        if (!players.contains(a) && !players.contains(b)) return;
        for (std::int64_t number = numbers[{a, b}]; number < rounds; ++number)
            missing.push_back(numbered(league, a, b, number));
    });
    sortByNumber(missing);
    return missing;
}

}  // namespace seedbed
