// SPDX-License-Identifier: Apache-2.0
// The async schedule with real threads: every row arrives exactly once, whatever the environments do; saving
// and restoring lose nothing.
#include "core/session/async_session.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "core/session/sync_session.hpp"
#include "tests/unit/session/configs.hpp"
#include "tests/unit/session/count_probe.hpp"
#include "tests/unit/session/counting_env.hpp"

namespace seedbed {
namespace {

using test::countingControls;
using test::countSeen;
using test::makeSession;
using test::metricOf;
using test::smallConfig;

// Unblocks all environments that a test blocked.
struct Unblock {
    ~Unblock() { now(); }
    static void now() {
        countingControls().block_instance = -1;
        countingControls().block_instance.notify_all();
        countingControls().block_reset = -1;
        countingControls().block_reset.notify_all();
    }
};

class AsyncSchedule : public testing::Test {
protected:
    void SetUp() override {
        test::resetCountingControls();
        test::resetCountSeen();
        notices_.clear();
    }
    static TrainingConfig config(Json changes = Json::object()) {
        Json base{{"run", {{"schedule", "async"}}},
                  {"actor", {{"num_envs", 12}, {"groups", 4}, {"threads", 2}}},
                  {"algo", {{"rollout_length", 64}, {"epochs", 1}, {"minibatches", 1}}}};
        base.merge_patch(changes);
        TrainingConfig config = smallConfig("counting", base);
        test::useCountProbe(config);
        // Above the limit of the setting, but below ActingParams::kRemembered: no row of a group that hangs
        // is masked as too old, however late the hang is detected on a busy machine.
        if (!base.contains("learner") || !base["learner"].contains("max_policy_lag"))
            config.learner.max_policy_lag = 500;
        return config;
    }
    // A group that hangs is detected after 0.3 s. Steps are slow, so that far fewer than 500 updates are made
    // while it hangs: 768 decisions of 20 us on two threads are 8 ms per update. On a busy machine any other
    // group may take 300 ms for a step as well; therefore each test waits for the notices of one particular
    // group.
    static TrainingConfig hangConfig(Json changes = Json::object()) {
        Json base{{"env", {{"busy_us", 20}}}, {"actor", {{"stall_s", 0.3}}}};
        base.merge_patch(changes);
        return config(base);
    }
    static void expectNothingLost(const Session& session) {
        EXPECT_EQ(countSeen().error, "");
        EXPECT_EQ(session.progress().steps, countSeen().rows);
    }
    void iterate(Session& session, int updates) {
        for (int i = 0; i < updates; ++i) {
            const auto stats = session.iterate();
            ASSERT_TRUE(stats.has_value()) << stats.error().text();
            notices_.insert(notices_.end(), stats->notices.begin(), stats->notices.end());
        }
    }
    // A new session restores everything that `session` saved, and trains.
    void restoreAndContinue(const TrainingConfig& the_config, std::unique_ptr<Session> session,
                            Archive& saved) {
        const auto params = session->learner().params();
        session.reset();  // its environments read the controls
        test::resetCountingControls();
        const auto restored = makeSession(the_config);
        restored->learner().setParams(0, params);
        Archive loaded = Archive::loading(saved.bytes());
        const auto put_back = restored->archive(loaded);
        ASSERT_TRUE(put_back.has_value()) << put_back.error().text();
        iterate(*restored, 10);
    }
    // Iterates until a notice contains the text.
    void iterateUntil(Session& session, const std::string& text) {
        std::size_t seen = notices_.size();
        while (!HasFatalFailure()) {
            iterate(session, 1);
            for (; seen < notices_.size(); ++seen)
                if (notices_[seen].find(text) != std::string::npos) return;
        }
    }
    // Iterates until the last such notice about the group reports that it hangs (or, if not `hangs`, that it
    // continues).
    void iterateUntilHangs(Session& session, const std::string& group, bool hangs = true) {
        const auto hangsNow = [&] {
            const auto last = std::find_if(notices_.rbegin(), notices_.rend(), [&](const std::string& text) {
                return text.starts_with(group + kHangs) || text.starts_with(group + kContinues);
            });
            return last != notices_.rend() && last->starts_with(group + kHangs);
        };
        while (hangsNow() != hangs && !HasFatalFailure()) iterate(session, 1);
    }
    void iterateUntilContinues(Session& session, const std::string& group) {
        iterateUntilHangs(session, group, false);
    }

