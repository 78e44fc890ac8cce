// SPDX-License-Identifier: Apache-2.0
// Training sessions: the same bits for any number of threads, learning, evaluation, and memory estimates.
#include "core/session/session.hpp"

#include <gtest/gtest.h>

#include "tests/unit/session/configs.hpp"

namespace seedbed {
namespace {

using test::makeSession;
using test::metricOf;
using test::smallConfig;

std::string hashAfter(const std::string& env, const std::string& engine, int threads, int updates,
                      Json changes = Json::object()) {
    changes["run"] = {{"engine", engine}, {"threads", threads}, {"inference", "inline"}};
    const auto session = makeSession(smallConfig(env, changes));
    for (int i = 0; i < updates; ++i) {
        const auto stats = session->iterate();
        EXPECT_TRUE(stats.has_value()) << stats.error().text();
    }
    return session->learner().params().sha256();
}

// The guarantee of the sync schedule, for every action space and with the normaliser.
class SameBits : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(SameBits, ForOneTwoAndFourThreadsAndASecondRun) {
    const auto& [env, engine] = GetParam();
    if (auto devices = engineRegistry().find(engine)->devices(); !devices)
        GTEST_SKIP() << devices.error().text();
    const Json changes{{"network", {{"normalise_obs", env != "catch"}}}};
    const std::string once = hashAfter(env, engine, 1, 50, changes);
    EXPECT_EQ(once, hashAfter(env, engine, 1, 50, changes)) << "a second run differs";
    EXPECT_EQ(once, hashAfter(env, engine, 2, 50, changes));
    EXPECT_EQ(once, hashAfter(env, engine, 4, 50, changes));
    EXPECT_NE(once, hashAfter(env, engine, 1, 49, changes)) << "the last update changed nothing";
}

INSTANTIATE_TEST_SUITE_P(Engines, SameBits,
                         testing::Combine(testing::Values("cartpole", "pendulum", "catch"),
                                          testing::Values("reference", "native", "torch")),
                         [](const auto& test) {
                             return std::get<0>(test.param) + "_" + std::get<1>(test.param);
                         });

// Checkpoints contain the complete state: a restored session continues bit for bit, with a different
// number of threads.
TEST(Session, ContinuesBitForBitFromItsArchiveAndParameters) {
    for (const auto& [env, changes] : std::vector<std::pair<std::string, Json>>{
             {"cartpole",
              {{"network", {{"normalise_obs", true}}}, {"algo", {{"lr_schedule", "kl_adaptive"}}}}},
             {"pendulum", Json::object()},
             {"cartpole", {{"run", {{"forced_lag", 3}}}}},
             {"catch",
              {{"network",
                {{"core", "lstm"}, {"core_size", 8}, {"previous_action", true}, {"previous_reward", true}}}}},
             {"simple_tag",
              {{"env", {{"wrap", {{"central_critic", true}}}}}, {"network", {{"normalise_obs", true}}}}},
             {"minatar_asterix", {{"env", {{"wrap", {{"sticky_actions", 0.2}}}}}}}}) {
        const auto whole = makeSession(smallConfig(env, changes));
        for (int i = 0; i < 5; ++i) ASSERT_TRUE(whole->iterate().has_value());
        Archive saved = Archive::saving();
        ASSERT_TRUE(whole->archive(saved).has_value());
        const Params params = whole->learner().params();

        Json other_threads = changes;
        other_threads["run"]["threads"] = 3;
        const auto resumed = makeSession(smallConfig(env, other_threads));
        resumed->learner().setParams(0, params);
        Archive loaded = Archive::loading(saved.bytes());
        const auto restored = resumed->archive(loaded);
        ASSERT_TRUE(restored.has_value()) << restored.error().text();
        ASSERT_TRUE(loaded.finish().has_value());
        for (int i = 0; i < 5; ++i) {
            const auto a = whole->iterate(), b = resumed->iterate();
            ASSERT_TRUE(a.has_value() && b.has_value());
            EXPECT_EQ(a->episodes.size(), b->episodes.size()) << env;
            EXPECT_EQ(a->update.metrics, b->update.metrics) << env;
        }
        EXPECT_EQ(whole->learner().params().sha256(), resumed->learner().params().sha256()) << env;
        EXPECT_EQ(whole->progress().steps, resumed->progress().steps);
    }
}

// In the sync schedule, the rows of a rollout use exactly the parameters from `forced_lag` updates earlier.
TEST(Session, ForcedLagActsWithTheParametersOfThatManyUpdatesBefore) {
    const auto session = makeSession(smallConfig("cartpole", {{"run", {{"forced_lag", 2}}}}));
    for (int update = 0; update < 6; ++update) {
        const auto stats = session->iterate();
        ASSERT_TRUE(stats.has_value());
        EXPECT_EQ(metricOf(*stats, "policy/lag"), std::min(update, 2));
        EXPECT_EQ(metricOf(*stats, "policy/lag_max"), std::min(update, 2));
    }
    EXPECT_NE(session->learner().params().sha256(), hashAfter("cartpole", "reference", 1, 6));
}

TEST(Session, TheSyncScheduleIsOnPolicy) {
    const auto session = makeSession(smallConfig("cartpole"));
    for (int update = 0; update < 3; ++update) EXPECT_EQ(metricOf(*session->iterate(), "policy/lag_max"), 0);
}

TEST(Session, AnotherSeedGivesOtherParameters) {
    EXPECT_NE(hashAfter("cartpole", "reference", 1, 3), [] {
        const auto session = makeSession(smallConfig("cartpole", {{"run", {{"seed", 6}}}}));
        for (int i = 0; i < 3; ++i) EXPECT_TRUE(session->iterate().has_value());
        return session->learner().params().sha256();
    }());
}

TEST(Session, CountsDecisionsWithoutTheExtraRowsOfTruncations) {
    // Episodes of two_state are truncated after 20 decisions, and each truncation costs one row: per column
    // 20 of 21 rows count.
    const auto session = makeSession(smallConfig("two_state"));
    std::uint64_t decisions = 0;
    for (int i = 0; i < 21; ++i) {
        const auto stats = session->iterate();
        ASSERT_TRUE(stats.has_value());
        decisions += stats->decisions;
    }
    EXPECT_EQ(decisions, 21u * 16 * 6 * 20 / 21);
    EXPECT_EQ(session->progress().steps, decisions);
    EXPECT_EQ(session->progress().updates, 21u);
}

TEST(Session, LearnsTheTwoStateProblem) {
    const auto session =
        makeSession(smallConfig("two_state", {{"algo", {{"learning_rate", 0.01}, {"gamma", 0.9}}}}));
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(session->iterate().has_value());
    const auto result = session->evaluate(100, Selection::greedy, 1, {});
    ASSERT_TRUE(result.has_value());
    // The optimum is 37 or 40 (39.5 with the switch at the end); the greedy one-step policy gets 3 or 2, the
    // random one 20.
    EXPECT_GE(result->summary.mean, 37);
}

TEST(Session, EvaluationDoesNotTouchTraining) {
    const auto plain = makeSession(smallConfig("cartpole"));
    const auto evaluated = makeSession(smallConfig("cartpole"));
    for (int i = 0; i < 5; ++i) {
        ASSERT_TRUE(plain->iterate().has_value());
        ASSERT_TRUE(evaluated->iterate().has_value());
        ASSERT_TRUE(evaluated->evaluate(7, Selection::sample, 3, {}).has_value());
    }
    EXPECT_EQ(plain->progress().steps, evaluated->progress().steps);
    EXPECT_EQ(plain->learner().params().sha256(), evaluated->learner().params().sha256());
}

TEST(Session, EvaluationIsTheSameForAnyNumberOfThreadsAndPlaysTheRequestedEpisodes) {
    std::vector<double> means;
    for (const int threads : {1, 3}) {
        const auto session = makeSession(smallConfig("cartpole", {{"run", {{"threads", threads}}}}));
        const auto result = session->evaluate(77, Selection::sample, 9, {});
        ASSERT_TRUE(result.has_value());
        EXPECT_EQ(result->episodes.size(), 77u);
        means.push_back(result->summary.mean);
    }
    EXPECT_EQ(means[0], means[1]);
}

TEST(Session, EvaluationStopsOnRequest) {
    const auto session = makeSession(smallConfig("cartpole"));
    std::stop_source stop;
    stop.request_stop();
    const auto result = session->evaluate(10, Selection::greedy, 1, stop.get_token());
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::interrupted);
}

// Scaling an input of a network by a power of two equals scaling its weights, bit for bit, if evaluation
// presents previous rewards as training does.
TEST(Evaluation, ShowsPreviousRewardsAsTrainingDoes) {
    const Json recurrent{
        {"core", "gru"}, {"core_size", 8}, {"previous_reward", true}, {"separate_critic", false}};
    const auto session = makeSession(smallConfig("cartpole", {{"network", recurrent}}));
    const NetPlan& plan = session->learner().networkPlan(0);
    const EnvEntry* env = envRegistry().find("cartpole");
    auto compiled = compileNet("reference", plan, EngineOptions{});
    ASSERT_TRUE(compiled.has_value());
    const std::shared_ptr<EngineNet> net = std::move(*compiled);
    const auto play = [&](float weights, const Json& wrap) {
        std::vector<float> blob(session->learner().params().blob().begin(),
                                session->learner().params().blob().end());
        for (const ParamEntry& entry : plan.params) {
            if (entry.name.starts_with("head.policy.weight"))
                for (std::size_t i = 0; i < entry.count; ++i) blob[entry.offset + i] *= 100;
            if (!entry.name.ends_with("core.weight_ih")) continue;
            const auto columns =
                static_cast<std::size_t>(entry.shape[1]);  // the previous reward is the last input
            for (std::size_t i = columns - 1; i < entry.count; i += columns)
                blob[entry.offset + i] *= 8 * weights;
        }
        const EvaluationRequest request{.env = env,
                                        .env_params = {{"wrap", wrap}},
                                        .env_spec = env->spec({{"wrap", wrap}}).value(),
                                        .distribution = ActionDistribution(plan.spec.spaces, false),
                                        .episodes = 20,
                                        .selection = Selection::sample};
        const auto result = evaluate(net, Params(std::move(blob), 1), request, 1);
        std::vector<double> returns;
        for (const EpisodeResult& episode : result->episodes) returns.push_back(episode.episode_return);
        return returns;
    };
    const auto scaled = play(1, {{"reward_scale", 0.125}});
    EXPECT_EQ(scaled, play(0.125f, Json::object()));
    EXPECT_NE(scaled, play(1, Json::object()));
    EXPECT_EQ(play(1, {{"reward_clip", 0.125}}), scaled);
}

TEST(Session, EpisodeReturnsOfTrainingAreThoseOfTheEnvironment) {
    // CartPole gives a reward of 1 per decision, so return and length of every episode agree, whatever the
    // wrappers do to the learner's rewards.
    const auto session =
        makeSession(smallConfig("cartpole", {{"env", {{"wrap", {{"reward_scale", 0.01}}}}}}));
    std::size_t episodes = 0;
    for (int i = 0; i < 20; ++i) {
        const auto stats = session->iterate();
        ASSERT_TRUE(stats.has_value());
        for (const EpisodeEnd& end : stats->episodes) {
            EXPECT_EQ(end.episode_return, end.length);
            EXPECT_LT(end.column, 6);
            ++episodes;
        }
    }
    EXPECT_GT(episodes, 20u);
}

TEST(Session, TooLargeEstimatesAreRejectedBeforeAllocating) {
    const TrainingConfig config =
        smallConfig("cartpole", {{"actor", {{"num_envs", 1048576}}}, {"algo", {{"rollout_length", 2000}}}});
    auto plan = Session::plan(config);
    ASSERT_TRUE(plan.has_value()) << plan.error().text();
    EXPECT_GT(plan->memory.total(), std::size_t{1} << 37);
    const auto session = Session::create(std::move(*plan));
    ASSERT_FALSE(session.has_value());
    EXPECT_EQ(session.error().code, ErrorCode::out_of_memory);
    EXPECT_NE(session.error().message.find("actor.num_envs"), std::string::npos);
}

TEST(Session, TooManyRowsAreRejected) {
    const auto plan = Session::plan(
        smallConfig("cartpole", {{"actor", {{"num_envs", 1048576}}}, {"algo", {{"rollout_length", 10000}}}}));
    ASSERT_FALSE(plan.has_value());
    EXPECT_EQ(plan.error().code, ErrorCode::config);
}

TEST(Session, ACentralCriticNeedsANetworkThatCanUseIt) {
    const auto message = [](const std::string& env, Json changes) {
        changes["env"] = {{"wrap", {{"central_critic", true}}}};
        const auto plan = Session::plan(smallConfig(env, changes));
        if (plan) return std::string();
        EXPECT_EQ(plan.error().code, ErrorCode::config);
        return plan.error().text();
    };
    EXPECT_EQ(message("pong", Json::object()), "");
    EXPECT_NE(
        message("pong", {{"network", {{"separate_critic", false}}}}).find("network.separate_critic=true"),
        std::string::npos);
    EXPECT_NE(message("cartpole", Json::object()).find("several agents"), std::string::npos);
    const auto document = parseTrainingConfig(
        {{"env", {{"id", "pong"}, {"wrap", {{"central_critic", true}}}}}, {"algo", {{"id", "dqn"}}}});
    ASSERT_TRUE(document.has_value()) << document.error().text();
    const auto values = Session::plan(*document);
    ASSERT_FALSE(values.has_value());
    EXPECT_NE(values.error().text().find("such as ppo"), std::string::npos) << values.error().text();
}

TEST(Session, SquashedActionsAreOneSettingOfTheNetwork) {
    const auto hash = [](bool squash) {
        return hashAfter("pendulum", "reference", 1, 3, {{"network", {{"squash", squash}}}});
    };
    EXPECT_NE(hash(true), hash(false));
}

TEST(Session, UnknownDeviceNamesWhatIsAvailable) {
    const auto plan = Session::plan(smallConfig("cartpole", {{"run", {{"device", "cuda:7"}}}}));
    ASSERT_FALSE(plan.has_value());
    EXPECT_EQ(plan.error().code, ErrorCode::device);
    EXPECT_NE(plan.error().message.find("cpu"), std::string::npos);
}

TEST(Session, AutoChoosesTheEngineByTheKindOfNetwork) {
    const auto plan = Session::plan(smallConfig("cartpole", {{"run", {{"engine", "auto"}}}}));
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(plan->engine.id, "native");
    EXPECT_FALSE(plan->engine.why.empty());
}

}  // namespace
}  // namespace seedbed
