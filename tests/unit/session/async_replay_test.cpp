// SPDX-License-Identifier: Apache-2.0
// A replay in the async schedule with real threads: windows are never overwritten while they are read, the
// ratio is exact, actors wait when they are ahead, and a saved replay is restored completely.
#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/session/session.hpp"
#include "tests/unit/session/configs.hpp"
#include "tests/unit/session/counting_env.hpp"

namespace seedbed {
namespace {

using test::countingControls;
using test::kCountingSpan;
using test::makeSession;
using test::metricOf;
using ::testing::HasSubstr;

struct Seen {
    std::string error;  // the first one
    std::uint64_t windows = 0;
} seen;

// DQN that checks that the rows of every window are consecutive steps of one environment.
class ReplayProbe final : public Algorithm {
public:
    explicit ReplayProbe(std::unique_ptr<Algorithm> inner) : inner_(std::move(inner)) {}
    std::vector<NetworkDecl> networks() const override { return inner_->networks(); }
    LearnPlan plan() const override { return inner_->plan(); }
    std::vector<std::string> metrics() const override { return inner_->metrics(); }
    double learningRate(const Progress& progress) const override { return inner_->learningRate(progress); }
    ActingRule acting(const Progress& progress) const override { return inner_->acting(progress); }
    Result<> prepare(Batch& batch, const Progress&, const EvaluateNetwork&) override {
        for (int n = 0; n < batch.columns; ++n) check(batch, n);
        std::fill(batch.reward.begin(), batch.reward.end(), 1.0f);
        return {};
    }
    void learn(Step& step) const override { inner_->learn(step); }

private:
    static void check(const Batch& batch, int n) {
        ++seen.windows;
        std::int64_t last = -1;
        for (int t = 0; t < batch.steps; ++t) {
            const auto row = static_cast<std::size_t>(t * batch.columns + n);
            if (batch.valid[row] == 0) continue;
            const auto step = static_cast<std::int64_t>(batch.reward[row]);
            if (last >= 0 && step != last + 1 && seen.error.empty())
                seen.error = "step " + std::to_string(step) + " follows step " + std::to_string(last);
            last = step;
        }
        if (last < 0 && seen.error.empty()) seen.error = "a window without a decision";
    }
    std::unique_ptr<Algorithm> inner_;
};

TrainingConfig replayConfig(const std::string& env, const Json& changes = Json::object()) {
    Json all{{"run", {{"schedule", "async"}}},
             {"actor", {{"num_envs", 12}, {"groups", 4}, {"threads", 2}}},
             {"algo",
              {{"id", "dqn"},
               {"rollout_length", 8},
               {"epochs", nullptr},
               {"minibatches", nullptr},
               {"replay_size", 1200},
               {"replay_start", 300},
               {"replay_ratio", 4},
               {"batch_size", 24},
               {"n_step", 3},
               {"prioritised", true},
               {"epsilon_horizon", 1000},
               {"learning_rate", 1e-6}}}};
    all.merge_patch(changes);
    return test::smallConfig(env, all);
}

class AsyncReplay : public ::testing::Test {
protected:
    void SetUp() override {
        test::resetCountingControls();
        seen = {};
    }
    static TrainingConfig config(const Json& changes = Json::object()) {
        static const bool registered = [] {
            algorithmRegistry().add({.id = "replay_probe",
                                     .aliases = {},
                                     .help = "a test",
                                     .params = algorithmRegistry().find("dqn")->params,
                                     .fits = algorithmRegistry().find("dqn")->fits,
                                     .make = [](const Json& params, const ActionDistribution& distribution)
                                         -> std::unique_ptr<Algorithm> {
                                         return std::make_unique<ReplayProbe>(
                                             algorithmRegistry().find("dqn")->make(params, distribution));
                                     }});
            return true;
        }();
        TrainingConfig config = replayConfig("counting", changes);
        config.algo_id = registered ? "replay_probe" : "";
        return config;
    }
    static void iterate(Session& session, int updates) {
        for (int i = 0; i < updates; ++i) {
            const auto stats = session.iterate();
            ASSERT_TRUE(stats.has_value()) << stats.error().text();
        }
        EXPECT_EQ(seen.error, "");
    }
    static std::unique_ptr<Session> restored(Session& from, const TrainingConfig& config,
                                             const Archive& saved) {
        test::resetCountingControls();
        auto session = makeSession(config);
        for (std::size_t i = 0; i < 2; ++i) session->learner().setParams(i, from.learner().params(i));
        Archive loaded = Archive::loading(saved.bytes());
        const auto result = session->archive(loaded);
        EXPECT_TRUE(result.has_value()) << result.error().text();
        EXPECT_TRUE(loaded.finish().has_value());
        return session;
    }
};

// The replay keeps 100 rows of each column and is overwritten many times; 12 columns of 8 rows enter at a
// time.
TEST_F(AsyncReplay, NoWindowIsOverwrittenWhileItIsReadAndTheRatioIsExact) {
    for (const char* inference : {"inline", "central"})
        for (const bool prioritised : {false, true}) {
            SetUp();
            const auto session = makeSession(config({{"run", {{"inference", inference}}},
                                                     {"learner", {{"columns", 3}}},
                                                     {"algo", {{"prioritised", prioritised}}}}));
            std::uint64_t learned = 0, decisions = 0, all = 0;
            for (int i = 0; i < 400; ++i) {
                const auto stats = session->iterate();
                ASSERT_TRUE(stats.has_value()) << stats.error().text();
                all += stats->decisions;
                if (metricOf(*stats, "replay/rows") >= 300) decisions += stats->decisions;
                else EXPECT_FALSE(stats->update.stepped) << "before replay_start";
                learned += stats->update.minibatches;
                EXPECT_EQ(learned, decisions * 4 / 24);
                EXPECT_LE(metricOf(*stats, "replay/rows"), 1200);
            }
            EXPECT_EQ(seen.error, "");
            EXPECT_EQ(seen.windows, learned * 24);
            EXPECT_EQ(session->progress().steps, all);
            EXPECT_GT(all, 5 * 1200U);
        }
}

// The ring of a group has room for 100 rows; actors stop 3 rollouts after the last one that has entered.
TEST_F(AsyncReplay, ActorsThatAreAheadWaitForTheLearner) {
    const auto session = makeSession(config({{"run", {{"inference", "central"}}}}));
    for (int i = 0; i < 5; ++i) {
        iterate(*session, 1);
        // Far longer than actors need for 3 rollouts; if they need longer, the test proves less, but passes.
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        const auto stats = session->iterate();
        ASSERT_TRUE(stats.has_value());
        EXPECT_LE(metricOf(*stats, "async/queue_windows"), 4 * 3);
    }
    EXPECT_EQ(seen.error, "");
}

TEST_F(AsyncReplay, AGroupThatHangsIsSkippedAndItsRowsStayReadable) {
    struct Unblock {
        ~Unblock() { now(); }
        static void now() {
            countingControls().block_instance = -1;
            countingControls().block_instance.notify_all();
        }
    };
    const auto session = makeSession(config({{"env", {{"busy_us", 20}}}, {"actor", {{"stall_s", 0.05}}}}));
    const Unblock unblock;
    iterate(*session, 20);
    countingControls().block_instance = 10;
    while (countingControls().blocked == 0) iterate(*session, 1);
    iterate(*session, 30);
    Unblock::now();
    iterate(*session, 30);
}

// An update with 80,000 optimiser steps is abandoned immediatelyand changes nothing.
TEST_F(AsyncReplay, AStopDuringALongTurnLosesNothing) {
    const TrainingConfig slow =
        config({{"algo", {{"replay_ratio", 20'000}}}, {"checkpoint", {{"replay", "full"}}}});
    const auto session = makeSession(slow);
    session->setStopGrace(std::chrono::milliseconds(0));
    Result<IterationStats> stats = session->iterate();
    std::stop_source stop;
    std::jthread stopper;
    const auto begin = std::chrono::steady_clock::now();
    while (stats) {
        if (seen.windows == 0 && metricOf(*stats, "replay/rows") >= 200 && !stopper.joinable())
            stopper = std::jthread([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(200));
                stop.request_stop();
            });
        stats = session->iterate(stop.get_token());
    }
    EXPECT_EQ(stats.error().code, ErrorCode::interrupted);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60))
        << "the whole turn takes minutes";
    Archive saved = Archive::saving();
    ASSERT_TRUE(session->archive(saved).has_value());
    const auto steps = session->progress().steps;
    ASSERT_TRUE(session->end(std::chrono::seconds(60)));
    const auto other = restored(*session, slow, saved);
    EXPECT_EQ(other->progress().steps, steps);
    EXPECT_EQ(seen.error, "");
}

TEST_F(AsyncReplay, ASavedReplayIsRestoredCompletely) {
    for (const char* inference : {"inline", "central"})
        for (const bool prioritised : {false, true}) {
            SetUp();
            const TrainingConfig full = config({{"run", {{"inference", inference}}},
                                                {"learner", {{"columns", 3}}},
                                                {"algo", {{"prioritised", prioritised}}},
                                                {"checkpoint", {{"replay", "full"}}}});
            const auto session = makeSession(full);
            for (const int updates : {3, 40}) {
                iterate(*session, updates);
                Archive saved = Archive::saving(), windows = Archive::saving();
                ASSERT_TRUE(session->archive(saved, &windows).has_value());
                EXPECT_TRUE(windows.bytes().empty()) << "the replay contains the open windows";
                const auto other = restored(*session, full, saved);
                Archive again = Archive::saving();
                ASSERT_TRUE(other->archive(again).has_value());
                // The replay is last: rows of 4 rings, counters, and with priorities one number per window.
                const std::size_t tail = prioritised && updates == 40 ? 7000 : 100;
                ASSERT_EQ(saved.bytes().size(), again.bytes().size());
                EXPECT_TRUE(std::equal(saved.bytes().end() - static_cast<std::ptrdiff_t>(tail),
                                       saved.bytes().end(),
                                       again.bytes().end() - static_cast<std::ptrdiff_t>(tail)));
                const auto stats = other->iterate();
                ASSERT_TRUE(stats.has_value());
                EXPECT_TRUE(stats->notices.empty());
                EXPECT_GE(metricOf(*stats, "replay/rows"), updates == 40 ? 300 : 1);
                iterate(*other, 40);
            }
        }
}

TEST_F(AsyncReplay, WithoutASavedReplayItReportsThatItCollectsBeforeItLearns) {
    const TrainingConfig none = config();
    const auto session = makeSession(none);
    iterate(*session, 20);
    Archive saved = Archive::saving();
    ASSERT_TRUE(session->archive(saved).has_value());
    const auto other = restored(*session, none, saved);
    auto stats = other->iterate();
    ASSERT_TRUE(stats.has_value());
    ASSERT_EQ(stats->notices.size(), 1u);
    EXPECT_THAT(stats->notices[0], HasSubstr("checkpoint.replay=none"));
    EXPECT_FALSE(stats->update.stepped);
    for (int i = 0; i < 20 && !stats->update.stepped; ++i) stats = other->iterate();
    EXPECT_TRUE(stats->update.stepped);
    iterate(*other, 10);
}

TEST_F(AsyncReplay, TheMemoryEstimateContainsTheRowsThatActorsMayBeAhead) {
    const auto plan = [](const Json& changes) {
        return Session::plan(replayConfig("cartpole", changes)).value();
    };
    const SessionPlan few = plan({{"actor", {{"open_windows", 2}}}}),
                      many = plan({{"actor", {{"open_windows", 12}}}});
    const auto rows = [](const SessionPlan& p) { return p.groupSpecs(nullptr)[0].rows; };
    EXPECT_EQ(rows(many) - rows(few), 10 * 8);
    EXPECT_GT(many.memory.replay, few.memory.replay);
    EXPECT_GT(plan({{"checkpoint", {{"replay", "full"}}}}).memory.saving, plan(Json::object()).memory.saving);
}

TEST_F(AsyncReplay, RecurrentSequencesWork) {
    for (const char* inference : {"inline", "central"}) {
        Json changes{{"run", {{"schedule", "async"}, {"inference", inference}}},
                     {"network", {{"core", "lstm"}, {"core_size", 8}}},
                     {"algo",
                      {{"id", "r2d2"},
                       {"epochs", nullptr},
                       {"minibatches", nullptr},
                       {"rollout_length", 16},
                       {"sequence", 8},
                       {"burn_in", 4},
                       {"replay_size", 2000},
                       {"replay_start", 500},
                       {"batch_size", 16}}}};
        const auto session = makeSession(test::smallConfig("cartpole", changes));
        bool stepped = false;
        for (int i = 0; i < 60; ++i) {
            const auto stats = session->iterate();
            ASSERT_TRUE(stats.has_value()) << stats.error().text();
            stepped |= stats->update.stepped;
        }
        EXPECT_TRUE(stepped);
    }
}

}  // namespace
}  // namespace seedbed
