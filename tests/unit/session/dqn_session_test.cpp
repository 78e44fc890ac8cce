// SPDX-License-Identifier: Apache-2.0
// DQN in whole sessions: the same bits for any number of threads, exact resume with the saved replay,
// refilling after a resume without the replay, evaluation separate from training, and incompatible settings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/session/session.hpp"
#include "tests/unit/session/configs.hpp"

namespace seedbed {
namespace {

using test::makeSession;
using test::metricOf;
using ::testing::HasSubstr;

TrainingConfig dqnConfig(const std::string& env, const Json& changes = Json::object()) {
    Json all{{"algo",
              {{"id", "dqn"},
               {"rollout_length", 8},
               {"epochs", nullptr},
               {"minibatches", nullptr},
               {"replay_size", 600},
               {"replay_start", 200},
               {"replay_ratio", 4},
               {"batch_size", 24},
               {"n_step", 3},
               {"prioritised", true},
               {"dueling", true},
               {"target_period", 7},
               {"epsilon_horizon", 1000},
               {"learning_rate", 0.01}}}};
    all.merge_patch(changes);
    return test::smallConfig(env, all);
}

std::string planError(const std::string& env, const Json& changes) {
    const auto plan = Session::plan(dqnConfig(env, changes));
    return plan ? "" : plan.error().text();
}

std::string hashes(Session& session) {
    return session.learner().params(0).sha256() + session.learner().params(1).sha256();
}

// The means of returns, quantiles, and an ensemble.
const char* const kValues[] = {"mean", "quantiles", "ensemble"};

using DqnBits = ::testing::TestWithParam<std::tuple<const char*, const char*>>;

TEST_P(DqnBits, ForAnyNumberOfThreadsAndForCentralInference) {
    const auto& [env, values] = GetParam();
    const auto run = [&](int threads, const char* inference) {
        const auto session =
            makeSession(dqnConfig(env, {{"run", {{"threads", threads}, {"inference", inference}}},
                                        {"algo", {{"values", values}}},
                                        {"learner", {{"chunk_rows", 8}}}}));
        const std::string initial = session->learner().params(0).sha256();
        EXPECT_EQ(initial, session->learner().params(1).sha256()) << "the target network starts as a copy";
        for (int i = 0; i < 20; ++i) {
            const auto stats = session->iterate();
            EXPECT_TRUE(stats.has_value()) << stats.error().text();
        }
        EXPECT_NE(initial, session->learner().params(0).sha256());
        EXPECT_NE(initial, session->learner().params(1).sha256()) << "the target network follows";
        return hashes(*session);
    };
    const std::string once = run(1, "inline");
    EXPECT_EQ(once, run(2, "inline")) << env;
    EXPECT_EQ(once, run(3, "central")) << env;
}
INSTANTIATE_TEST_SUITE_P(Values, DqnBits,
                         ::testing::Combine(::testing::Values("cartpole", "two_state", "connect_four"),
                                            ::testing::ValuesIn(kValues)));

TEST(DqnSession, TheRatioDeterminesTheNumberOfRowsLearned) {
    const auto session = makeSession(dqnConfig("cartpole", {{"algo", {{"target_period", 1}}}}));
    std::uint64_t decisions = 0, steps = 0;
    for (int i = 0; i < 40; ++i) {
        const auto stats = session->iterate();
        ASSERT_TRUE(stats.has_value());
        if (metricOf(*stats, "replay/rows") >= 200) decisions += stats->decisions;
        else EXPECT_FALSE(stats->update.stepped) << "before replay_start";
        steps += stats->update.minibatches;
        EXPECT_EQ(steps, decisions * 4 / 24);
    }
    EXPECT_GT(steps, 200u);
}

std::unique_ptr<Session> resumed(Session& from, const TrainingConfig& config) {
    Archive saved = Archive::saving();
    EXPECT_TRUE(from.archive(saved).has_value());
    auto session = makeSession(config);
    for (std::size_t i = 0; i < 2; ++i) session->learner().setParams(i, from.learner().params(i));
    Archive loaded = Archive::loading(saved.bytes());
    const auto result = session->archive(loaded);
    EXPECT_TRUE(result.has_value()) << result.error().text();
    EXPECT_TRUE(loaded.finish().has_value());
    return session;
}

TEST(DqnSession, ContinuesBitForBitWithTheSavedReplay) {
    for (const char* values : kValues)
        for (const bool prioritised : {false, true}) {
            const TrainingConfig config =
                dqnConfig("cartpole", {{"algo", {{"prioritised", prioritised}, {"values", values}}},
                                       {"checkpoint", {{"replay", "full"}}}});
            const auto whole = makeSession(config);
            // Before and after the replay is full.
            for (const int updates : {3, 12, 20}) {
                for (int i = 0; i < updates; ++i) ASSERT_TRUE(whole->iterate().has_value());
                const auto other = resumed(*whole, config);
                for (int i = 0; i < 5; ++i) {
                    const auto a = whole->iterate(), b = other->iterate();
                    ASSERT_TRUE(a.has_value() && b.has_value());
                    EXPECT_EQ(a->update.metrics, b->update.metrics);
                    EXPECT_TRUE(b->notices.empty());
                }
                EXPECT_EQ(hashes(*whole), hashes(*other)) << updates;
            }
        }
}

TEST(DqnSession, WithoutASavedReplayItReportsThatItCollectsBeforeItLearns) {
    const TrainingConfig config = dqnConfig("cartpole");
    const auto whole = makeSession(config);
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(whole->iterate().has_value());
    const auto other = resumed(*whole, config);
    const std::string before = hashes(*other);
    auto stats = other->iterate();
    ASSERT_TRUE(stats.has_value()) << stats.error().text();
    ASSERT_EQ(stats->notices.size(), 1u);
    EXPECT_THAT(stats->notices[0], HasSubstr("checkpoint.replay=none"));
    EXPECT_FALSE(stats->update.stepped);
    EXPECT_EQ(hashes(*other), before);
    int refills = 1;
    while (!stats->update.stepped && refills < 20) {
        stats = other->iterate();
        ASSERT_TRUE(stats.has_value());
        EXPECT_TRUE(stats->notices.empty());
        ++refills;
    }
    EXPECT_EQ(refills, 5) << "200 decisions in rollouts of 48";
}

TEST(DqnSession, AChangedRatioAppliesFromTheResumeOn) {
    const auto with = [](double ratio) {
        return dqnConfig("cartpole",
                         {{"algo", {{"replay_ratio", ratio}}}, {"checkpoint", {{"replay", "full"}}}});
    };
    const auto whole = makeSession(with(4));
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(whole->iterate().has_value());
    const auto other = resumed(*whole, with(1));
    std::uint64_t decisions = 0, steps = 0;
    for (int i = 0; i < 10; ++i) {
        const auto stats = other->iterate();
        ASSERT_TRUE(stats.has_value());
        decisions += stats->decisions;
        steps += stats->update.minibatches;
    }
    EXPECT_NEAR(static_cast<double>(steps), static_cast<double>(decisions) / 24, 1);
}

TEST(DqnSession, ActorsUseParametersOfTheForcedLag) {
    const auto session = makeSession(dqnConfig("cartpole", {{"run", {{"forced_lag", 2}}}}));
    int published = 0;
    for (int i = 0; i < 20; ++i) {
        const auto stats = session->iterate();
        ASSERT_TRUE(stats.has_value());
        EXPECT_EQ(metricOf(*stats, "policy/lag_max"), std::min(published, 2));
        published += stats->update.stepped ? 1 : 0;
    }
    EXPECT_GT(published, 2);
}

// This also holds while the replay fills; the target network uses the same statistics.
TEST(DqnSession, StatisticsOfObservationsCountEveryDecisionOnce) {
    const auto session = makeSession(dqnConfig("cartpole", {{"network", {{"normalise_obs", true}}}}));
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(session->iterate().has_value());
        for (const std::size_t net : {0, 1}) {
            const Params params = session->learner().params(net);
            for (const ParamEntry& entry : session->learner().networkPlan(net).params)
                if (entry.name.find("count") != std::string::npos) {
                    EXPECT_NEAR(params.blob()[entry.offset], static_cast<double>(session->progress().steps),
                                0.5)
                        << net << " " << entry.name;
                }
        }
    }
}

TEST(DqnSession, EvaluationsTakeTheBestActionAndChangeNothing) {
    const TrainingConfig config = dqnConfig("cartpole", {{"algo", {{"epsilon_end", 1}}}});
    const auto plain = makeSession(config), evaluated = makeSession(config);
    for (int i = 0; i < 12; ++i) {
        ASSERT_TRUE(plain->iterate().has_value());
        ASSERT_TRUE(evaluated->iterate().has_value());
        const auto greedy = evaluated->evaluate(8, Selection::greedy, 3, {});
        const auto sampled = evaluated->evaluate(8, Selection::sample, 3, {});
        ASSERT_TRUE(greedy.has_value() && sampled.has_value());
        EXPECT_EQ(greedy->summary.mean, sampled->summary.mean) << "Q values are not logits";
    }
    EXPECT_EQ(hashes(*plain), hashes(*evaluated));
}

TEST(DqnSession, RefusesSettingsThatDoNotFit) {
    EXPECT_EQ(planError("cartpole", Json::object()), "");
    const std::string box = planError("pendulum", Json::object());
    EXPECT_THAT(box, HasSubstr("needs one discrete action"));
    EXPECT_THAT(box, HasSubstr("ppo, sac, td3, vmpo, vtrace"));
    EXPECT_THAT(planError("cartpole", {{"network", {{"core", "lstm"}}}}), HasSubstr("network.core"));
    EXPECT_THAT(planError("cartpole", {{"algo", {{"n_step", 200}}}}), HasSubstr("need 201"));
    EXPECT_THAT(planError("cartpole", {{"algo", {{"replay_start", 601}}}}), HasSubstr("replay_start"));
    const auto ppo = Session::plan(test::smallConfig("cartpole", {{"checkpoint", {{"replay", "full"}}}}));
    ASSERT_FALSE(ppo.has_value());
    EXPECT_THAT(ppo.error().text(), HasSubstr("algo.id=ppo has none"));
}

TEST(DqnSession, AReplayLargerThanTheMemoryIsRefusedWithItsSize) {
    const auto plan = Session::plan(dqnConfig("minatar_breakout", {{"algo", {{"replay_size", 1'000'000'000}}},
                                                                   {"network", {{"encoder", "flat"}}}}));
    ASSERT_TRUE(plan.has_value()) << plan.error().text();
    EXPECT_GT(plan->memory.replay, std::size_t{100} << 30);
    const auto session = Session::create(*plan);
    ASSERT_FALSE(session.has_value());
    EXPECT_EQ(session.error().code, ErrorCode::out_of_memory);
    EXPECT_THAT(session.error().text(), HasSubstr("algo.replay_size"));
}

}  // namespace
}  // namespace seedbed
