// SPDX-License-Identifier: Apache-2.0
// Data echoing: passes over the same windows, the automatic factor, and learning from repeated windows.
#include "core/session/windows/echo_windows.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/session/session.hpp"
#include "tests/unit/learn/toy_world.hpp"
#include "tests/unit/session/configs.hpp"
#include "tests/unit/session/count_probe.hpp"
#include "tests/unit/session/counting_env.hpp"

namespace seedbed {
namespace {

using test::makeSession;
using test::metricOf;
using test::smallConfig;
using ::testing::HasSubstr;

// Delivers one window after another.
class Numbered final : public WindowSource {
public:
    explicit Numbered(int count) : left_(count) {}
    const TakenWindows* take() override {
        if (left_-- == 0) return nullptr;
        taken_.windows = {Window{0, t0_++, 1, 0, 1}};
        return &taken_;
    }

private:
    int left_;
    std::uint64_t t0_ = 0;
    TakenWindows taken_;
};

TEST(EchoWindows, EverySetIsDeliveredAsOftenAsThePasses) {
    Numbered inner(2);
    EchoWindows echo(inner, 3);
    std::vector<std::pair<std::uint64_t, int>> delivered;
    while (const TakenWindows* taken = echo.take())
        delivered.emplace_back(taken->windows[0].t0, taken->repeat);
    EXPECT_EQ(delivered,
              (std::vector<std::pair<std::uint64_t, int>>{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}));
    EXPECT_EQ(echo.delivered(), 6);
}

TEST(EchoWindows, ARequestToStopEndsTheRepeats) {
    std::stop_source stop;
    Numbered inner(1);
    EchoWindows echo(inner, 1000, stop.get_token());
    ASSERT_NE(echo.take(), nullptr);
    ASSERT_NE(echo.take(), nullptr);
    stop.request_stop();
    EXPECT_EQ(echo.take(), nullptr);
    EXPECT_EQ(echo.delivered(), 2);
}

TEST(EchoFactor, ANumberIsUsedAsItIs) {
    EchoFactor factor(3);
    factor.measure(1, 100, 3, 1);
    EXPECT_EQ(factor.nextPasses(), 3);
    EXPECT_EQ(factor.factor(), 3);
}

// Actors take `acting_s` for a set whatever the learner does; a pass takes `pass_s`.
void simulate(EchoFactor& factor, double acting_s, double pass_s, int sets) {
    for (int i = 0; i < sets; ++i) {
        const double before = factor.factor();
        const int passes = factor.nextPasses();
        factor.measure(1, acting_s, passes, passes * pass_s);
        EXPECT_LE(std::abs(factor.factor() / before - 1), EchoFactor::kLargestChange + 1e-12);
        EXPECT_GE(factor.factor(), 1);
        EXPECT_LE(factor.factor(), EchoFactor::kLargest);
    }
}

TEST(EchoFactor, FollowsTheRatioOfActingToLearningTimeSlowly) {
    EchoFactor factor(0);
    EXPECT_EQ(factor.nextPasses(), 1) << "no echo before a measurement";
    simulate(factor, 2.5, 1, 100);
    EXPECT_NEAR(factor.factor(), 2.5, 1e-6);
    simulate(factor, 5, 1, 1);
    EXPECT_LE(factor.factor(), 2.5 * (1 + EchoFactor::kLargestChange) + 1e-6) << "slowly";
    simulate(factor, 5, 1, 300);
    EXPECT_NEAR(factor.factor(), 5, 1e-3);
    simulate(factor, 1, 4, 300);
    EXPECT_EQ(factor.factor(), 1) << "never less than once";
    simulate(factor, 100, 1, 300);
    EXPECT_EQ(factor.factor(), EchoFactor::kLargest);
}

TEST(EchoFactor, PassesAddUpToTheFactor) {
    EchoFactor factor(0);
    simulate(factor, 2.5, 1, 500);
    int passes = 0;
    for (int i = 0; i < 1000; ++i) {
        const int next = factor.nextPasses();
        EXPECT_TRUE(next == 2 || next == 3) << next;
        passes += next;
    }
    EXPECT_NEAR(passes, 2500, 1.01);
}

TEST(EchoFactor, ASetThatIsDeliveredInPartsCountsOnce) {
    EchoFactor whole(0), parts(0);
    for (int i = 0; i < 200; ++i) {
        whole.measure(1, 3, 1, 1);
        // The other half of the columns arrives in every second update only.
        parts.measure(i % 2 == 0 ? 0.5 : 1.5, 3, 1, 1);
    }
    EXPECT_NEAR(whole.factor(), parts.factor(), 0.1);
}

TEST(EchoFactor, ARestoredFactorContinues) {
    EchoFactor factor(0), restored(0);
    simulate(factor, 2.7, 1, 40);
    Archive saved = Archive::saving();
    factor.archive(saved);
    Archive loaded = Archive::loading(saved.bytes());
    restored.archive(loaded);
    ASSERT_TRUE(loaded.finish().has_value());
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(factor.nextPasses(), restored.nextPasses());
        factor.measure(1, 2, 1, 1);
        restored.measure(1, 2, 1, 1);
        EXPECT_EQ(factor.factor(), restored.factor());
    }
}

std::unique_ptr<Algorithm> algorithmOf(const testing::ToyOptions& options, const char* id,
                                       const Json& params) {
    const AlgorithmEntry* entry = algorithmRegistry().find(id);
    return entry->make(entry->params->complete(params).value(), testing::toyDistribution(options));
}

// The parameters after learning twice from the same windows: in one update, or in two.
std::vector<float> learnTwice(const char* id, const Json& params, bool echo) {
    const testing::ToyOptions options{.network = [] {
        NetworkParams network;
        network.hidden = {8};
        return network;
    }()};
    auto toy = testing::makeLearner(options, algorithmOf(options, id, params));
    testing::ToyActor actor(options, toy.engine);
    WorkerPool pool(2);
    actor.act(toy.learner->params(), 16);
    const std::vector<Window> windows{actor.window(16)};
    if (echo) {
        FreshWindows fresh(windows);
        EchoWindows source(fresh, 2);
        const auto stats = toy.learner->update(actor.rings(), source, {}, pool);
        EXPECT_EQ(stats.value().minibatches, 2u);
    } else {
        for (int i = 0; i < 2; ++i)
            EXPECT_TRUE(toy.learner->update(actor.rings(), windows, {}, pool).has_value());
    }
    const Params learned = toy.learner->params();
    return {learned.blob().begin(), learned.blob().end()};
}

// V-trace computes targets and ratios in every pass from the current network and the behaviour policy, so a
// pass is the same in one update as in two. PPO's second pass corrects its advantages with V-trace, as for
// any rows from older parameters; its ratio is relative to the behaviour policy in both cases. Passes are
// shuffled differently, which changes the rounding of sums: the tolerance is 1e-5 of parameters of size 1.
TEST(EchoedLearning, ARepeatIsLearnedFromLikeAWindowFromOlderParameters) {
    for (const auto& [id, params] : std::vector<std::pair<const char*, Json>>{
             {"vtrace", {{"learning_rate", 0.01}}},
             {"ppo", {{"learning_rate", 0.01}, {"epochs", 1}, {"minibatches", 1}}}}) {
        const std::vector<float> one = learnTwice(id, params, true), two = learnTwice(id, params, false);
        ASSERT_EQ(one.size(), two.size());
        for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], two[i], 1e-5) << id << " " << i;
    }
}

