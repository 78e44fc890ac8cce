// SPDX-License-Identifier: Apache-2.0
// Training in pieces gives the results of training as a whole, bit for bit.
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "tests/unit/session/configs.hpp"

namespace seedbed::test {
namespace {

std::string hashesOf(Session& session) {
    std::string hashes;
    for (std::size_t net = 0; net < session.learner().networkCount(); ++net)
        hashes += session.learner().params(net).sha256();
    return hashes;
}

// The next iteration, in pieces as small as possible.
IterationStats pumpOnce(Session& session, int* pieces = nullptr) {
    while (true) {
        auto stats = session.pump(TimeBudget(std::chrono::nanoseconds(0)));
        EXPECT_TRUE(stats.has_value()) << stats.error().text();
        if (pieces != nullptr) ++*pieces;
        if (!stats) return {};
        if (*stats) return std::move(**stats);
    }
}

void expectSame(const TrainingConfig& config, int updates) {
    const auto whole = makeSession(config), pieces = makeSession(config);
    int count = 0;
    for (int i = 0; i < updates; ++i) {
        auto expected = whole->iterate();
        ASSERT_TRUE(expected.has_value()) << expected.error().text();
        const IterationStats stats = pumpOnce(*pieces, &count);
        EXPECT_EQ(expected->decisions, stats.decisions);
        ASSERT_EQ(expected->episodes.size(), stats.episodes.size()) << i;
        EXPECT_EQ(expected->update.metrics, stats.update.metrics) << i;
    }
    EXPECT_EQ(whole->progress().steps, pieces->progress().steps);
    EXPECT_EQ(hashesOf(*whole), hashesOf(*pieces));
    EXPECT_GT(count, updates * 8) << "every row of a rollout is a piece";
}

TEST(PumpedSession, LearnsLikeAWholeOne) { expectSame(smallConfig("cartpole"), 6); }

TEST(PumpedSession, LearnsLikeAWholeOneWithMemory) {
    expectSame(smallConfig("repeat_previous_easy", {{"network", {{"core", "lstm"}, {"core_size", 8}}}}), 4);
}

TEST(PumpedSession, LearnsLikeAWholeOneFromAReplay) {
    expectSame(smallConfig("cartpole", {{"algo",
                                         {{"id", "dqn"},
                                          {"rollout_length", 8},
                                          {"epochs", nullptr},
                                          {"minibatches", nullptr},
                                          {"batch_size", 16},
                                          {"replay_size", 2000},
                                          {"replay_start", 96}}}}),
               12);
}

TEST(PumpedSession, RepeatsWindowsLikeAWholeOne) {
    expectSame(smallConfig("cartpole", {{"learner", {{"echo", 3}}}}), 4);
}

TEST(PumpedSession, PlaysAgainstOpponentsLikeAWholeOne) {
    expectSame(
        smallConfig(
            "connect_four",
            {{"network", {{"core", "gru"}}},
             {"self_play",
              {{"past", 0.5}, {"pool", 3}, {"every", 2}, {"scripted", "random"}, {"scripted_share", 0.2}}}}),
        8);
}

TEST(PumpedSession, SavesBetweenUpdatesAndNotDuringOne) {
    const TrainingConfig config = smallConfig("cartpole");
    const auto session = makeSession(config);
    pumpOnce(*session);
    while (!session->isLearning())
        ASSERT_FALSE(session->pump(TimeBudget(std::chrono::nanoseconds(0))).value().has_value());
    Archive early = Archive::saving();
    EXPECT_FALSE(session->archive(early).has_value());
    pumpOnce(*session);
    Archive saved = Archive::saving();
    ASSERT_TRUE(session->archive(saved).has_value());
    const auto restored = makeSession(config);
    for (std::size_t net = 0; net < restored->learner().networkCount(); ++net)
        restored->learner().setParams(net, session->learner().params(net));
    Archive loading = Archive::loading(std::move(saved).take());
    ASSERT_TRUE(restored->archive(loading).has_value());
    pumpOnce(*session);
    ASSERT_TRUE(restored->iterate().has_value());
    EXPECT_EQ(hashesOf(*session), hashesOf(*restored));
}

TEST(PumpedSession, NeedsTheSyncSchedule) {
    const auto session = makeSession(smallConfig("cartpole", {{"run", {{"schedule", "async"}}}}));
    const auto pumped = session->pump(TimeBudget::unlimited());
    ASSERT_FALSE(pumped.has_value());
    EXPECT_EQ(pumped.error().code, ErrorCode::config);
}

}  // namespace
}  // namespace seedbed::test