    static constexpr const char* kHangs = " has not returned";
    static constexpr const char* kContinues = " continues";
    static constexpr const char* kGroup1 = "group 1 (environments 3 to 5)";
    static constexpr const char* kGroup3 = "group 3 (environments 9 to 11)";

    std::vector<std::string> notices_;
};

TEST_F(AsyncSchedule, EveryRowIsLearnedFromOnceAndCountedOnce) {
    for (const char* inference : {"inline", "central"}) {
        SetUp();
        const auto session = makeSession(config({{"run", {{"inference", inference}}}}));
        iterate(*session, 100);
        expectNothingLost(*session);
        // 12 columns of 16 rows; of 77 decisions 6 are followed by an extra row.
        EXPECT_GT(session->progress().steps, 100u * 12 * 16 * 9 / 10);
        EXPECT_EQ(session->progress().updates, 100u);
    }
}

TEST_F(AsyncSchedule, ManyActorThreadsMeetEveryDeadline) {
    const int threads = 4 * static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    for (const double deadline_ms : {0.0, 0.2, -1.0})
        for (const char* devices : {"", "cpu,cpu"}) {
            SetUp();
            const auto session =
                makeSession(config({{"run", {{"inference", "central"}}},
                                    {"actor", {{"threads", threads}, {"groups", 6}}},
                                    {"infer", {{"deadline_ms", deadline_ms}, {"devices", devices}}}}));
            iterate(*session, 40);
            expectNothingLost(*session);
        }
}

TEST_F(AsyncSchedule, AThrowingEnvironmentRestartsOnlyItsGroup) {
    for (const char* inference : {"inline", "central"}) {
        SetUp();
        const auto session = makeSession(config({{"run", {{"inference", inference}}}}));
        iterate(*session, 5);
        // The first environment of a group fails; otherwise, steps already made by others would be discarded.
        countingControls().throws = 3;
        countingControls().throw_instance = 3;
        std::vector<std::string> notices;
        while (notices.size() < 3) {
            const auto stats = session->iterate();
            ASSERT_TRUE(stats.has_value()) << stats.error().text();
            notices.insert(notices.end(), stats->notices.begin(), stats->notices.end());
        }
        iterate(*session, 10);
        expectNothingLost(*session);
        EXPECT_NE(notices[0].find("group 1 (environments 3 to 5)"), std::string::npos) << notices[0];
        EXPECT_NE(notices[0].find("failed on request"), std::string::npos) << notices[0];
    }
}

TEST_F(AsyncSchedule, AnEnvironmentThatKeepsThrowingStopsTheRunAndIsNamed) {
    const auto session = makeSession(config({{"actor", {{"restarts", 2}}}}));
    iterate(*session, 2);
    countingControls().throws = 1'000'000;
    countingControls().throw_instance = 7;
    Result<IterationStats> stats = session->iterate();
    while (stats) stats = session->iterate();
    EXPECT_NE(stats.error().text().find("group 2 (environments 6 to 8)"), std::string::npos)
        << stats.error().text();
    EXPECT_NE(stats.error().text().find("2 times before"), std::string::npos) << stats.error().text();
    EXPECT_EQ(countSeen().error, "");
}

TEST_F(AsyncSchedule, AnEnvironmentThatBlocksDelaysOnlyItsOwnGroup) {
    for (const char* inference : {"inline", "central"}) {
        for (const int actors : {1, 2}) {
            SetUp();
            const auto session = makeSession(hangConfig({{"run", {{"inference", inference}}},
                                                         {"actor", {{"threads", actors}}},
                                                         {"infer", {{"deadline_ms", -1}}}}));
            const Unblock unblock;
            iterate(*session, 3);
            countingControls().block_instance = 10;
            iterateUntilHangs(*session, kGroup3);
            iterate(*session, 30);
            Unblock::now();
            iterateUntilContinues(*session, kGroup3);
            iterate(*session, 10);
            expectNothingLost(*session);
        }
    }
}

// No thread is replaced here, because a supervised group is never abandoned.
TEST_F(AsyncSchedule, ASlowProcessDelaysOnlyItsOwnGroup) {
    const auto session = makeSession(hangConfig(
        {{"env", {{"id", "counting_supervised"}}}, {"run", {{"threads", 1}}}, {"actor", {{"threads", 0}}}}));
    const Unblock unblock;
    iterate(*session, 3);
    countingControls().block_instance = 10;
    while (countingControls().blocked == 0) iterate(*session, 1);
    iterate(*session, 10);
    EXPECT_EQ(countingControls().blocked, 1);
    EXPECT_EQ(notices_.size(), 0U);
    Unblock::now();
    iterate(*session, 10);
    expectNothingLost(*session);
}

TEST_F(AsyncSchedule, StopsWhileEveryEnvironmentBlocks) {
    const auto session = makeSession(config({{"actor", {{"groups", 1}, {"num_envs", 2}}}}));
    const Unblock unblock;
    iterate(*session, 2);
    countingControls().block_instance = 1;
    std::stop_source stop;
    std::jthread stopper([&] {
        while (countingControls().blocked == 0) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        stop.request_stop();
    });
    Result<IterationStats> stats = session->iterate(stop.get_token());
    while (stats) stats = session->iterate(stop.get_token());
    EXPECT_EQ(stats.error().code, ErrorCode::interrupted);
}

// An environment that never returns keeps its thread but does not prevent the process from exiting.
TEST_F(AsyncSchedule, StopsWithinItsTimeoutWhileAnEnvironmentHangs) {
    const auto session = makeSession(config());
    iterate(*session, 2);
    countingControls().block_instance = 1;
    while (countingControls().blocked == 0) iterate(*session, 1);
    EXPECT_FALSE(session->end(std::chrono::milliseconds(100)));
    Unblock::now();
    EXPECT_TRUE(session->end(std::chrono::seconds(60)));
}

TEST_F(AsyncSchedule, StopsImmediatelyIfNothingHangs) {
    for (const char* inference : {"inline", "central"}) {
        const auto session = makeSession(config({{"run", {{"inference", inference}}}}));
        iterate(*session, 2);
        EXPECT_TRUE(session->end(std::chrono::seconds(60)));
    }
}

// The archive contains the full and the open windows, so a restored session learns from exactly the next
// rows.
TEST_F(AsyncSchedule, ARestoredSessionContinuesAfterTheLastLearnedRow) {
    for (const char* inference : {"inline", "central"}) {
        SetUp();
        const TrainingConfig the_config = config({{"run", {{"inference", inference}}}});
        const auto session = makeSession(the_config);
        iterate(*session, 7);
        for (int round = 0; round < 20; ++round) {
            Archive saved = Archive::saving();
            ASSERT_TRUE(session->archive(saved).has_value());
            const auto next = countSeen().next;
            const auto rows = countSeen().rows;
            iterate(*session, 2);
            expectNothingLost(*session);
            const auto next_later = countSeen().next;
            const auto rows_later = countSeen().rows;

            const auto restored = makeSession(the_config);
            restored->learner().setParams(0, session->learner().params());
            Archive loaded = Archive::loading(saved.bytes());
            const auto put_back = restored->archive(loaded);
            ASSERT_TRUE(put_back.has_value()) << put_back.error().text();
            ASSERT_TRUE(loaded.finish().has_value());
            countSeen().next = next;
            countSeen().rows = rows;
            EXPECT_EQ(restored->progress().steps, rows);
            iterate(*restored, 3);
            expectNothingLost(*restored);
            countSeen().next = next_later;
            countSeen().rows = rows_later;
        }
    }
}

// Windows are saved separately: with them nothing is lost. Without them, as in a milestone, exactly the rows
// that were played but not learned from are skipped. This also holds if the session is saved again before the
// next window begins.
TEST_F(AsyncSchedule, ASessionRestoredWithoutOpenWindowsContinuesWithTheNextWholeWindow) {
    for (const char* inference : {"inline", "central"})
        for (const int open_windows : {2, 3}) {
            SCOPED_TRACE(std::string(inference) + ", " + std::to_string(open_windows));
            SetUp();
            const TrainingConfig the_config =
                config({{"run", {{"inference", inference}}}, {"actor", {{"open_windows", open_windows}}}});
            const auto session = makeSession(the_config);
            iterate(*session, 7);
            Archive state = Archive::saving(), windows = Archive::saving();
            ASSERT_TRUE(session->archive(state, &windows).has_value());
            EXPECT_FALSE(windows.bytes().empty());
            const auto next = countSeen().next;
            const auto steps = session->progress().steps;
            const auto restore = [&](const Archive& from, const Archive* open) {
                auto restored = makeSession(the_config);
                restored->learner().setParams(0, session->learner().params());
                Archive loaded = Archive::loading(from.bytes()),
                        loaded_open = Archive::loading(open ? open->bytes() : windows.bytes());
                const auto put_back = restored->archive(loaded, open ? &loaded_open : nullptr);
                EXPECT_TRUE(put_back.has_value()) << put_back.error().text();
                EXPECT_TRUE(loaded.finish().has_value());
                if (open) EXPECT_TRUE(loaded_open.finish().has_value());
                EXPECT_EQ(restored->progress().steps, steps);
                countSeen().next = next;
                countSeen().rows = steps;
                return restored;
            };
            {
                const auto restored = restore(state, &windows);
                iterate(*restored, 5);
                expectNothingLost(*restored);
            }
            Archive again = Archive::saving(), again_open = Archive::saving();
            {
                const auto restored = restore(state, nullptr);
                ASSERT_TRUE(restored->archive(again, &again_open).has_value());
                // Each environment may skip steps once; afterwards no step is missing, and none ever arrives
                // twice.
                for (int env = 0; env < the_config.actor.num_envs; ++env) countSeen().may_skip.insert(env);
                iterate(*restored, 9);
                expectNothingLost(*restored);
                EXPECT_GT(restored->progress().steps, steps);
            }
            const auto restored = restore(again, &again_open);
            for (int env = 0; env < the_config.actor.num_envs; ++env) countSeen().may_skip.insert(env);
            iterate(*restored, 9);
            expectNothingLost(*restored);
        }
}

// The only actor hangs in the first window of group 3, after group 0 has delivered one. The session is no
// longer called, as if the learner were busy: another actor still takes over the other groups.
TEST_F(AsyncSchedule, AGroupHangingWhileTheLearnerIsBusyIsReported) {
    std::atomic<int> of_group_3{0}, of_group_0{0};
    countingControls().in_step = [&](int instance) {
        if (instance == 10 && ++of_group_3 == 10) countingControls().block_instance = 10;
        if (instance == 0) ++of_group_0;
    };
    const auto session =
        makeSession(hangConfig({{"actor", {{"threads", 1}}}, {"learner", {{"columns", 3}}}}));
    {
        const Unblock unblock;
        iterate(*session, 1);
        const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (countingControls().blocked == 0 && std::chrono::steady_clock::now() < patience)
            std::this_thread::yield();
        ASSERT_EQ(countingControls().blocked, 1);
        const int before = of_group_0;
        while (of_group_0 == before && std::chrono::steady_clock::now() < patience)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        EXPECT_GT(of_group_0, before);
        iterateUntilHangs(*session, kGroup3);
    }
    iterateUntilContinues(*session, kGroup3);
    iterate(*session, 10);
    expectNothingLost(*session);
}

TEST_F(AsyncSchedule, AHangingGroupIsSavedWithoutItsEnvironmentsWhichRestartWhenLoaded) {
    const TrainingConfig the_config = hangConfig();
    auto session = makeSession(the_config);
    Archive saved = Archive::saving();
    {
        const Unblock unblock;
        iterate(*session, 3);
        countingControls().block_instance = 10;
        while (countingControls().blocked == 0) iterate(*session, 1);
        ASSERT_TRUE(session->archive(saved).has_value());
        expectNothingLost(*session);
    }
    iterate(*session, 5);
    expectNothingLost(*session);

    restoreAndContinue(the_config, std::move(session), saved);
}

TEST_F(AsyncSchedule, AGroupHangingInARestartIsReportedAndDoesNotDelaySaving) {
    const TrainingConfig the_config = hangConfig();
    // Called just before the environment throws; the next reset is that of the restart.
    countingControls().throw_instance = 3;
    countingControls().in_step = [](int instance) {
        if (instance == 3 && countingControls().throws > 0) countingControls().block_reset = 3;
    };
    auto session = makeSession(the_config);
    Archive saved = Archive::saving();
    {
        const Unblock unblock;
        iterate(*session, 3);
        countingControls().throws = 1;
        iterateUntilHangs(*session, kGroup1);
        // The group is already marked as hung, so saving does not wait two seconds (kStillness) for it. The
        // fastest of several attempts counts, because a busy machine may be slow in some of them.
        double shortest_s = 1e9;
        for (int attempt = 0; attempt < 10 && shortest_s > 1.9; ++attempt) {
            saved = Archive::saving();
            const std::int64_t begin_ns = RealClock().monotonicNs();
            ASSERT_TRUE(session->archive(saved).has_value());
            shortest_s = static_cast<double>(RealClock().monotonicNs() - begin_ns) * 1e-9;
        }
        EXPECT_LT(shortest_s, 1.9);
    }
    iterateUntil(*session, "was restarted (1 of");
    iterate(*session, 5);
    expectNothingLost(*session);

    restoreAndContinue(the_config, std::move(session), saved);
}

TEST_F(AsyncSchedule, AGroupHangingInAResetIsSavedAndTheSessionContinues) {
    const TrainingConfig the_config = hangConfig();
    auto session = makeSession(the_config);
    Archive saved = Archive::saving();
    {
        const Unblock unblock;
        iterate(*session, 3);
        countingControls().block_reset = 10;
        iterateUntilHangs(*session, kGroup3);
        const auto result = session->archive(saved);
        ASSERT_TRUE(result.has_value()) << result.error().text();
        iterate(*session, 5);
    }
    iterateUntilContinues(*session, kGroup3);
    iterate(*session, 5);
    expectNothingLost(*session);
    restoreAndContinue(the_config, std::move(session), saved);
}

TEST_F(AsyncSchedule, AFailingResetIsRetriedUpToTheRestartLimit) {
    countingControls().throw_instance = 3;
    std::atomic<int> fail_resets{2};
    countingControls().in_step = [&](int instance) {
        if (instance == 3 && countingControls().throws > 0)
            countingControls().reset_throws = fail_resets.load();
    };
    const auto session = makeSession(config({{"actor", {{"restarts", 5}}}}));
    iterate(*session, 3);
    countingControls().throws = 1;
    iterateUntil(*session, "was restarted (3 of 5)");
    iterate(*session, 5);
    expectNothingLost(*session);

    fail_resets = 1'000'000;
    countingControls().throws = 1;
    Result<IterationStats> stats = session->iterate();
    while (stats) stats = session->iterate();
    EXPECT_NE(stats.error().text().find("restarting group 1 (environments 3 to 5)"), std::string::npos)
        << stats.error().text();
    EXPECT_NE(stats.error().text().find("5 times before"), std::string::npos) << stats.error().text();
}

TEST_F(AsyncSchedule, ConsecutiveHangsLeaveTheSessionIntact) {
    const auto session = makeSession(hangConfig());
    for (int round = 0; round < 6; ++round) {
        const std::string group = round < 3 ? "group 0 (environments 0 to 2)" : kGroup1;
        {
            const Unblock unblock;
            countingControls().block_instance = round;
            iterateUntilHangs(*session, group);
        }
        iterateUntilContinues(*session, group);
    }
    iterate(*session, 5);
    expectNothingLost(*session);
}

TEST_F(AsyncSchedule, EvaluationsRunConcurrentlyWithActors) {
    const auto session =
        makeSession(smallConfig("cartpole", {{"run", {{"schedule", "async"}, {"inference", "central"}}}}));
    for (int i = 0; i < 5; ++i) {
        ASSERT_TRUE(session->iterate().has_value());
        const auto result = session->evaluate(5, Selection::greedy, 3, {});
        ASSERT_TRUE(result.has_value()) << result.error().text();
        EXPECT_EQ(result->episodes.size(), 5u);
    }
}

TEST_F(AsyncSchedule, RowsOlderThanTheLimitAreMaskedButCounted) {
    // The limit is added to the forced lag: with a forced lag of 3 and a limit of 0, rows that waited for the
    // learner are too old.
    const auto session = makeSession(config({{"run", {{"forced_lag", 3}}},
                                             {"learner", {{"max_policy_lag", 0}}},
                                             {"actor", {{"open_windows", 4}}}}));
    double masked = 0, lag = 0;
    std::uint64_t decisions = 0;
    for (int i = 0; i < 60; ++i) {
        const auto stats = session->iterate();
        ASSERT_TRUE(stats.has_value());
        masked += metricOf(*stats, "async/masked_rows");
        lag = std::max(lag, metricOf(*stats, "policy/lag_max"));
        decisions += stats->decisions;
    }
    EXPECT_GT(lag, 3);
    EXPECT_GT(masked, 0);
    EXPECT_EQ(session->progress().steps, decisions);
    // Masked rows never reached the probe as valid.
    EXPECT_EQ(countSeen().rows + static_cast<std::uint64_t>(masked), decisions);
}

TEST_F(AsyncSchedule, SmallUpdatesTakeTheConfiguredNumberOfColumns) {
    const auto session = makeSession(config({{"learner", {{"columns", 3}}}}));
    for (int i = 0; i < 40; ++i) {
        const auto stats = session->iterate();
        ASSERT_TRUE(stats.has_value());
        EXPECT_LE(stats->decisions, 3u * 64);
    }
    expectNothingLost(*session);
}

TEST_F(AsyncSchedule, PartsOfTheTimingTreeAddUpToTheTimeOfTheThreads) {
    for (const char* inference : {"inline", "central"}) {
        SetUp();
        const auto session =
            makeSession(config({{"run", {{"inference", inference}}}, {"env", {{"busy_us", 20}}}}));
        iterate(*session, 3);
        TimingTree times;
        // A phase in progress at the end of an update is charged to the next one: at most one per thread over
        // the whole measurement. On a busy machine a phase may take a long time, so the measurement is
        // repeated for longer times.
        double largest_error = 1;
        for (int round = 0; round < 50 && largest_error > 0.05; ++round) {
            for (int i = 0; i < 60; ++i) {
                const auto stats = session->iterate();
                ASSERT_TRUE(stats.has_value());
                times.add(stats->times);
            }
            largest_error = test::largestTimingError(times);
        }
        EXPECT_LE(largest_error, 0.05) << inference;
        ASSERT_EQ(times.roles.size(), std::string(inference) == "central" ? 3u : 2u);
        EXPECT_FALSE(times.bottleneck().empty());
    }
}

TEST(AsyncSettings, InvalidCombinationsAreRejectedWithTheSettingsName) {
    for (const auto& [changes, name] : std::vector<std::pair<Json, std::string>>{
             {{{"actor", {{"num_envs", 4}, {"groups", 5}}}}, "actor.groups"},
             {{{"actor", {{"threads", 2}}}}, "actor.threads"},
             {{{"learner", {{"columns", 2}}}}, "learner.columns"},
             {{{"infer", {{"devices", "cpu"}}}}, "infer.devices"},
             {{{"run", {{"inference", "central"}}}, {"infer", {{"devices", "cpu,tpu:1"}}}}, "tpu:1"}}) {
        const auto plan = Session::plan(smallConfig("cartpole", changes));
        ASSERT_FALSE(plan.has_value()) << changes.dump();
        EXPECT_TRUE(plan.error().code == ErrorCode::config || plan.error().code == ErrorCode::device);
        EXPECT_NE(plan.error().message.find(name), std::string::npos) << plan.error().message;
    }
    for (const auto& [changes, name] : std::vector<std::pair<Json, std::string>>{
             {{{"infer", {{"deadline_ms", -2}}}}, "infer.deadline_ms"},
             {{{"run", {{"schedule", "asink"}}}}, "run.schedule"},
             {{{"learner", {{"max_policy_lag", -1}}}}, "learner.max_policy_lag"},
             {{{"actor", {{"open_windows", 1}}}}, "actor.open_windows"},
             {{{"run", {{"forced_lag", -1}}}}, "run.forced_lag"}}) {
        Json document{{"env", {{"id", "cartpole"}}}};
        document.merge_patch(changes);
        const auto config = parseTrainingConfig(document);
        ASSERT_FALSE(config.has_value()) << changes.dump();
        EXPECT_EQ(config.error().code, ErrorCode::config);
        EXPECT_NE(config.error().message.find(name), std::string::npos) << config.error().message;
    }
}

TEST(AsyncSettings, AStateOfTheOtherScheduleIsRejected) {
    const auto sync = makeSession(smallConfig("cartpole"));
    Archive saved = Archive::saving();
    ASSERT_TRUE(sync->archive(saved).has_value());
    const auto async = makeSession(smallConfig("cartpole", {{"run", {{"schedule", "async"}}}}));
    Archive loaded = Archive::loading(saved.bytes());
    const auto restored = async->archive(loaded);
    ASSERT_FALSE(restored.has_value());
    EXPECT_NE(restored.error().message.find("run.schedule"), std::string::npos);
}

}  // namespace
}  // namespace seedbed
