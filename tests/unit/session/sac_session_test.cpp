// SPDX-License-Identifier: Apache-2.0
// SAC and TD3 in whole sessions, with and without memory: the same bits for any number of threads, exact
// resume with the saved replay, twin critics, the first decisions, evaluation, and incompatible settings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/session/session.hpp"
#include "tests/unit/session/configs.hpp"

namespace seedbed {
namespace {

using test::makeSession;
using test::metricOf;
using ::testing::HasSubstr;

// `variant`: an algorithm, or "sac_lstm" with a recurrent core.
TrainingConfig offPolicyConfig(const std::string& variant, const Json& changes = Json::object(),
                               const std::string& env = "pendulum") {
    const std::string algorithm = variant.substr(0, 3);
    Json all{{"algo",
              {{"id", algorithm},
               {"rollout_length", 8},
               {"epochs", nullptr},
               {"minibatches", nullptr},
               {"replay_size", 600},
               {"replay_start", 200},
               {"random_steps", 240},
               {"replay_ratio", 4},
               {"batch_size", 24}}},
             {"checkpoint", {{"replay", "full"}}}};
    if (variant != algorithm)
        all.merge_patch(
            {{"network",
              {{"core", variant.substr(4)},
               {"core_size", 6},
               {"hidden", {8}},
               {"previous_action", true},
               {"previous_reward", true}}},
             {"algo",
              {{"replay_ratio", 24}, {"batch_size", 40}, {"sequence", 5}, {"burn_in", 3}, {"stride", 4}}}});
    all.merge_patch(changes);
    return test::smallConfig(env, all);
}

std::string planError(const std::string& variant, const Json& changes, const std::string& env = "pendulum") {
    const auto plan = Session::plan(offPolicyConfig(variant, changes, env));
    return plan ? "" : plan.error().text();
}

std::string hashes(Session& session) {
    std::string all;
    for (std::size_t i = 0; i < session.learner().networkCount(); ++i)
        all += session.learner().params(i).sha256();
    return all;
}

class OffPolicySession : public ::testing::TestWithParam<const char*> {};

TEST_P(OffPolicySession, TheSameBitsForAnyNumberOfThreadsAndForCentralInference) {
    const auto run = [&](int threads, const char* inference) {
        const auto session = makeSession(offPolicyConfig(
            GetParam(),
            {{"run", {{"threads", threads}, {"inference", inference}}}, {"learner", {{"chunk_rows", 8}}}}));
        for (int i = 0; i < 20; ++i) {
            const auto stats = session->iterate();
            EXPECT_TRUE(stats.has_value()) << stats.error().text();
        }
        return hashes(*session);
    };
    const std::string once = run(1, "inline");
    EXPECT_EQ(once, run(2, "inline"));
    EXPECT_EQ(once, run(3, "central"));
}

TEST_P(OffPolicySession, TwinCriticsStartDifferentAndTheirTargetsAsCopies) {
    const auto session = makeSession(offPolicyConfig(GetParam()));
    Learner& learner = session->learner();
    ASSERT_EQ(learner.networkCount(), 6u);
    EXPECT_EQ(learner.network(1).name, "critic_1");
    EXPECT_EQ(learner.networkPlan(1).spec, learner.networkPlan(2).spec);
    EXPECT_NE(learner.params(1).sha256(), learner.params(2).sha256());
    EXPECT_EQ(learner.params(1).sha256(), learner.params(3).sha256());
    EXPECT_EQ(learner.params(2).sha256(), learner.params(4).sha256());
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(session->iterate().has_value());
    EXPECT_NE(learner.params(1).sha256(), learner.params(3).sha256());
    EXPECT_NE(learner.params(1).sha256(), learner.params(2).sha256());
}

TEST_P(OffPolicySession, ContinuesBitForBitWithTheSavedReplay) {
    const TrainingConfig config = offPolicyConfig(GetParam());
    const auto whole = makeSession(config);
    // Before learning, in random decisions, and after the replay is full.
    for (const int updates : {4, 2, 11}) {
        for (int i = 0; i < updates; ++i) ASSERT_TRUE(whole->iterate().has_value());
        Archive saved = Archive::saving();
        ASSERT_TRUE(whole->archive(saved).has_value());
        const auto other = makeSession(config);
        for (std::size_t i = 0; i < 6; ++i) other->learner().setParams(i, whole->learner().params(i));
        Archive loaded = Archive::loading(saved.bytes());
        const auto result = other->archive(loaded);
        ASSERT_TRUE(result.has_value()) << result.error().text();
        ASSERT_TRUE(loaded.finish().has_value());
        for (int i = 0; i < 5; ++i) {
            const auto a = whole->iterate(), b = other->iterate();
            ASSERT_TRUE(a.has_value() && b.has_value());
            EXPECT_EQ(a->update.metrics, b->update.metrics);
        }
        EXPECT_EQ(hashes(*whole), hashes(*other)) << updates;
    }
}

TEST_P(OffPolicySession, EvaluatesWithoutNoise) {
    const auto session = makeSession(offPolicyConfig(GetParam(), {{"algo", {{"random_steps", 1'000'000}}}}));
    for (int i = 0; i < 6; ++i) ASSERT_TRUE(session->iterate().has_value());
    const auto first = session->evaluate(4, Selection::greedy, 3, {}),
               again = session->evaluate(4, Selection::greedy, 3, {});
    ASSERT_TRUE(first.has_value() && again.has_value());
    EXPECT_EQ(first->summary.mean, again->summary.mean);
    const auto sampled = session->evaluate(4, Selection::sample, 3, {});
    ASSERT_TRUE(sampled.has_value());
    // TD3's policy is deterministic; its standard deviation is e^-20.
    const double difference = std::abs(first->summary.mean - sampled->summary.mean);
    EXPECT_EQ(difference < 1e-2, std::string(GetParam()).starts_with("td3")) << difference;
}

INSTANTIATE_TEST_SUITE_P(Algorithms, OffPolicySession,
                         ::testing::Values("sac", "td3", "sac_lstm", "sac_gru", "td3_gru"),
                         [](const auto& c) { return std::string(c.param); });

TEST(OffPolicy, ActionsThatDoNotFitAreRefusedWithTheAlgorithmsThatFit) {
    for (const char* algorithm : {"sac", "td3", "sac_lstm"}) {
        const std::string error = planError(algorithm, Json::object(), "cartpole");
        EXPECT_THAT(error, HasSubstr("continuous actions with finite bounds"));
        EXPECT_THAT(error, HasSubstr("algorithms that fit: "));
        EXPECT_THAT(error, HasSubstr("dqn"));
    }
}

TEST(OffPolicy, RefusesSequencesThatDoNotFit) {
    for (const char* algorithm : {"sac", "td3"}) {
        const auto error = [&](const Json& algo, const char* core) {
            return planError(algorithm, {{"algo", algo}, {"network", {{"core", core}}}});
        };
        EXPECT_EQ(error({{"sequence", 4}}, "none"), "") << "a network without memory learns sequences, too";
        EXPECT_EQ(error({{"sequence", 4}, {"burn_in", 3}}, "lstm"), "");
        EXPECT_THAT(error(Json::object(), "lstm"),
                    HasSubstr("network.core=lstm with single decisions; use none, or algo.sequence above 1"));
        EXPECT_THAT(error({{"burn_in", 3}}, "none"),
                    HasSubstr("burn-in on a feed-forward network: algo.burn_in is 3"));
        // 600 decisions of six environments: 100 rows. 90 + 8 + 3 do not fit.
        EXPECT_THAT(error({{"sequence", 8}, {"burn_in", 90}, {"stride", 3}}, "lstm"),
                    HasSubstr("keeps 100 rows of each of 6 environments, but windows (algo.burn_in, "
                              "algo.sequence, algo.stride) and rollouts (algo.rollout_length) need 101"));
        EXPECT_THAT(error({{"replay_start", 601}}, "none"), HasSubstr("algo.replay_start is 601"));
    }
}

TEST(OffPolicy, HindsightNeedsGoalsAndNetworksWithoutMemory) {
    for (const char* algorithm : {"sac", "td3"}) {
        const Json hindsight{{"algo", {{"hindsight", 4}}}};
        EXPECT_EQ(planError(algorithm, hindsight, "point_goal"), "");
        EXPECT_THAT(planError(algorithm, hindsight),
                    HasSubstr("algo.hindsight=4 needs an environment with goals; 'pendulum' has none"));
        EXPECT_THAT(planError(std::string(algorithm) + "_gru",
                              {{"algo", {{"hindsight", 4}}}, {"network", {{"previous_reward", false}}}},
                              "point_goal"),
                    HasSubstr("algo.hindsight=4 changes the goals that a recurrent state has seen"));
    }
}

TEST(OffPolicy, HindsightChangesWhatIsLearned) {
    const auto run = [&](double hindsight, int threads) {
        const auto session = makeSession(offPolicyConfig(
            "sac", {{"algo", {{"hindsight", hindsight}}}, {"run", {{"threads", threads}}}}, "point_goal"));
        for (int i = 0; i < 12; ++i) EXPECT_TRUE(session->iterate().has_value());
        return hashes(*session);
    };
    const std::string once = run(4, 1);
    EXPECT_EQ(once, run(4, 3));
    EXPECT_NE(once, run(0, 1));
}

}  // namespace
}  // namespace seedbed
