// SPDX-License-Identifier: Apache-2.0
// Ratings from simulated games of players with known strengths.
#include "core/analysis/rating.hpp"

#include <chrono>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "core/base/rng.hpp"

namespace seedbed {
namespace {

constexpr double kLog10Over400 = 2.302585092994046 / 400;

struct League {
    std::vector<double> points;  // true ratings, mean 0
    double draw_ratio = 0;
    std::vector<PairGames> games;
};

// Davidson's model, written independently of the fit.
void playGame(const League& league, PairGames& pair, Rng& rng) {
    const double a = std::exp(kLog10Over400 * league.points[pair.a]),
                 b = std::exp(kLog10Over400 * league.points[pair.b]),
                 draw = league.draw_ratio * std::sqrt(a * b), u = rng.uniform() * (a + b + draw);
    if (u < a) ++pair.wins;
    else if (u < a + b) ++pair.losses;
    else ++pair.draws;
}

League simulate(std::size_t players, std::size_t matches, int games_each, double spread, double draw_ratio,
                std::uint32_t lane) {
    Rng rng(1, RngPurpose::test, lane);
    League league;
    league.draw_ratio = draw_ratio;
    for (std::size_t i = 0; i < players; ++i) league.points.push_back(spread * rng.normal());
    const double mean =
        std::accumulate(league.points.begin(), league.points.end(), 0.0) / static_cast<double>(players);
    for (double& points : league.points) points -= mean;
    for (std::size_t match = 0; match < matches; ++match) {
        PairGames pair;
        pair.a = rng.below(static_cast<std::uint32_t>(players));
        pair.b = (pair.a + 1 + rng.below(static_cast<std::uint32_t>(players - 1))) % players;
        for (int game = 0; game < games_each; ++game) playGame(league, pair, rng);
        league.games.push_back(pair);
    }
    return league;
}

Ratings fit(const League& league) {
    auto ratings = fitRatings(league.points.size(), league.games);
    EXPECT_TRUE(ratings.has_value());
    return *ratings;
}

TEST(Ratings, OfTwoPlayersAreTheLogarithmOfTheirOdds) {
    const std::vector<PairGames> games = {{0, 1, 6000, 0, 2000}};
    const auto ratings = fitRatings(2, games);
    ASSERT_TRUE(ratings.has_value());
    const double difference = ratings->players[0].points - ratings->players[1].points;
    // The prior's pull is 0.04 against 1,500 units of information.
    EXPECT_NEAR(difference, 400 * std::log10(3.0), 0.02);
    // Wald interval of a logit: 1 / sqrt(n p q); half of it, as each deviates from their mean.
    const double half = 1.96 / std::sqrt(8000 * 0.75 * 0.25) / kLog10Over400 / 2;
    EXPECT_NEAR(ratings->players[0].high - ratings->players[0].points, half, 0.01);
    EXPECT_EQ(ratings->players[0].games, 8000);
    EXPECT_NEAR(expectedScore(difference, ratings->draw_ratio), 0.75, 1e-4);
}

TEST(Ratings, DrawsCountForBothPlayersAndForTheDrawRatio) {
    const std::vector<PairGames> games = {{0, 1, 300, 400, 300}, {1, 0, 0, 0, 0}};
    const auto ratings = fitRatings(2, games);
    ASSERT_TRUE(ratings.has_value());
    EXPECT_NEAR(ratings->players[0].points, 0, 1e-6);
    // Equal players draw draw_ratio / (2 + draw_ratio) of their games.
    EXPECT_NEAR(ratings->draw_ratio / (2 + ratings->draw_ratio), 0.4, 1e-3);
}

TEST(Ratings, FindKnownStrengths) {
    const League league = simulate(30, 3000, 20, 200, 0.6, 1);
    const Ratings ratings = fit(league);
    // 4,000 games per player: a standard error of about 6 points; five of them.
    for (std::size_t i = 0; i < league.points.size(); ++i)
        EXPECT_NEAR(ratings.players[i].points, league.points[i], 30) << i;
    EXPECT_NEAR(ratings.draw_ratio, 0.6, 0.03);
    EXPECT_LT(ratings.iterations, 20);
}

// 12,000 intervals of 300 leagues with 1,200,000 games; the standard error of the share is 0.2 %.
TEST(Ratings, IntervalsContainTheTrueStrengthIn95PercentOfTheCases) {
    int covered = 0, all = 0;
    for (std::uint32_t lane = 0; lane < 300; ++lane) {
        const League league = simulate(40, 800, 5, 150, lane % 3 == 0 ? 0.0 : 0.5, 100 + lane);
        const Ratings ratings = fit(league);
        for (std::size_t i = 0; i < league.points.size(); ++i) {
            ++all;
            covered +=
                league.points[i] >= ratings.players[i].low && league.points[i] <= ratings.players[i].high;
        }
    }
    EXPECT_EQ(all, 12000);
    EXPECT_NEAR(static_cast<double>(covered) / all, 0.95, 0.01);
}

TEST(Ratings, OfPlayersWhoWonOrLostEveryGameAreFiniteAndUncertain) {
    const std::vector<PairGames> games = {{0, 1, 20, 0, 0}, {1, 2, 20, 0, 0}};
    const auto ratings = fitRatings(4, games);
    ASSERT_TRUE(ratings.has_value());
    EXPECT_GT(ratings->players[0].points, ratings->players[1].points);
    EXPECT_GT(ratings->players[1].points, ratings->players[2].points);
    for (const Rating& rating : ratings->players) {
        EXPECT_TRUE(std::isfinite(rating.points));
        EXPECT_GT(rating.high - rating.low, 200);
    }
    EXPECT_EQ(ratings->players[3].games, 0);
    EXPECT_GT(ratings->players[3].high, 800) << "no game connects this player";
}

TEST(Ratings, OfNoGamesAreEqual) {
    for (const std::size_t players : {0, 1, 3}) {
        const auto ratings = fitRatings(players, {});
        ASSERT_TRUE(ratings.has_value());
        for (const Rating& rating : ratings->players) EXPECT_EQ(rating.points, 0);
    }
}

TEST(Ratings, RefuseImpossibleGames) {
    EXPECT_FALSE(fitRatings(2, std::vector<PairGames>{{0, 2, 1, 0, 0}}).has_value());
    EXPECT_FALSE(fitRatings(2, std::vector<PairGames>{{1, 1, 1, 0, 0}}).has_value());
    EXPECT_FALSE(fitRatings(2, std::vector<PairGames>{{0, 1, -1, 0, 0}}).has_value());
    EXPECT_FALSE(fitRatings(2, std::vector<PairGames>{{0, 1, NAN, 0, 0}}).has_value());
}

// The fit of 1,000 players and 100,000 matches takes about 0.1 s in the release build; the limit leaves room
// for slow builds and busy machines.
TEST(Ratings, OfAThousandPlayersAreFast) {
    const League league = simulate(1000, 100'000, 1, 200, 0.3, 7);
    const auto begin = std::chrono::steady_clock::now();
    const Ratings ratings = fit(league);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    RecordProperty("seconds", std::to_string(seconds));
    EXPECT_LT(seconds, 10);
    double squares = 0;
    for (std::size_t i = 0; i < league.points.size(); ++i)
        squares += std::pow(ratings.players[i].points - league.points[i], 2);
    EXPECT_LT(std::sqrt(squares / 1000), 40) << "200 games each give a standard error of about 27 points";
}

}  // namespace
}  // namespace seedbed