// With a target that the first pass exceeds, PPO stops the whole update.
TEST(EchoedLearning, TheTargetDivergenceOfPpoEndsAllPasses) {
    const testing::ToyOptions options{};
    auto toy = testing::makeLearner(
        options,
        algorithmOf(options, "ppo",
                    {{"learning_rate", 0.1}, {"epochs", 3}, {"minibatches", 1}, {"target_kl", 1e-3}}));
    testing::ToyActor actor(options, toy.engine);
    WorkerPool pool(1);
    actor.act(toy.learner->params(), 16);
    FreshWindows fresh({actor.window(16)});
    EchoWindows source(fresh, 5);
    const auto stats = toy.learner->update(actor.rings(), source, {}, pool);
    EXPECT_LE(stats.value().minibatches, 3u);
    EXPECT_EQ(source.delivered(), 1);
}

TEST(EchoSession, SyncGivesTheSameBitsForAnyNumberOfThreads) {
    const auto run = [](int threads, int echo) {
        const auto session = makeSession(
            smallConfig("cartpole", {{"run", {{"threads", threads}}}, {"learner", {{"echo", echo}}}}));
        for (int i = 0; i < 6; ++i) {
            const auto stats = session->iterate();
            EXPECT_TRUE(stats.has_value());
            EXPECT_EQ(stats->update.minibatches, 4u * static_cast<unsigned>(echo));
        }
        return session->learner().params().sha256();
    };
    const std::string once = run(1, 3);
    EXPECT_EQ(once, run(2, 3));
    EXPECT_EQ(once, run(4, 3));
    EXPECT_NE(once, run(1, 1));
}

TEST(EchoSession, StatisticsOfObservationsCountEveryRowOnce) {
    const auto count = [](int echo) {
        const auto session = makeSession(
            smallConfig("cartpole", {{"network", {{"normalise_obs", true}}}, {"learner", {{"echo", echo}}}}));
        EXPECT_TRUE(session->iterate().has_value());
        const NetPlan& plan = session->learner().networkPlan(0);
        const Params params = session->learner().params();
        for (const ParamEntry& entry : plan.params)
            if (entry.name.find("count") != std::string::npos) return params.blob()[entry.offset];
        ADD_FAILURE() << "no count of rows";
        return 0.0f;
    };
    EXPECT_EQ(count(1), count(4));
}

