// SPDX-License-Identifier: Apache-2.0
// Sessions that are stopped in the middle of a rollout or an update, or whose environments do not return.
#include <atomic>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "core/session/run_watched.hpp"
#include "tests/unit/base/time_limit.hpp"
#include "tests/unit/session/configs.hpp"
#include "tests/unit/session/counting_env.hpp"
#include "tests/unit/session/troubled_env.hpp"

namespace seedbed {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using test::countingControls;
using test::makeSession;
using test::resetCountingControls;
using test::smallConfig;
using test::Troubles;

double secondsSince(steady_clock::time_point begin) {
    return std::chrono::duration<double>(steady_clock::now() - begin).count();
}

// A session restored from `saved` and the parameters of `from`, with a different number of threads.
std::unique_ptr<Session> restored(Session& from, const TrainingConfig& config, const Archive& saved) {
    auto session = makeSession(config);
    for (std::size_t net = 0; net < from.learner().networkCount(); ++net)
        session->learner().setParams(net, from.learner().params(net));
    Archive loaded = Archive::loading(saved.bytes());
    const auto result = session->archive(loaded);
    EXPECT_TRUE(result.has_value()) << result.error().text();
    EXPECT_TRUE(loaded.finish().has_value());
    return session;
}

// Like Session::iterate(), while this thread watches the session.
Result<IterationStats> iterateWatched(Session& session, const std::stop_token& stop = {}) {
    const auto stats = std::make_shared<Result<IterationStats>>();
    SEEDBED_TRY(runWatched(session, [&session, stats, stop]() -> Result<> {
        *stats = session.iterate(stop);
        return {};
    }));
    return std::move(*stats);
}

Archive save(Session& session) {
    Archive archive = Archive::saving();
    const auto saved = session.archive(archive);
    EXPECT_TRUE(saved.has_value()) << saved.error().text();
    return archive;
}

struct Case {
    const char* name;
    Json changes;
};

class StoppedAnywhere : public testing::TestWithParam<Case> {};

// Sessions are stopped at points that are spread over the work of four updates, saved, restored and stopped
// again. Whatever was in progress, the parameters are those of an uninterrupted session.
TEST_P(StoppedAnywhere, AResumeGivesTheSameBits) {
    const TrainingConfig config = smallConfig("cartpole", GetParam().changes);
    const auto whole = makeSession(config);
    std::size_t episodes = 0;
    const auto begin = steady_clock::now();
    for (int i = 0; i < 4; ++i) {
        const auto stats = whole->iterate();
        ASSERT_TRUE(stats.has_value());
        episodes += stats->episodes.size();
    }
    const auto update_us = static_cast<std::uint32_t>(secondsSince(begin) / 4 * 1e6);
    const std::string expected = whole->learner().params().sha256();

    auto session = makeSession(config);
    std::size_t seen = 0;
    int stops = 0, attempts = 0;
    Rng rng(1, RngPurpose::environment, 0);
    while (session->progress().updates < 4 && attempts < 4000) {
        ++attempts;
        std::stop_source stop;
        session->setStopGrace(milliseconds(0));
        // Short waits end in rollouts and longer ones in updates; every fourth wait lets the update finish.
        const auto wait = std::chrono::microseconds(attempts % 4 == 0 ? 10'000'000 : rng.below(update_us));
        std::atomic<bool> returned{false};
        std::jthread user([&] {
            const auto until = steady_clock::now() + wait;
            while (steady_clock::now() < until && !returned) std::this_thread::yield();
            stop.request_stop();
        });
        const auto stats = iterateWatched(*session, stop.get_token());
        returned = true;
        user.join();
        if (stats) {
            seen += stats->episodes.size();
            continue;
        }
        ASSERT_EQ(stats.error().code, ErrorCode::interrupted) << stats.error().text();
        ++stops;
        session = restored(*session, config, save(*session));
    }
    ASSERT_EQ(session->progress().updates, 4u);
    EXPECT_GT(stops, 0);
    EXPECT_EQ(session->learner().params().sha256(), expected) << "after " << stops << " stops";
    EXPECT_EQ(session->progress().steps, whole->progress().steps);
    EXPECT_EQ(seen, episodes) << "no episode is lost or reported twice";
}

INSTANTIATE_TEST_SUITE_P(
    Schedules, StoppedAnywhere,
    testing::Values(Case{"plain", {{"algo", {{"epochs", 600}, {"lr_schedule", "kl_adaptive"}}}}},
                    Case{"normalised", {{"network", {{"normalise_obs", true}}}, {"algo", {{"epochs", 600}}}}},
                    Case{"recurrent",
                         {{"network", {{"core", "lstm"}, {"core_size", 8}}}, {"algo", {{"epochs", 600}}}}},
                    Case{"central", {{"run", {{"inference", "central"}}}, {"algo", {{"epochs", 600}}}}},
                    Case{"popart", {{"algo", {{"epochs", 600}, {"popart", true}}}}},
                    Case{"vmpo", {{"algo", {{"id", "vmpo"}, {"epochs", 600}, {"popart", true}}}}},
                    Case{"lagging", {{"run", {{"forced_lag", 2}}}, {"algo", {{"epochs", 600}}}}}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(Interrupted, AHugeUpdateIsAbandonedWithinASecondAndLeavesNothingBehind) {
    const Json huge{{"algo", {{"rollout_length", 512}, {"epochs", 1000}}},
                    {"network", {{"hidden", {64, 64}}}}};
    const auto session = makeSession(smallConfig("cartpole", huge));
    const std::string before = session->learner().params().sha256();
    std::stop_source stop;
    std::atomic<bool> learning{false};
    session->setBeforeLearning([&] { learning = true; });
    session->setStopGrace(milliseconds(100));
    steady_clock::time_point asked;
    std::jthread user([&] {
        while (!learning) std::this_thread::yield();
        std::this_thread::sleep_for(milliseconds(200));  // several optimiser steps
        asked = steady_clock::now();
        stop.request_stop();
    });
    const auto stats = session->iterate(stop.get_token());
    ASSERT_FALSE(stats.has_value());
    EXPECT_EQ(stats.error().code, ErrorCode::interrupted);
    EXPECT_LT(secondsSince(asked), test::measuredLimit(1));
    EXPECT_EQ(session->learner().params().sha256(), before);
    EXPECT_EQ(session->progress().updates, 0u);
}

TEST(Interrupted, AShortUpdateIsCompletedWithinTheGrace) {
    const auto session = makeSession(smallConfig("cartpole"));
    std::stop_source stop;
    stop.request_stop();
    session->setStopGrace(milliseconds(60'000));
    EXPECT_TRUE(session->iterate(stop.get_token()).has_value());
}

TEST(Interrupted, AnAsyncSessionPutsTheWindowsOfAnAbandonedUpdateBack) {
    const Json huge{{"algo", {{"rollout_length", 512}, {"epochs", 1000}}},
                    {"run", {{"schedule", "async"}}},
                    {"network", {{"hidden", {256, 256}}}}};
    const auto session = makeSession(smallConfig("cartpole", huge));
    const std::string before = session->learner().params().sha256();
    std::stop_source stop;
    session->setStopGrace(milliseconds(0));
    std::jthread user([&] {
        // Far longer than the rollouts take, and far shorter than the update.
        std::this_thread::sleep_for(std::chrono::seconds(3));
        stop.request_stop();
    });
    const auto stats = session->iterate(stop.get_token());
    ASSERT_FALSE(stats.has_value());
    EXPECT_EQ(stats.error().code, ErrorCode::interrupted) << stats.error().text();
    EXPECT_EQ(session->learner().params().sha256(), before);
    Archive state = Archive::saving(), windows = Archive::saving();
    ASSERT_TRUE(session->archive(state, &windows).has_value());
    EXPECT_GT(windows.bytes().size(), 6u * 512 * 4 * 4) << "the rows must be saved";
}

// --- environments that do not return

class Stalled : public testing::TestWithParam<const char*> {
protected:
    Stalled() { resetCountingControls(); }
    ~Stalled() override {
        unblock();
        resetCountingControls();
    }
    static void unblock() {
        auto& controls = countingControls();
        controls.block_instance = -1;
        controls.block_instance.notify_all();
        controls.block_reset = -1;
        controls.block_reset.notify_all();
    }
    // Created after the session, whose destructor waits for its threads.
    struct Unblock {
        ~Unblock() { unblock(); }
    };
    static TrainingConfig config(double stall_s = 2) {
        return smallConfig("counting",
                           {{"run", {{"inference", GetParam()}}}, {"actor", {{"stall_s", stall_s}}}});
    }
};

TEST_P(Stalled, ASyncSessionNamesTheEnvironmentsAndSavesTheRest) {
    auto session = makeSession(config());
    const Unblock at_end;
    ASSERT_TRUE(session->iterate().has_value());
    const std::string params = session->learner().params().sha256();
    countingControls().block_instance = 2;
    const auto begin = steady_clock::now();
    const auto stalled = iterateWatched(*session);
    ASSERT_FALSE(stalled.has_value());
    EXPECT_EQ(stalled.error().code, ErrorCode::stalled);
    EXPECT_NE(stalled.error().text().find("group 1 (environments 2 to 3) has not returned"),
              std::string::npos)
        << stalled.error().text();
    EXPECT_LT(secondsSince(begin), test::measuredLimit(4));
    const Archive saved = save(*session);
    EXPECT_EQ(session->learner().params().sha256(), params);
    EXPECT_FALSE(session->end(milliseconds(10))) << "a thread still hangs";

    // The group begins new episodes; the other groups continue theirs.
    countingControls().next_instance = 0;
    unblock();
    const auto resumed = restored(*session, config(), saved);
    const auto stats = resumed->iterate();
    ASSERT_TRUE(stats.has_value()) << stats.error().text();
    EXPECT_EQ(resumed->progress().updates, 2u);
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(resumed->iterate().has_value());
}

TEST_P(Stalled, AStopRequestDoesNotWaitForIt) {
    auto session = makeSession(config(6000));
    const Unblock at_end;
    ASSERT_TRUE(session->iterate().has_value());
    countingControls().block_instance = 2;
    std::stop_source stop;
    session->setStopGrace(milliseconds(50));
    std::jthread user([&] {
        while (countingControls().blocked == 0) std::this_thread::yield();
        stop.request_stop();
    });
    const auto begin = steady_clock::now();
    const auto stopped = iterateWatched(*session, stop.get_token());
    ASSERT_FALSE(stopped.has_value());
    EXPECT_LT(secondsSince(begin), test::measuredLimit(2));
    (void)save(*session);
}

TEST_P(Stalled, AHangingResetIsReportedAndTheStateIsSaved) {
    auto session = makeSession(config());
    const Unblock at_end;
    countingControls().block_reset = 2;
    const auto stalled = iterateWatched(*session);
    ASSERT_FALSE(stalled.has_value());
    EXPECT_EQ(stalled.error().code, ErrorCode::stalled);
    Archive archive = Archive::saving();
    const auto saved = session->archive(archive);
    EXPECT_TRUE(saved.has_value()) << saved.error().text();
}

INSTANTIATE_TEST_SUITE_P(Inference, Stalled, testing::Values("inline", "central"),
                         [](const auto& test) { return std::string(test.param); });

TEST(StalledStart, EnvironmentsThatNeverStartEndTheCreationOfASession) {
    resetCountingControls();
    countingControls().block_reset = 3;
    auto plan = Session::plan(smallConfig("counting", {{"actor", {{"stall_s", 0.5}}}}));
    ASSERT_TRUE(plan.has_value());
    auto session = Session::create(*plan);
    ASSERT_FALSE(session.has_value());
    EXPECT_EQ(session.error().code, ErrorCode::stalled);
    EXPECT_NE(session.error().text().find("environments 2 to 3 did not start"), std::string::npos)
        << session.error().text();
    // A stop request cancels the creation before that.
    plan->config.actor.stall_s = 1000;
    countingControls().next_instance = 0;
    std::stop_source stop;
    std::jthread user([&] {
        while (countingControls().blocked < 2) std::this_thread::yield();
        stop.request_stop();
    });
    session = Session::create(*plan, stop.get_token());
    ASSERT_FALSE(session.has_value());
    EXPECT_EQ(session.error().code, ErrorCode::interrupted);
    countingControls().block_reset = -1;
    countingControls().block_reset.notify_all();
    while (countingControls().blocked > 0) std::this_thread::yield();
    resetCountingControls();
}

}  // namespace
}  // namespace seedbed
