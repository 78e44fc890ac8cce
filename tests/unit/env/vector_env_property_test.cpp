// SPDX-License-Identifier: Apache-2.0
// Random environments, rings and windows compared with a plain model: finds any misalignment between what the
// vectoriser writes and the ring returns.
#include <atomic>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "core/rollout/gather.hpp"
#include "tests/unit/env/expected_history.hpp"

namespace seedbed::test {
namespace {

// All random choices of one case. To replay a failure, enter the printed seed here.
struct Case {
    CountingOptions counting;
    VectorEnvOptions options;
    RingSpec ring;
    int envs = 1, rows = 0, longest_window = 1;

    explicit Case(std::uint64_t seed) {
        std::mt19937_64 random(seed);
        const auto pick = [&](int low, int high) {
            return low + static_cast<int>(random() % static_cast<std::uint64_t>(high - low + 1));
        };
        counting = {.agents = pick(1, 3), .stack = pick(1, 4), .longest = pick(1, 14)};
        envs = pick(1, 11);
        options.seed = random();
        options.first_lane = pick(0, 5);
        options.horizon = pick(0, 2) == 0 ? 0 : pick(1, 12);
        if (pick(0, 1) == 1) options.reward_clip = 2.5F;
        if (pick(0, 1) == 1) options.reward_scale = 0.25F;
        ring.spaces = countingSpec(counting).spaces;
        ring.columns = envs * counting.agents;
        ring.state_words = 1;
        ring.state_every = pick(0, 6);
        longest_window = pick(1, 12);
        ring.rows = longest_window + ring.history() + 1 + pick(0, 9);
        rows = 150;
    }
    Window window(std::mt19937_64& random, std::uint64_t t0, int length) const {
        Window window{.group = 0, .t0 = t0, .length = length};
        window.column = static_cast<int>(random() % static_cast<std::uint64_t>(ring.columns));
        window.columns =
            1 + static_cast<int>(random() % static_cast<std::uint64_t>(ring.columns - window.column));
        return window;
    }
};

// Does the work of an actor: updates the recurrent state, chooses actions, and steps.
Result<> act(VectorEnv& env, Ring& ring, std::vector<EpisodeEnd>& ended) {
    const std::uint64_t t = ring.head();
    for (int column = 0; column < ring.columns(); ++column) ring.action(t)[column] = actionAt(t, column);
    const auto every = static_cast<std::uint64_t>(ring.spec().state_every);
    if (every > 0 && t % every == 0)
        for (int column = 0; column < ring.columns(); ++column)
            ring.state(t)[column] = static_cast<float>(t * 64 + static_cast<std::uint64_t>(column));
    return env.step(ended);
}

std::uint64_t freshSeed() { return std::random_device{}(); }

TEST(VectorEnvProperty, EveryWindowFollowsTheRules) {
    const std::uint64_t base = freshSeed();
    for (std::uint64_t seed = base; seed < base + 150; ++seed) {
        SCOPED_TRACE("replay: Case(" + std::to_string(seed) + ")");
        const Case test(seed);
        std::mt19937_64 random(seed);
        const ExpectedHistory expected(test.counting, test.envs, test.options, test.rows + 1);
        const auto ring = std::move(*Ring::create(test.ring));
        VectorEnv env(countingBatch(test.counting, test.envs), *ring, test.options);
        std::vector<EpisodeEnd> ended;
        std::uint64_t decisions = 0;
        ASSERT_TRUE(env.reset());
        for (int t = 0; t < test.rows; ++t) {
            for (const auto& column : expected.columns)
                decisions += column[static_cast<std::size_t>(t)].valid ? 1 : 0;
            ASSERT_TRUE(act(env, *ring, ended));
            // A random window that ends with the newest complete row.
            const auto room = static_cast<int>(ring->head() - ring->tail());
            const int length =
                1 +
                static_cast<int>(random() % static_cast<std::uint64_t>(std::min(room, test.longest_window)));
            ASSERT_EQ(
                differenceIn(*ring, expected,
                             test.window(random, ring->head() - static_cast<std::uint64_t>(length), length)),
                "");
        }
        EXPECT_EQ(env.decisions(), decisions);
        ASSERT_FALSE(ended.empty());
        for (std::size_t i = 0; i < ended.size(); ++i) {
            const EpisodeEnd& want = expected.ended[i];
            ASSERT_EQ(ended[i].column, want.column);
            ASSERT_EQ(ended[i].row, want.row);
            ASSERT_EQ(ended[i].episode_return, want.episode_return)
                << "the raw return, without reward shaping";
            ASSERT_EQ(ended[i].length, want.length);
            ASSERT_EQ(ended[i].terminated, want.terminated);
        }
        const auto next = ended.size();
        EXPECT_TRUE(next == expected.ended.size() ||
                    expected.ended[next].row >= static_cast<std::uint64_t>(test.rows))
            << "no ended episode is missing";
    }
}

TEST(VectorEnvProperty, ASlowReaderGetsTheSameThroughOverlappingWindows) {
    const std::uint64_t base = freshSeed();
    for (std::uint64_t seed = base; seed < base + 12; ++seed) {
        SCOPED_TRACE("replay: Case(" + std::to_string(seed) + ")");
        const Case test(seed);
        const ExpectedHistory expected(test.counting, test.envs, test.options, test.rows + 1);
        const auto ring = std::move(*Ring::create(test.ring));
        std::atomic<int> waits{0};
        std::vector<std::string> differences(3);
        {
            std::vector<Ring::Pin> pins;
            for (int reader = 0; reader < 3; ++reader) pins.push_back(ring->pin(0));
            std::vector<std::jthread> threads;
            for (std::size_t reader = 0; reader < 3; ++reader) {
                threads.emplace_back([&, reader, pin = std::move(pins[reader])]() mutable {
                    std::mt19937_64 random(seed + reader);
                    const auto length = static_cast<std::uint64_t>(test.longest_window);
                    const std::uint64_t stride = 1 + random() % length;
                    for (std::uint64_t t0 = 0; t0 + length <= static_cast<std::uint64_t>(test.rows);
                         t0 += stride) {
                        pin.moveTo(t0);
                        ring->waitForRow(t0 + length, {});
                        if (reader == 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
                        const std::string difference =
                            differenceIn(*ring, expected, test.window(random, t0, test.longest_window));
                        if (differences[reader].empty()) differences[reader] = difference;
                    }
                });
            }
            threads.emplace_back([&](std::stop_token stop) {
                VectorEnv env(countingBatch(test.counting, test.envs), *ring, test.options);
                std::vector<EpisodeEnd> ended;
                if (!env.reset()) return;
                while (ring->head() < static_cast<std::uint64_t>(test.rows)) {
                    waits += ring->hasRoom() ? 0 : 1;
                    if (!ring->waitForRoom(stop) || !act(env, *ring, ended)) return;
                }
            });
        }
        EXPECT_EQ(ring->head(), static_cast<std::uint64_t>(test.rows));
        for (const std::string& difference : differences) EXPECT_EQ(difference, "");
        EXPECT_GT(waits.load(), 0) << "the ring was never full, so back-pressure was not tested";
    }
}

TEST(VectorEnvProperty, ResumedInTheMiddleItContinuesUnchanged) {
    const std::uint64_t base = freshSeed();
    for (std::uint64_t seed = base; seed < base + 60; ++seed) {
        SCOPED_TRACE("replay: Case(" + std::to_string(seed) + ")");
        const Case test(seed);
        std::mt19937_64 random(seed);
        const ExpectedHistory expected(test.counting, test.envs, test.options, test.rows + 1);
        const auto cut = static_cast<std::uint64_t>(random() % static_cast<std::uint64_t>(test.rows));
        Archive saved = Archive::saving();
        std::vector<EpisodeEnd> ended;
        std::uint64_t from = 0;
        {
            const auto ring = std::move(*Ring::create(test.ring));
            VectorEnv env(countingBatch(test.counting, test.envs), *ring, test.options);
            ASSERT_TRUE(env.reset());
            while (ring->head() < cut) ASSERT_TRUE(act(env, *ring, ended));
            from = ring->tail() + random() % (ring->head() - ring->tail() + 1);
            ASSERT_TRUE(ring->archive(saved, from));
            ASSERT_TRUE(env.archive(saved));
        }
        Archive loading = Archive::loading(saved.bytes());
        const auto ring = std::move(*Ring::create(test.ring));
        VectorEnv env(countingBatch(test.counting, test.envs), *ring, test.options);
        ASSERT_TRUE(ring->archive(loading, 0));
        ASSERT_TRUE(env.archive(loading));
        ASSERT_TRUE(loading.finish());
        while (ring->head() < static_cast<std::uint64_t>(test.rows)) {
            ASSERT_TRUE(act(env, *ring, ended));
            const std::uint64_t t0 = std::max(from, ring->tail());
            ASSERT_EQ(
                differenceIn(*ring, expected, test.window(random, t0, static_cast<int>(ring->head() - t0))),
                "");
        }
        for (std::size_t i = 0; i < ended.size(); ++i) {
            ASSERT_EQ(ended[i].row, expected.ended[i].row);
            ASSERT_EQ(ended[i].episode_return, expected.ended[i].episode_return);
        }
    }
}

}  // namespace
}  // namespace seedbed::test
