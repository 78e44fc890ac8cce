// SPDX-License-Identifier: Apache-2.0
// Matches between players of known strength.
#include "core/play/match.hpp"

#include <chrono>
#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include "tests/unit/base/time_limit.hpp"
#include "tests/unit/session/seat_games.hpp"

namespace seedbed {
namespace {

MatchRequest scriptedMatch(const std::string& env, const std::string& a, const std::string& b, int games) {
    test::registerSeatGames();
    const EnvEntry* entry = envRegistry().find(env);
    MatchRequest request;
    request.env = entry;
    request.env_params = entry->params->defaults();
    request.env_spec = *entry->spec(request.env_params);
    request.a.scripted = a;
    request.b.scripted = b;
    request.games = games;
    return request;
}

MatchResult play(const MatchRequest& request) {
    auto result = playMatch(request, {});
    EXPECT_TRUE(result.has_value()) << result.error().text();
    return std::move(*result);
}

// Players 3 and 1 of the game "duel" win with probability 3/4 and 1/4 on the first seat, and so on the
// second.
TEST(Match, IntervalsContainKnownStrengths) {
    constexpr int kMatches = 200;
    int covered = 0;
    double sum = 0;
    for (int i = 0; i < kMatches; ++i) {
        MatchRequest request = scriptedMatch("duel", "chooses:3", "chooses:1", 100);
        request.seed = static_cast<std::uint64_t>(1000 + i);
        const GameCounts counts = play(request).total();
        ASSERT_EQ(counts.games(), 100);
        const Share score = scoreOf(counts);
        covered += score.low <= 0.75 && 0.75 <= score.high ? 1 : 0;
        sum += score.share;
    }
    // Binomial: 95 % +- 4 standard errors of 1.54 %; the mean +- 4 standard errors.
    EXPECT_GE(covered, 178);
    EXPECT_NEAR(sum / kMatches, 0.75, 4 * std::sqrt(0.75 * 0.25 / (100 * kMatches)));
}

TEST(Match, CountsWinsBySeatAndSwapsThem) {
    MatchRequest request = scriptedMatch("first_wins", "random", "random", 50);
    const MatchResult swapped = play(request);
    EXPECT_EQ(swapped.seats[0].wins, 25);
    EXPECT_EQ(swapped.seats[0].losses, 0);
    EXPECT_EQ(swapped.seats[1].losses, 25);
    EXPECT_EQ(scoreOf(swapped.total()).share, 0.5);
    request.swap = false;
    EXPECT_EQ(play(request).total().wins, 50);
}

TEST(Match, EqualReturnsAreDrawsWorthHalfAWin) {
    const MatchResult result = play(scriptedMatch("pays_action", "chooses:2", "chooses:2", 20));
    EXPECT_EQ(result.total().draws, 20);
    EXPECT_EQ(scoreOf(result.total()).share, 0.5);
}

TEST(Match, OfOneSeatPlaysEqualSeeds) {
    const MatchResult same = play(scriptedMatch("catch", "random", "random", 40));
    EXPECT_EQ(same.a.size(), 40U);
    EXPECT_EQ(same.a, same.b);  // equal players in equal episodes
    MatchRequest longer = scriptedMatch("cartpole", "random", "random", 40);
    longer.threads = 3;
    const MatchResult first = play(longer);
    longer.threads = 1;
    EXPECT_EQ(play(longer).a, first.a);
}

TEST(Match, EndsAfterAStopWithTheFinishedGames) {
    // A game takes some milliseconds, and all take hours.
    MatchRequest request = scriptedMatch("connect_four", "alpha_beta:4", "alpha_beta:4", 1'000'000);
    std::stop_source stop;
    std::chrono::steady_clock::time_point begin;
    std::jthread timer([&] {
        std::this_thread::sleep_for(std::chrono::seconds(1));
        begin = std::chrono::steady_clock::now();
        stop.request_stop();
    });
    const auto result = playMatch(request, stop.get_token());
    const auto end = std::chrono::steady_clock::now();
    timer.join();
    const std::chrono::duration<double> elapsed = end - begin;
    ASSERT_TRUE(result.has_value()) << result.error().text();
    EXPECT_TRUE(result->stopped);
    EXPECT_GT(result->games(), 0);
    EXPECT_LT(elapsed.count(), test::measuredLimit(2));
}

TEST(Match, NamesAPlayerThatDoesNotFit) {
    const auto result = playMatch(scriptedMatch("duel", "random", "tracker", 10), {});
    ASSERT_FALSE(result.has_value());
    EXPECT_NE(result.error().text().find("it plays pong"), std::string::npos) << result.error().text();
}

// Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3.
TEST(Wilson, GivesThePublishedIntervals) {
    const struct {
        int successes, trials;
        double low, high;
    } rows[] = {
        {81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}};
    for (const auto& row : rows) {
        const auto [low, high] = wilsonInterval(row.successes, row.trials);
        EXPECT_NEAR(low, row.low, 5e-5);
        EXPECT_NEAR(high, row.high, 5e-5);
    }
    EXPECT_EQ(wilsonInterval(0, 0), (std::pair<double, double>(0, 1)));
}

}  // namespace
}  // namespace seedbed
