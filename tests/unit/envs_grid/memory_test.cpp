// SPDX-License-Identifier: Apache-2.0
// Memory tasks: a policy with memory reaches the stated optimum, and observations appear at the published
// times.
#include <gtest/gtest.h>

#include <deque>

#include "tests/unit/envs_grid/env_under_test.hpp"

namespace seedbed {
namespace {

// Plays an episode; `answer` returns the action before every step.
template <class Answer>
double play(EnvUnderTest& env, Answer&& answer, int* steps = nullptr) {
    double total = 0;
    int count = 0;
    bool going = true;
    while (going) {
        going = env.step(std::vector<float>(answer()));
        total += static_cast<double>(env.reward());
        ++count;
    }
    if (steps != nullptr) *steps = count;
    return total;
}

TEST(RepeatPrevious, RewardsRememberingTheRightCard) {
    for (const auto& [id, k, cards] : {std::tuple{"repeat_previous_easy", 4U, 52},
                                       {"repeat_previous_medium", 32U, 104},
                                       {"repeat_previous_hard", 64U, 156}}) {
        EnvUnderTest env(id);
        std::deque<int> seen;
        int steps = 0;
        const double score = play(
            env,
            [&]() -> std::vector<float> {
                seen.push_back(env.choice(0));
                if (seen.size() > k) seen.pop_front();
                return {static_cast<float>(seen.front())};
            },
            &steps);
        EXPECT_NEAR(score, 1, 1e-5) << id;  // f32 rewards
        EXPECT_EQ(steps, cards - 1) << id;
        EXPECT_TRUE(env.terminated());
    }
}

TEST(RepeatFirst, RewardsRememberingTheFirstCardAndEndsByTruncation) {
    for (const auto& [id, cards] : {std::pair{"repeat_first_easy", 52},
                                    {"repeat_first_medium", 8 * 52},
                                    {"repeat_first_hard", 16 * 52}}) {
        EnvUnderTest env(id);
        const auto first = static_cast<float>(env.choice(0));
        int steps = 0;
        EXPECT_NEAR(play(
                        env, [&]() -> std::vector<float> { return {first}; }, &steps),
                    1, 1e-4)
            << id;  // f32 rewards
        EXPECT_EQ(steps, cards - 1) << id;
        EXPECT_TRUE(env.truncated());
        EXPECT_FALSE(env.terminated());
    }
}

TEST(RepeatFirst, DealsEverySuitEquallyOften) {
    EnvUnderTest env("repeat_first_medium");
    std::array<int, 4> counts{};
    ++counts[static_cast<std::size_t>(env.choice(0))];
    while (env.step(0)) ++counts[static_cast<std::size_t>(env.choice(0))];
    ++counts[static_cast<std::size_t>(env.choice(0))];
    for (const int count : counts) EXPECT_EQ(count, 8 * 13);
}

TEST(MemoryChain, ShowsTheContextTwiceAndTheQueryBeforeTheLastAction) {
    EnvUnderTest env("memory_chain", {{"memory_length", 5}, {"bits", 3}});
    for (int episode = 0; episode < 30; ++episode) {
        const Json state = env.state();
        std::array<float, 3> context;
        for (int bit = 0; bit < 3; ++bit) {
            context[static_cast<std::size_t>(bit)] = env.real(0, 2 + bit);
            EXPECT_EQ(env.real(0, 2 + bit),
                      state["context"][static_cast<std::size_t>(bit)] == 1 ? 1.0f : -1.0f);
        }
        int asked = 0;
        for (int call = 1; call <= 5; ++call) {
            ASSERT_TRUE(env.step(0));
            EXPECT_EQ(env.reward(), 0);
            EXPECT_FLOAT_EQ(env.real(0, 0), 1 - static_cast<float>(call - 1) / 5);
            EXPECT_EQ(env.real(0, 2), call == 1 ? context[0] : 0.0f);
            if (call < 5) {
                EXPECT_EQ(env.real(0, 1), 0);
            }
            asked = static_cast<int>(env.real(0, 1));
        }
        EXPECT_EQ(asked, state["query"]);
        EXPECT_FALSE(env.step(context[static_cast<std::size_t>(asked)] > 0 ? 1.0f : 0.0f));
        EXPECT_EQ(env.reward(), 1);
        env.reset();
    }
}

TEST(TMaze, RewardsTurningTowardsTheSign) {
    for (const int length : {1, 10, 70}) {
        EnvUnderTest env("t_maze", {{"length", length}});
        for (int episode = 0; episode < 20; ++episode) {
            const bool north = env.real(0, 0) == 1;
            EXPECT_EQ(env.real(0, 1), 1);
            EXPECT_EQ(env.real(0, 2), north ? 0 : 1);
            int steps = 0;
            const double score = play(
                env,
                [&]() -> std::vector<float> {
                    const bool junction = env.real(0, 0) == 0 && env.real(0, 1) == 1 && env.real(0, 2) == 0;
                    return {junction ? (north ? 0.0f : 2.0f) : 1.0f};
                },
                &steps);
            EXPECT_FLOAT_EQ(static_cast<float>(score), 4);
            EXPECT_EQ(steps, length + 1);
            env.reset();
        }
    }
}

TEST(TMaze, PenalizesWallsAndTheWrongArm) {
    EnvUnderTest env("t_maze", {{"length", 2}});
    const bool north = env.real(0, 0) == 1;
    for (const float wall : {0.0f, 2.0f, 3.0f}) {
        EXPECT_TRUE(env.step(wall));
        EXPECT_FLOAT_EQ(env.reward(), -0.1f);
    }
    EXPECT_TRUE(env.step(1));
    EXPECT_EQ(env.reward(), 0);
    EXPECT_TRUE(env.step(1));
    EXPECT_FALSE(env.step(north ? 2.0f : 0.0f));
    EXPECT_FLOAT_EQ(env.reward(), -0.1f);
}

TEST(ToyMemory, RepeatingTheVectorsInOrderHasNoPenalty) {
    EnvUnderTest env("toy_memory");
    for (int episode = 0; episode < 10; ++episode) {
        std::deque<std::vector<float>> shown;
        int steps = 0;
        const double score = play(env, [&]() -> std::vector<float> {
            if (steps++ < 3) {
                shown.push_back({env.real(0, 0), env.real(0, 1), env.real(0, 2)});
                return {0, 0, 0};
            }
            for (int i = 0; i < 4; ++i) EXPECT_EQ(env.real(0, i), 0);
            if (shown.empty()) return {1, 1, 1};  // the extra step at the end
            const std::vector<float> answer = shown.front();
            shown.pop_front();
            return answer;
        });
        EXPECT_EQ(score, 0);
        EXPECT_EQ(steps, 7);
        env.reset();
    }
}

TEST(ToyMemory, PenalizesTheSquaredError) {
    EnvUnderTest env("toy_memory", {{"horizon", 1}, {"numbers", 2}});
    const float a = env.real(0, 0), b = env.real(0, 1);
    env.step(std::vector<float>{0, 0});
    env.step(std::vector<float>{1, -1});
    EXPECT_FLOAT_EQ(env.reward(), -((1 - a) * (1 - a) + (-1 - b) * (-1 - b)));
}

TEST(PositionOnly, ShowsThePositionsOfTheFullEnvironmentAndNothingElse) {
    EnvUnderTest full("cartpole"), hidden("cartpole_position_only");
    EnvUnderTest full_pendulum("pendulum"), hidden_pendulum("pendulum_position_only");
    for (int step = 0; step < 15; ++step) {
        EXPECT_EQ(hidden.real(0, 0), full.real(0, 0));
        EXPECT_EQ(hidden.real(0, 1), full.real(0, 2));
        EXPECT_EQ(hidden_pendulum.real(0, 0), full_pendulum.real(0, 0));
        EXPECT_EQ(hidden_pendulum.real(0, 1), full_pendulum.real(0, 1));
        EXPECT_EQ(full.step(step % 2), hidden.step(step % 2));
        full_pendulum.step(1.5f);
        hidden_pendulum.step(1.5f);
        EXPECT_EQ(full_pendulum.reward(), hidden_pendulum.reward());
    }
    EXPECT_EQ(hidden.spec().spaces.obs[0].elements(), 2U);
    EXPECT_EQ(hidden_pendulum.spec().spaces.obs[0].elements(), 2U);
}

}  // namespace
}  // namespace seedbed