class AsyncEcho : public ::testing::Test {
protected:
    void SetUp() override {
        test::resetCountingControls();
        test::resetCountSeen();
    }
    static TrainingConfig config(Json changes) {
        Json base{{"run", {{"schedule", "async"}}},
                  {"actor", {{"num_envs", 12}, {"groups", 4}, {"threads", 2}}},
                  {"algo", {{"rollout_length", 64}, {"epochs", 1}, {"minibatches", 1}}}};
        base.merge_patch(changes);
        TrainingConfig config = smallConfig("counting", base);
        test::useCountProbe(config);
        return config;
    }
};

TEST_F(AsyncEcho, ADecisionCountsOnceHoweverOftenItIsRepeated) {
    for (const char* inference : {"inline", "central"}) {
        SetUp();
        const auto session =
            makeSession(config({{"run", {{"inference", inference}}}, {"learner", {{"echo", 3}}}}));
        std::uint64_t decisions = 0;
        for (int i = 0; i < 30; ++i) {
            const auto stats = session->iterate();
            ASSERT_TRUE(stats.has_value()) << stats.error().text();
            EXPECT_EQ(stats->update.minibatches, 3u);
            EXPECT_EQ(metricOf(*stats, "async/echo"), 3);
            decisions += stats->decisions;
        }
        EXPECT_EQ(test::countSeen().error, "");
        EXPECT_EQ(test::countSeen().rows, decisions) << "the probe counts first passes";
        EXPECT_EQ(session->progress().steps, decisions);
        EXPECT_EQ(session->progress().updates, 30u);
    }
}

TEST_F(AsyncEcho, RowsThatAreTooOldAreMaskedInEveryPass) {
    const auto session = makeSession(config({{"run", {{"forced_lag", 3}}},
                                             {"learner", {{"max_policy_lag", 0}, {"echo", 2}}},
                                             {"actor", {{"open_windows", 4}}}}));
    double masked = 0;
    std::uint64_t decisions = 0;
    for (int i = 0; i < 60; ++i) {
        const auto stats = session->iterate();
        ASSERT_TRUE(stats.has_value());
        masked += metricOf(*stats, "async/masked_rows");
        decisions += stats->decisions;
    }
    EXPECT_GT(masked, 0);
    EXPECT_EQ(test::countSeen().rows + static_cast<std::uint64_t>(masked), decisions);
    EXPECT_EQ(test::countSeen().repeated, test::countSeen().rows) << "two passes";
}

// Steps take 100 us without sleeping, so that the ratio is far above 1 on any machine: 768 decisions are 77
// ms of acting, and learning from them takes a few milliseconds.
TEST_F(AsyncEcho, TheAutomaticFactorRisesIfEnvironmentsAreSlow) {
    const TrainingConfig slow = config({{"env", {{"busy_us", 100}}}, {"learner", {{"echo", 0}}}});
    const auto session = makeSession(slow);
    double factor = 1;
    for (int i = 0; i < 200 && factor < 1.5; ++i) {
        const auto stats = session->iterate();
        ASSERT_TRUE(stats.has_value());
        EXPECT_LE(metricOf(*stats, "async/echo") / factor, 1 + EchoFactor::kLargestChange + 1e-9);
        factor = metricOf(*stats, "async/echo");
    }
    EXPECT_GE(factor, 1.5);
    EXPECT_EQ(test::countSeen().rows, session->progress().steps);

    Archive saved = Archive::saving();
    ASSERT_TRUE(session->archive(saved).has_value());
    test::resetCountingControls();
    const auto restored = makeSession(slow);
    restored->learner().setParams(0, session->learner().params());
    Archive loaded = Archive::loading(saved.bytes());
    ASSERT_TRUE(restored->archive(loaded).has_value());
    ASSERT_TRUE(loaded.finish().has_value());
    const auto stats = restored->iterate();
    ASSERT_TRUE(stats.has_value());
    EXPECT_GE(metricOf(*stats, "async/echo"), factor * (1 - EchoFactor::kLargestChange) - 1e-9)
        << "a restored session continues with the saved factor";
}

TEST(EchoSettings, InvalidValuesAndCombinationsAreRejectedByName) {
    const auto error = [](const Json& changes) {
        const auto plan = Session::plan(smallConfig("cartpole", changes));
        return plan ? "" : plan.error().text();
    };
    EXPECT_THAT(error({{"learner", {{"echo", 0}}}}), HasSubstr("learner.echo=0 (automatic) requires"));
    EXPECT_EQ(error({{"learner", {{"echo", 0}}}, {"run", {{"schedule", "async"}}}}), "");
    EXPECT_THAT(error({{"algo", {{"id", "dqn"}, {"epochs", nullptr}, {"minibatches", nullptr}}},
                       {"learner", {{"echo", 2}}}}),
                HasSubstr("algo.replay_ratio"));
    for (const Json& value : {Json("auto"), Json(-1), Json(65), Json(1.5)}) {
        const auto config =
            parseTrainingConfig({{"env", {{"id", "cartpole"}}}, {"learner", {{"echo", value}}}});
        ASSERT_FALSE(config.has_value()) << value.dump();
        EXPECT_THAT(config.error().text(), HasSubstr("a whole number, 0 to 64"));
    }
}

}  // namespace
}  // namespace seedbed
