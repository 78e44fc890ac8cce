// SPDX-License-Identifier: Apache-2.0
// PPO with an intrinsic reward in whole sessions: the same bits for any number of threads, only the predictor
// learns, networks without memory next to a policy with memory.
#include <gtest/gtest.h>

#include "core/session/session.hpp"
#include "tests/unit/session/configs.hpp"

namespace seedbed {
namespace {

using test::makeSession;
using test::smallConfig;

TEST(NoveltySession, TheSameBitsForAnyNumberOfThreads) {
    for (const char* kind : {"rnd", "noveld"})
        for (const char* core : {"none", "gru"}) {
            const auto run = [&](int threads) {
                const auto session = makeSession(
                    smallConfig("minigrid_empty_5x5", {{"algo", {{"novelty", kind}}},
                                                       {"network", {{"core", core}, {"core_size", 8}}},
                                                       {"run", {{"threads", threads}}}}));
                const Params target = session->learner().params(1), predictor = session->learner().params(2);
                const std::string before = target.sha256(), untrained = predictor.sha256();
                EXPECT_NE(before, untrained) << "each network has its own random stream";
                EXPECT_EQ(session->learner().networkPlan(2).state_words, 0);
                for (int i = 0; i < 5; ++i) {
                    const auto stats = session->iterate();
                    EXPECT_TRUE(stats.has_value()) << stats.error().text();
                }
                EXPECT_EQ(before, session->learner().params(1).sha256());
                EXPECT_NE(untrained, session->learner().params(2).sha256());
                return session->learner().params(0).sha256() + session->learner().params(2).sha256();
            };
            EXPECT_EQ(run(1), run(3)) << kind << " " << core;
        }
}

TEST(NoveltySession, KnownObservationsLoseTheirNovelty) {
    const auto session = makeSession(
        smallConfig("minigrid_empty_5x5", {{"algo", {{"novelty", "rnd"}, {"learning_rate", 0.003}}}}));
    const auto novelty = [&] {
        const auto stats = session->iterate();
        EXPECT_TRUE(stats.has_value());
        for (const auto& [name, value] : stats->update.metrics)
            if (name == "loss/novelty") return value;
        return -1.0;
    };
    const double first = novelty();
    double last = first;
    for (int i = 0; i < 100; ++i) last = novelty();
    EXPECT_GT(first, 0);
    EXPECT_LT(last, 0.2 * first);
}

TEST(NoveltySession, LearnsFromAsynchronousActors) {
    const auto session = makeSession(smallConfig(
        "minigrid_empty_5x5", {{"algo", {{"novelty", "noveld"}}}, {"run", {{"schedule", "async"}}}}));
    for (int i = 0; i < 5; ++i) {
        const auto stats = session->iterate();
        ASSERT_TRUE(stats.has_value()) << stats.error().text();
        EXPECT_TRUE(stats->update.stepped);
    }
}

}  // namespace
}  // namespace seedbed
