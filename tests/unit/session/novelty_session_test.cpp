// SPDX-License-Identifier: Apache-2.0
// On-policy algorithms with an intrinsic reward in whole sessions: the same bits for any number of threads,
// only the predictor learns; networks without memory alongside a policy with memory.
#include <gtest/gtest.h>

#include "core/session/session.hpp"
#include "tests/unit/session/configs.hpp"

namespace seedbed {
namespace {

using test::makeSession;
using test::smallConfig;

// The settings of an on-policy algorithm, in place of those of PPO in the small configuration.
Json algo(const std::string& id, const std::string& novelty) {
    Json settings{{"id", id}, {"novelty", novelty}};
    if (id == "a2c" || id == "vtrace") settings["epochs"] = settings["minibatches"] = nullptr;
    return settings;
}

class NoveltyOf : public testing::TestWithParam<std::string> {};

TEST_P(NoveltyOf, TheSameBitsForAnyNumberOfThreads) {
    for (const char* kind : {"rnd", "noveld"})
        for (const char* core : {"none", "gru"}) {
            const auto run = [&](int threads) {
                const auto session = makeSession(
                    smallConfig("minigrid_empty_5x5", {{"algo", algo(GetParam(), kind)},
                                                       {"network", {{"core", core}, {"core_size", 8}}},
                                                       {"run", {{"threads", threads}}}}));
                Learner& learner = session->learner();
                const std::size_t predictor = learner.networkCount() - 1, target = predictor - 1;
                EXPECT_EQ(learner.network(predictor).name, "novelty_predictor");
                const std::string before = learner.params(target).sha256(),
                                  untrained = learner.params(predictor).sha256();
                EXPECT_NE(before, untrained) << "each network has its own random stream";
                EXPECT_EQ(learner.networkPlan(predictor).state_words, 0);
                for (int i = 0; i < 5; ++i) {
                    const auto stats = session->iterate();
                    EXPECT_TRUE(stats.has_value()) << stats.error().text();
                }
                EXPECT_EQ(before, learner.params(target).sha256());
                EXPECT_NE(untrained, learner.params(predictor).sha256());
                return learner.params(0).sha256() + learner.params(predictor).sha256();
            };
            EXPECT_EQ(run(1), run(3)) << kind << " " << core;
        }
}

TEST_P(NoveltyOf, LearnsFromAsynchronousActors) {
    const auto session = makeSession(smallConfig(
        "minigrid_empty_5x5", {{"algo", algo(GetParam(), "noveld")}, {"run", {{"schedule", "async"}}}}));
    for (int i = 0; i < 5; ++i) {
        const auto stats = session->iterate();
        ASSERT_TRUE(stats.has_value()) << stats.error().text();
        EXPECT_TRUE(stats->update.stepped);
    }
}

// The value head of the intrinsic reward learns its returns, which rise while the predictor is inaccurate.
TEST_P(NoveltyOf, TheIntrinsicRewardChangesThePolicy) {
    const auto hash = [&](double cost) {
        Json settings = algo(GetParam(), "rnd");
        settings["novelty_cost"] = cost;
        const auto session = makeSession(smallConfig("minigrid_empty_5x5", {{"algo", settings}}));
        for (int i = 0; i < 2; ++i) EXPECT_TRUE(session->iterate().has_value());
        // The network that learns, of which V-MPO's acting one is a copy.
        const std::size_t learned = session->learner().network(1).name == "learned" ? 1 : 0;
        const Params params = session->learner().params(learned);
        const ParamEntry& bias = *session->learner().networkPlan(0).param("head.novelty_value.bias");
        EXPECT_NE(params.at(bias)[0], 0.0f);
        const ParamEntry& policy = *session->learner().networkPlan(0).param("head.policy.bias");
        return std::vector<float>(params.at(policy), params.at(policy) + policy.count);
    };
    EXPECT_NE(hash(0.1), hash(0));
}

INSTANTIATE_TEST_SUITE_P(Algorithms, NoveltyOf, testing::Values("ppo", "vtrace", "a2c", "vmpo"),
                         [](const auto& test) { return test.param; });

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

}  // namespace
}  // namespace seedbed
