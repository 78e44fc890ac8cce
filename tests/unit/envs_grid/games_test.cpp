// SPDX-License-Identifier: Apache-2.0
// DeepSea's published mapping and optimum, bit flipping, a point with goals, Connect Four's masks and
// winners, Pong's physics, and the images of the pixel environments.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/env/random_policy.hpp"
#include "tests/unit/envs_grid/env_under_test.hpp"

namespace seedbed {
namespace {

TEST(SpaceInvaders, RefusesAStateWithoutAliens) {
    EnvUnderTest env("minatar_space_invaders");
    Json state = env.state();
    EXPECT_TRUE(env.batch().setState(0, state).has_value());
    for (Json& row : state["alien_map"])
        for (Json& cell : row) cell = 0;
    EXPECT_FALSE(env.batch().setState(0, state).has_value());
}

// --- exploration

// The action that moves right in the diver's cell, found by trial and error.
float rightHere(const EnvUnderTest& env, EnvUnderTest& trial) {
    const Json state = env.state();
    trial.setState(state);
    trial.step(1);
    return trial.reward() != 0 ? 1.0f : 0.0f;  // only moves to the right have a cost or reward
}

TEST(DeepSea, MapsActionsAsNumPysRandomState42) {
    EnvUnderTest env("deep_sea"), trial("deep_sea");
    // numpy.random.RandomState(42).binomial(1, 0.5, [10, 10]), first row.
    const int expected[] = {0, 1, 1, 1, 0, 0, 0, 1, 1, 1};
    for (int column = 0; column < 10; ++column) {
        env.setState({{"row", 0}, {"column", column}});
        EXPECT_EQ(rightHere(env, trial), static_cast<float>(expected[column])) << column;
    }
}

TEST(DeepSea, RewardsTheTreasureMinusTheCostOfTheWay) {
    EnvUnderTest env("deep_sea"), trial("deep_sea");
    for (const bool dive : {true, false}) {
        env.reset();
        double total = 0;
        int steps = 0;
        bool going = true;
        while (going) {
            EXPECT_EQ(env.pixel(0, 0, steps, dive ? steps : 0), 1);
            const float right = rightHere(env, trial);
            going = env.step(dive ? right : 1 - right);
            total += static_cast<double>(env.reward());
            ++steps;
        }
        EXPECT_NEAR(total, dive ? 0.99 : 0, 1e-6);  // f32 rewards
        EXPECT_EQ(steps, 10);
    }
}

TEST(DeepSea, FailsOneStepInNWhenStochastic) {
    EnvUnderTest env("deep_sea_stochastic", {{"randomize_actions", false}});
    int moved = 0;
    constexpr int kTrials = 20'000;
    for (int trial = 0; trial < kTrials; ++trial) {
        env.setState({{"row", 3}, {"column", 2}});
        env.step(1);
        moved += env.state()["column"] == 3 ? 1 : 0;
    }
    EXPECT_NEAR(moved, 0.9 * kTrials, 5 * std::sqrt(kTrials * 0.09));  // five standard deviations
}

TEST(BitFlipping, RewardsOnlyWhenAllBitsMatchTheGoal) {
    EnvUnderTest env("bit_flipping");
    for (int episode = 0; episode < 20; ++episode) {
        int wrong = 0;
        for (int bit = 0; bit < 10; ++bit) wrong += env.real(0, bit) != env.real(1, bit) ? 1 : 0;
        double total = 0;
        for (bool going = true; going; total += static_cast<double>(env.reward())) {
            float action = 10;  // no bit to flip
            for (int bit = 0; bit < 10; ++bit)
                if (env.real(0, bit) != env.real(1, bit)) action = static_cast<float>(bit);
            going = env.step(action);
        }
        EXPECT_EQ(total, -std::max(wrong - 1, 0));
        EXPECT_EQ(env.choice(2), 20);
        env.reset();
    }
}

// --- a point with goals

float towards(float from, float to, double speed) {
    return static_cast<float>(
        std::clamp((static_cast<double>(to) - static_cast<double>(from)) / speed, -1.0, 1.0));
}

TEST(PointGoal, MovesUpToItsSpeedAndStopsAtWalls) {
    EnvUnderTest env("point_goal");
    env.setState({{"position", {0.5, -0.95}}, {"goal", {0.6, -1.0}}});
    EXPECT_TRUE(env.step({0.5f, -1.0f}));
    EXPECT_FLOAT_EQ(env.real(0, 0), 0.55f);
    EXPECT_EQ(env.real(0, 1), -1.0f);
    EXPECT_EQ(env.reward(), -1) << "0.05 away, and the tolerance is 0.02";
    EXPECT_TRUE(env.step({0.31f, 0.15f}));
    EXPECT_EQ(env.reward(), 0) << "0.019 and 0.015 away; reaching the goal does not end the episode";
    EXPECT_TRUE(env.step({0.0f, 0.1f}));
    EXPECT_EQ(env.reward(), -1) << "0.025 away";
    EXPECT_EQ(env.real(1, 0), 0.6f);
    EXPECT_TRUE(env.step({7.0f, 0.0f}));
    EXPECT_FLOAT_EQ(env.real(0, 0), 0.681f) << "actions are clipped";
}

TEST(PointGoal, ThePointThatMovesStraightEarnsTheStatedOptimum) {
    for (const auto& [speed, tolerance, horizon] :
         {std::tuple{0.1, 0.02, 50}, std::tuple{0.3, 0.1, 3}, std::tuple{2.0, 0.5, 5}}) {
        EnvUnderTest env("point_goal", {{"speed", speed}, {"tolerance", tolerance}, {"horizon", horizon}}, 3);
        const EnvSpec& spec = env.spec();
        EXPECT_EQ(spec.horizon, horizon);
        constexpr int kEpisodes = 4000;
        double sum = 0, squares = 0;
        for (int episode = 0; episode < kEpisodes; ++episode) {
            env.reset();
            double total = 0;
            for (int t = 0; t < horizon; ++t) {
                env.step({towards(env.real(0, 0), env.real(1, 0), speed),
                          towards(env.real(0, 1), env.real(1, 1), speed)});
                total += static_cast<double>(env.reward());
                const float achieved[] = {env.real(0, 0), env.real(0, 1)},
                            desired[] = {env.real(1, 0), env.real(1, 1)};
                EXPECT_EQ(spec.goal->reward(achieved, desired), env.reward()) << "as hindsight scores it";
            }
            sum += total;
            squares += total * total;
        }
        const double mean = sum / kEpisodes, variance = squares / kEpisodes - mean * mean;
        // Four standard errors.
        EXPECT_NEAR(mean, spec.references.at(0).score, 4 * std::sqrt(variance / kEpisodes) + 1e-12) << speed;
    }
    EXPECT_NEAR(EnvUnderTest("point_goal").spec().references.at(0).score, -8.63397, 1e-5);
}

// --- Connect Four

int mover(const EnvUnderTest& env) { return env.state()["turn"].get<int>(); }

// Drops a disc for the player whose turn it is.
bool drop(EnvUnderTest& env, int column) {
    std::vector<float> actions = {7, 7};
    actions[static_cast<std::size_t>(mover(env))] = static_cast<float>(column);
    return env.step(actions);
}

TEST(ConnectFour, OnePlayerMovesAndTheOtherWaits) {
    EnvUnderTest env("connect_four");
    for (int ply = 0; ply < 6; ++ply) {
        const int moves = mover(env);
        std::vector<std::uint8_t> open(8, 1), wait(8, 0);
        open[7] = 0;
        wait[7] = 1;
        EXPECT_EQ(env.mask(moves), open);
        EXPECT_EQ(env.mask(1 - moves), wait);
        EXPECT_EQ(env.choice(1, moves), 1);
        EXPECT_EQ(env.choice(1, 1 - moves), 0);
        ASSERT_TRUE(drop(env, 3));
        EXPECT_EQ(mover(env), 1 - moves);
    }
    // The column is full after six discs.
    EXPECT_EQ(env.mask(mover(env))[3], 0);
    EXPECT_FALSE(drop(env, 3)) << "an action outside the mask loses the game";
    EXPECT_TRUE(env.terminated());
}

TEST(ConnectFour, ShowsEachPlayerItsOwnDiscsFirst) {
    EnvUnderTest env("connect_four");
    const int first = mover(env);
    drop(env, 2);
    EXPECT_EQ(env.pixel(0, 0, 5, 2, first), 1);
    EXPECT_EQ(env.pixel(0, 1, 5, 2, first), 0);
    EXPECT_EQ(env.pixel(0, 0, 5, 2, 1 - first), 0);
    EXPECT_EQ(env.pixel(0, 1, 5, 2, 1 - first), 1);
}

// The players drop discs into these columns alternately; the last disc completes four in a row.
void expectWin(const std::vector<int>& columns) {
    EnvUnderTest env("connect_four");
    const int first = mover(env);
    for (std::size_t ply = 0; ply < columns.size(); ++ply)
        ASSERT_EQ(drop(env, columns[ply]), ply + 1 < columns.size()) << "ply " << ply;
    const int winner = columns.size() % 2 == 1 ? first : 1 - first;
    EXPECT_EQ(env.reward(winner), 1);
    EXPECT_EQ(env.reward(1 - winner), -1);
}

TEST(ConnectFour, DetectsFourInEveryDirection) {
    expectWin({0, 1, 0, 1, 0, 1, 0});              // vertical
    expectWin({0, 0, 1, 1, 2, 2, 3});              // along the bottom
    expectWin({6, 6, 5, 5, 4, 4, 3});              // at the right edge
    expectWin({0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3});  // rising diagonal
    expectWin({6, 5, 5, 4, 4, 3, 4, 3, 3, 0, 3});  // falling diagonal
    expectWin({0, 1, 6, 1, 6, 1, 5, 1});           // the second player
}

TEST(ConnectFour, DoesNotCountFourAcrossTheTopOfAColumn) {
    // Three discs on top of column 0 and one at the bottom of column 1 are separated only by the empty bit of
    // the bit board.
    EnvUnderTest env("connect_four");
    Json board = Json::array();
    for (int row = 0; row < 6; ++row) board.push_back(Json::array({-1, -1, -1, -1, -1, -1, -1}));
    for (std::size_t row = 0; row < 6; ++row) board[row][0] = row < 3 ? 0 : 1;
    env.setState({{"board", board}, {"turn", 0}});
    EXPECT_TRUE(drop(env, 1));
}

TEST(ConnectFour, RandomGamesEndAsInTheOriginal) {
    // Two random players in 60,000 games of the original: the first player wins 55.2 %, the second 44.6 %,
    // 0.26 % are draws; 21.3 plies on average.
    EnvUnderTest env("connect_four");
    constexpr int kGames = 20'000;
    int first_wins = 0, draws = 0, plies = 0;
    for (int game = 0; game < kGames; ++game) {
        const int first = mover(env);
        bool going = true;
        while (going) {
            std::vector<float> actions(2);
            std::vector<std::uint8_t> mask = env.mask(0);
            const std::vector<std::uint8_t> other = env.mask(1);
            mask.insert(mask.end(), other.begin(), other.end());
            randomActions(env.spec().spaces, 2, mask.data(), env.rng(), actions.data());
            going = env.step(actions);
            ++plies;
        }
        first_wins += env.reward(first) == 1 ? 1 : 0;
        draws += env.reward(first) == 0 ? 1 : 0;
        env.reset();
    }
    // Four standard errors of both means, plus half of the last published digit.
    const auto near = [](double share, double expected, double digit) {
        const double error = std::sqrt(expected * (1 - expected) * (1.0 / kGames + 1.0 / 60'000));
        EXPECT_NEAR(share, expected, 4 * error + digit);
    };
    near(static_cast<double>(first_wins) / kGames, 0.552, 0.0005);
    near(static_cast<double>(draws) / kGames, 0.0026, 0.00005);
    EXPECT_NEAR(static_cast<double>(plies) / kGames, 21.3,
                4 * 7.5 * std::sqrt(1.0 / kGames + 1.0 / 60'000) + 0.05);  // spread of about 7.5
}

// --- Pong

Json pongState(std::array<int, 2> paddles, std::array<int, 2> ball, std::array<int, 2> speed,
               std::array<int, 2> score = {0, 0}) {
    return {{"paddles", paddles}, {"score", score}, {"ball", ball}, {"speed", speed}};
}

TEST(Pong, TheReturnAngleDependsOnOffsetAndPaddleMotion) {
    EnvUnderTest env("pong");
    for (const auto& [paddle, move, expected] :
         {std::tuple{15, 1.0f, 0}, {13, 1.0f, 2}, {17, 1.0f, -2}, {14, 2.0f, 1}, {15, 0.0f, 0}}) {
        env.setState(pongState({paddle, 15}, {2, 15}, {-1, 0}));
        env.step(std::vector<float>{move, 1});
        EXPECT_EQ(env.state()["speed"], Json({1, expected})) << paddle << " " << move;
        EXPECT_EQ(env.reward(), 0);
    }
}

TEST(Pong, BouncesOffTheWalls) {
    EnvUnderTest env("pong");
    env.setState(pongState({15, 15}, {20, 1}, {1, -3}));
    env.step(std::vector<float>{1, 1});
    EXPECT_EQ(env.state()["ball"], Json({21, 2}));
    EXPECT_EQ(env.state()["speed"], Json({1, 3}));
    env.setState(pongState({15, 15}, {20, 28}, {1, 3}));
    env.step(std::vector<float>{1, 1});
    EXPECT_EQ(env.state()["ball"], Json({21, 27}));
    EXPECT_EQ(env.state()["speed"], Json({1, -3}));
}

TEST(Pong, TheOtherPlayerScoresWhenTheBallPassesAndItEndsAtFive) {
    EnvUnderTest env("pong");
    env.setState(pongState({15, 15}, {2, 25}, {-1, 0}, {0, 3}));
    EXPECT_TRUE(env.step(std::vector<float>{1, 1}));
    EXPECT_EQ(env.reward(0), 0) << "the ball has not left the field yet";
    EXPECT_TRUE(env.step(std::vector<float>{1, 1}));
    EXPECT_EQ(env.reward(0), -1);
    EXPECT_EQ(env.reward(1), 1);
    EXPECT_EQ(env.state()["score"], Json({0, 4}));
    env.setState(pongState({15, 15}, {1, 25}, {-1, 0}, {0, 4}));
    EXPECT_FALSE(env.step(std::vector<float>{1, 1}));
    EXPECT_TRUE(env.terminated());
}

TEST(Pong, LooksTheSameFromBothSides) {
    EnvUnderTest env("pong"), image("pong", {{"observation", "image"}});
    const Json left = pongState({10, 20}, {12, 7}, {-1, 2}), right = pongState({20, 10}, {27, 7}, {1, 2});
    std::vector<float> seen;
    env.setState(left);
    for (int i = 0; i < 6; ++i) seen.push_back(env.real(0, i, 0));
    image.setState(left);
    const std::vector<std::uint8_t> picture(image.bytes(0, 0), image.bytes(0, 0) + 84 * 84);
    env.setState(right);
    image.setState(right);
    for (int i = 0; i < 6; ++i) EXPECT_FLOAT_EQ(env.real(0, i, 1), seen[static_cast<std::size_t>(i)]) << i;
    EXPECT_TRUE(std::equal(picture.begin(), picture.end(), image.bytes(0, 1)));
}

TEST(Pong, ScriptFollowsSlowBallsAndMissesSteepOnes) {
    EnvUnderTest env("pong_alone");
    EXPECT_EQ(env.spec().agents, 1);
    const auto conceded = [&](int vertical) {
        env.setState(pongState({15, 15}, {5, 3}, {1, vertical}));
        while (env.state()["speed"][0] == 1 && env.state()["score"] == Json({0, 0})) env.step(1);
        return env.state()["score"] == Json({1, 0});
    };
    EXPECT_FALSE(conceded(0));
    EXPECT_FALSE(conceded(1));
    EXPECT_TRUE(conceded(2) || conceded(3) || conceded(-3));
}

// --- pixels

TEST(Pixels, ShowBallAndPaddlesOfPongWhereTheyAre) {
    EnvUnderTest env("pong_pixels");
    env.setState(pongState({10, 20}, {12, 7}, {-1, 2}));
    EXPECT_EQ(env.spec().spaces.obs[0].shape, (std::vector<int>{1, 84, 84}));
    EXPECT_EQ(env.spec().spaces.obs[0].stack, 4);
    EXPECT_EQ(env.pixel(0, 0, 12 + 2 * 7, 2 + 2 * 12), 255);
    EXPECT_EQ(env.pixel(0, 0, 12 + 2 * 10, 2 + 2 * 1), 200);
    EXPECT_EQ(env.pixel(0, 0, 12 + 2 * 20, 2 + 2 * 38), 140);
    EXPECT_EQ(std::count(env.bytes(0), env.bytes(0) + 84 * 84, 255), 4);
    EXPECT_EQ(std::count(env.bytes(0), env.bytes(0) + 84 * 84, 200), 20);
}

TEST(Pixels, ShowTheBoardOfCatch) {
    EnvUnderTest env("catch_pixels"), board("catch");
    for (int step = 0; step < 8; ++step) {
        for (int y = 0; y < 9; ++y)
            for (int x = 0; x < 5; ++x)
                EXPECT_EQ(env.pixel(0, 0, 2 + 8 * y + 4, 22 + 8 * x + 4) == 255,
                          board.pixel(0, 0, y, x) == 1);
        for (int x = 0; x < 5; ++x)
            EXPECT_EQ(env.pixel(0, 0, 2 + 8 * 9 + 4, 22 + 8 * x + 4) == 180, board.pixel(0, 0, 9, x) == 1);
        env.step(2);
        board.step(2);
    }
}

TEST(Pixels, ThePictureIsTheObservation) {
    for (const char* id : {"catch_pixels", "pong_pixels"}) {
        EnvUnderTest env(id);
        env.step(2);
        Scene scene;
        env.batch().draw(0, scene);
        ASSERT_EQ(scene.frame_width, 84) << id;
        ASSERT_EQ(scene.frame.size(), 84U * 84 * 3) << id;
        for (int i = 0; i < 84 * 84; ++i)
            ASSERT_EQ(scene.frame[static_cast<std::size_t>(3 * i)], env.bytes(0)[i]) << id << " " << i;
    }
}

}  // namespace
}  // namespace seedbed
