// SPDX-License-Identifier: Apache-2.0
// Evaluations with an opponent: which seat counts, who plays it, and reproducible results.
#include "core/session/seats.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/session/configs.hpp"
#include "tests/unit/session/seat_games.hpp"

namespace seedbed {
namespace {

using test::makeSession;
using test::smallConfig;

EvaluationRequest scriptedRequest(const std::string& env, const std::string& own, const std::string& other,
                                  int episodes) {
    test::registerSeatGames();
    const EnvEntry* entry = envRegistry().find(env);
    EvaluationRequest request;
    request.env = entry;
    request.env_params = entry->params->defaults();
    request.env_spec = *entry->spec(request.env_params);
    request.distribution = ActionDistribution(request.env_spec.spaces, false);
    request.scripted = own;
    request.opponent = scriptedOpponent(other);
    request.episodes = episodes;
    return request;
}

EvaluationResult play(const EvaluationRequest& request, int threads = 1) {
    auto result = evaluate(nullptr, Params(), request, threads);
    EXPECT_TRUE(result.has_value()) << result.error().text();
    EXPECT_TRUE(result->isComplete()) << result->problem;
    return std::move(*result);
}

std::vector<double> returnsOf(const EvaluationResult& result) {
    std::vector<double> returns;
    for (const EpisodeResult& episode : result.episodes) returns.push_back(episode.episode_return);
    return returns;
}

TEST(Seats, APlayerThatWinsOnTheFirstSeatOnlyScoresHalf) {
    for (const int episodes : {2, 30, 100, 400}) {
        EvaluationRequest request = scriptedRequest("first_wins", "random", "random", episodes);
        const EvaluationResult swapped = play(request);
        EXPECT_EQ(swapped.summary.mean, 0) << episodes;
        ASSERT_EQ(swapped.games.size(), static_cast<std::size_t>(episodes));
        const auto first = std::ranges::count(swapped.games, 0, &GameResult::seat);
        EXPECT_EQ(first, episodes / 2);
        request.swap = false;
        EXPECT_EQ(play(request).summary.mean, 1) << episodes;
    }
}

TEST(Seats, EachPlayerActsOnItsOwnSeatAndReturnsAreThoseOfItsSeat) {
    const EvaluationResult result = play(scriptedRequest("pays_action", "chooses:3", "chooses:1", 70));
    for (std::size_t i = 0; i < result.episodes.size(); ++i) {
        EXPECT_EQ(result.episodes[i].episode_return, 12);
        EXPECT_EQ(result.games[i].other_return, 4);
    }
}

TEST(Seats, OpeningsAreRandomForAllSeatsAndHaveTheirLength) {
    EvaluationRequest request = scriptedRequest("pays_action", "chooses:3", "chooses:0", 640);
    request.opening = 2;
    const EvaluationResult result = play(request);
    double own = 0, other = 0;
    for (std::size_t i = 0; i < result.episodes.size(); ++i) {
        EXPECT_GE(result.episodes[i].episode_return, 6);  // its own two decisions
        EXPECT_LE(result.games[i].other_return, 6);
        own += result.episodes[i].episode_return - 6;
        other += result.games[i].other_return;
    }
    // Two uniform actions have a mean of 3 and a variance of 2.5; five standard errors.
    const double tolerance = 5 * std::sqrt(2.5 / 640);
    EXPECT_NEAR(own / 640, 3, tolerance);
    EXPECT_NEAR(other / 640, 3, tolerance);
}

TEST(Seats, ResultsDoNotDependOnThreadsAndDependOnTheSeed) {
    EvaluationRequest request = scriptedRequest("connect_four", "alpha_beta:1", "random", 90);
    request.opening = 2;
    const std::vector<double> one = returnsOf(play(request, 1));
    EXPECT_EQ(returnsOf(play(request, 4)), one);
    request.seed = 2;
    EXPECT_NE(returnsOf(play(request, 1)), one);
}

TEST(Seats, OfConnectFourAreEquallyStrong) {
    EvaluationRequest request = scriptedRequest("connect_four", "alpha_beta:2", "alpha_beta:2", 600);
    request.swap = false;
    request.opening = 2;
    // The first seat moves first in half of the games. Returns are within [-1, 1]; four standard errors.
    EXPECT_NEAR(play(request).summary.mean, 0, 4 / std::sqrt(600.0));
}

TEST(Seats, DeeperSearchWins) {
    const EvaluationRequest request = scriptedRequest("connect_four", "alpha_beta:4", "alpha_beta:1", 100);
    EXPECT_GT(play(request).summary.mean, 0.5);
    EXPECT_GT(play(scriptedRequest("connect_four", "alpha_beta:2", "random", 100)).summary.mean, 0.9);
}

// Greedy actions of one network for both seats are those of self-play, whichever object computes them.
TEST(Seats, ANetworkAgainstItselfPlaysTheGamesOfSelfPlay) {
    for (const char* core : {"none", "gru"}) {
        const auto session = makeSession(
            smallConfig("connect_four", {{"run", {{"threads", 1}}}, {"network", {{"core", core}}}}));
        EvaluationRequest request = session->evaluationRequest(40, Selection::sample, 5);
        const auto alone = session->evaluate(request, {});
        ASSERT_TRUE(alone.has_value());
        SeatPlayer other;
        other.net = *compileNet("reference", session->learner().networkPlan(0), EngineOptions{});
        other.params = session->learner().params();
        other.distribution = request.distribution;
        other.selection = Selection::sample;
        request.opponent = other;
        request.swap = false;
        const auto both = session->evaluate(request, {});
        ASSERT_TRUE(both.has_value()) << both.error().text();
        ASSERT_EQ(alone->episodes.size(), both->episodes.size());
        for (std::size_t i = 0; i < alone->episodes.size(); ++i) {
            EXPECT_EQ(alone->episodes[i].length, both->episodes[i].length);
            EXPECT_EQ(alone->episodes[i].episode_return, both->episodes[i].episode_return);
            EXPECT_EQ(both->games[i].other_return, -both->episodes[i].episode_return);
        }
    }
}

TEST(Seats, RunsEvaluateAgainstTheOpponentOfTheirSettings) {
    const auto session = makeSession(
        smallConfig("connect_four", {{"run", {{"threads", 1}}}, {"eval", {{"opponent", "alpha_beta:2"}}}}));
    const auto result = session->evaluate(60, Selection::sample, 1, {});
    ASSERT_TRUE(result.has_value()) << result.error().text();
    EXPECT_LT(result->summary.mean, -0.5);  // the network is untrained
    EXPECT_EQ(result->games.size(), 60U);
}

TEST(Seats, OpponentsThatDoNotFitAreConfigurationErrors) {
    const auto errorOf = [](const char* env, const char* opponent) {
        const auto plan = Session::plan(smallConfig(env, {{"eval", {{"opponent", opponent}}}}));
        return plan ? std::string() : plan.error().text();
    };
    EXPECT_NE(errorOf("connect_four", "tracker").find("it plays pong"), std::string::npos);
    EXPECT_NE(errorOf("connect_four", "alpha_beta:12").find("from 1 to 8"), std::string::npos);
    EXPECT_NE(errorOf("cartpole", "random").find("'cartpole' has one seat"), std::string::npos);
    EXPECT_NE(errorOf("cartpole", "random").find("eval.opponent"), std::string::npos);
}

}  // namespace
}  // namespace seedbed
