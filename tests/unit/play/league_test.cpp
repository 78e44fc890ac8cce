// SPDX-License-Identifier: Apache-2.0
// The ladder of a league, and the matches of its rounds.
#include "core/play/league.hpp"

#include <numeric>
#include <set>

#include <gtest/gtest.h>

namespace seedbed {
namespace {

LeagueMember memberOf(std::int64_t id, bool active = true) {
    LeagueMember member;
    member.id = id;
    member.name = "m" + std::to_string(id);
    member.active = active;
    return member;
}

LeagueMatch matchOf(std::int64_t a, std::int64_t b, std::int64_t number, int wins, int draws, int losses) {
    LeagueMatch match;
    match.a = a;
    match.b = b;
    match.number = number;
    match.wins = wins;
    match.draws = draws;
    match.losses = losses;
    return match;
}

TEST(League, TheLadderIsOrderedByRatingAndTheMatrixFollowsIt) {
    const std::vector<LeagueMember> members{memberOf(4), memberOf(7), memberOf(9, false), memberOf(12)};
    const auto table = leagueTable(members, {matchOf(4, 7, 0, 2, 1, 17), matchOf(4, 7, 1, 3, 0, 17),
                                             matchOf(7, 9, 0, 5, 2, 13), matchOf(4, 99, 0, 9, 9, 9)});
    ASSERT_TRUE(table) << table.error().text();
    ASSERT_EQ(table->ladder.size(), 4U);
    std::vector<std::string> names;
    for (const LeagueStanding& standing : table->ladder) names.push_back(standing.member.name);
    // A member without games is rated like the mean.
    EXPECT_EQ(names.front(), "m9");
    EXPECT_EQ(names.back(), "m4");
    for (std::size_t i = 1; i < 4; ++i)
        EXPECT_GE(table->ladder[i - 1].rating.points, table->ladder[i].rating.points);
    const auto placeOf = [&](const std::string& name) {
        return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    };
    const GameCounts& games = table->matrix[placeOf("m4")][placeOf("m7")];
    EXPECT_EQ(games.wins, 5);
    EXPECT_EQ(games.draws, 1);
    EXPECT_EQ(games.losses, 34);
    EXPECT_EQ(table->ladder[placeOf("m4")].games.games(), 40) << "no games against unknown members";
    EXPECT_EQ(table->ladder[placeOf("m12")].games.games(), 0);
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) {
            EXPECT_EQ(table->matrix[i][j].wins, table->matrix[j][i].losses);
            EXPECT_EQ(table->matrix[i][j].draws, table->matrix[j][i].draws);
        }
}

// A repeated game shows nothing new, in the same match or in another one of the pair.
TEST(League, RepeatedGamesDoNotNarrowAnInterval) {
    const std::vector<LeagueMember> members{memberOf(1), memberOf(2), memberOf(3)};
    const auto tableOf = [&](const std::vector<std::uint64_t>& ids, int times, std::int64_t matches) {
        std::vector<LeagueMatch> played{matchOf(2, 3, 0, 10, 0, 20)};
        for (std::int64_t number = 0; number < matches; ++number) {
            played.push_back(matchOf(1, 2, number, 12 * times, 3 * times, 5 * times));
            for (int i = 0; i < times; ++i)
                played.back().game_ids.insert(played.back().game_ids.end(), ids.begin(), ids.end());
        }
        return leagueTable(members, played).value();
    };
    const auto width = [](const LeagueTable& table, std::int64_t id) {
        for (const LeagueStanding& each : table.ladder)
            if (each.member.id == id) return each.rating.high - each.rating.low;
        return 0.0;
    };
    std::vector<std::uint64_t> ids(20);
    std::iota(ids.begin(), ids.end(), 100);
    const LeagueTable once = tableOf(ids, 1, 1), repeated = tableOf(ids, 4, 3);
    ASSERT_EQ(repeated.ladder[0].member.id, 1);
    EXPECT_EQ(repeated.ladder[0].games.games(), 240);
    EXPECT_EQ(repeated.ladder[0].distinct, 20);
    EXPECT_EQ(once.ladder[0].distinct, 20);
    for (const std::int64_t id : {1, 2, 3}) EXPECT_NEAR(width(once, id), width(repeated, id), 1e-6);
    EXPECT_NEAR(once.ladder[0].rating.points, repeated.ladder[0].rating.points, 1e-6);
    EXPECT_EQ(repeated.matrix[0][1].wins + repeated.matrix[0][2].wins, 144) << "scores count all games";
    // Games without a number are distinct.
    EXPECT_LT(width(tableOf({}, 4, 3), 1), width(once, 1) / 2);
    EXPECT_EQ(leagueTable(members, {matchOf(2, 3, 0, 10, 0, 20)})->ladder[0].distinct, 30);
}

TEST(League, ANewMemberPlaysEveryOtherOneAndAnInterruptedOneOnlyWhatIsMissing) {
    const std::vector<LeagueMember> members{memberOf(1), memberOf(2), memberOf(3, false), memberOf(4),
                                            memberOf(5)};
    std::vector<LeagueMatch> played{matchOf(1, 2, 0, 1, 0, 0), matchOf(1, 4, 0, 1, 0, 0),
                                    matchOf(1, 4, 1, 1, 0, 0), matchOf(4, 5, 0, 1, 0, 0)};
    std::set<std::pair<std::int64_t, std::int64_t>> pairs;
    const std::vector<LeagueMatch> missing = missingMatches(7, {4, 5}, members, played, 2);
    for (const LeagueMatch& match : missing) pairs.insert({match.a, match.b});
    // 1-5 and 2-4, 2-5 twice, 4-5 once; 1-4 is complete, 3 is not active and 1-2 are not of the players.
    EXPECT_EQ(missing.size(), 7U);
    EXPECT_EQ(pairs, (decltype(pairs){{1, 5}, {2, 4}, {2, 5}, {4, 5}}));
    EXPECT_EQ(missing.front().number, 0);
    EXPECT_EQ(missing.back().number, 1);
    EXPECT_EQ(missing.front().seed, nextMatch(7, missing.front().a, missing.front().b, played).seed);
    played.insert(played.end(), missing.begin(), missing.end());
    EXPECT_TRUE(missingMatches(7, {4, 5}, members, played, 2).empty());
}

TEST(League, ARoundHasEveryPairOfActiveMembersOnce) {
    const std::vector<LeagueMember> members{memberOf(1), memberOf(2), memberOf(3, false), memberOf(4)};
    const std::vector<LeagueMatch> played{matchOf(1, 2, 0, 1, 0, 0), matchOf(1, 2, 1, 1, 0, 0),
                                          matchOf(1, 4, 0, 1, 0, 0)};
    const std::vector<LeagueMatch> round = nextRound(5, members, played);
    ASSERT_EQ(round.size(), 3U);
    EXPECT_EQ(std::pair(round[0].a, round[0].b), (std::pair<std::int64_t, std::int64_t>(2, 4)));
    EXPECT_EQ(std::pair(round[1].a, round[1].b), (std::pair<std::int64_t, std::int64_t>(1, 4)));
    EXPECT_EQ(round[0].number, 0);
    EXPECT_EQ(round[1].number, 1);
    EXPECT_EQ(round[2].number, 2);
}

// A match that was lost with its process is played again with the same seed.
TEST(League, SeedsDependOnTheMatchOnly) {
    std::vector<LeagueMember> members;
    for (std::int64_t id = 1; id <= 20; ++id) members.push_back(memberOf(id));
    std::set<std::uint64_t> seeds;
    std::vector<LeagueMatch> played;
    for (int round = 0; round < 3; ++round) {
        const std::vector<LeagueMatch> next = nextRound(1, members, played);
        ASSERT_EQ(next.size(), 190U);
        for (const LeagueMatch& match : next) {
            EXPECT_TRUE(seeds.insert(match.seed).second) << "each match has its own seed";
            EXPECT_EQ(nextMatch(1, match.b, match.a, played).seed, match.seed);
        }
        played.insert(played.end(), next.begin(), next.end());
    }
    EXPECT_NE(nextMatch(2, 1, 2, {}).seed, nextMatch(1, 1, 2, {}).seed);
}

}  // namespace
}  // namespace seedbed
