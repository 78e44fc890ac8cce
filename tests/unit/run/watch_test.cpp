// SPDX-License-Identifier: Apache-2.0
// Runs on machines that sleep, whose clocks jump, or whose disks fill up or fail.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/checkpoint/checkpoint.hpp"
#include "core/checkpoint/checkpoint_store.hpp"
#include "core/control/control_client.hpp"
#include "core/control/protocol.hpp"
#include "core/env/env_registry.hpp"
#include "core/run/awake.hpp"
#include "core/run/run.hpp"
#include "core/run/run_clock.hpp"
#include "core/run/run_control.hpp"
#include "core/run/saving/catch_up.hpp"
#include "core/store/check_database.hpp"
#include "core/store/database.hpp"
#include "core/store/store_reader.hpp"
#include "tests/unit/base/failing_files.hpp"
#include "tests/unit/base/own_time.hpp"
#include "tests/unit/base/time_limit.hpp"
#include "tests/unit/run/watch_fixture.hpp"

namespace seedbed {
namespace {

using test::smallConfig;
using testing::Browser;
using testing::FailingFiles;
using testing::HookedFiles;
using testing::kTrainingWaits;
using testing::MoodyEnv;
using testing::Quiet;
using testing::Watch;

constexpr std::int64_t kSecond = 1'000'000'000, kYear = 365 * 86400 * kSecond;

TEST(RunClock, SuspendAndClockChangesNeverReverseTimeOrDurations) {
    ManualClock clock;
    RunClock time(clock);
    const double now = time.now();
    double row = time.rowTime();
    for (int cycle = 0; cycle < 200; ++cycle) {
        clock.advance(kSecond);
        clock.sleepMachine((1 + cycle * 3) * kSecond);
        clock.jumpWall(cycle % 2 == 0 ? 10 * kYear : -10 * kYear);
        EXPECT_GT(time.rowTime(), row);
        row = time.rowTime();
    }
    EXPECT_NEAR(time.now() - now, 200, 1e-6) << "sleep does not count as training";
    // Sleep is reported once in total, clock jumps are reported, and no other notice appears.
    EXPECT_NEAR(time.slept().value_or(0), 200 + 3 * 199 * 200 / 2.0, 1e-3);
    EXPECT_FALSE(time.slept().has_value());
    clock.sleepMachine(4 * kSecond);
    EXPECT_FALSE(time.slept().has_value()) << "too short to detect";
    (void)time.jumped();
    clock.jumpWall(3600 * kSecond);
    EXPECT_NEAR(time.jumped().value_or(0), 3600, 1e-3);
    EXPECT_FALSE(time.jumped().has_value());
}

TEST(RunState, OnlyAllowedTransitionsHappen) {
    using S = RunStatus;
    const std::vector<std::pair<S, S>> allowed{
        {S::queued, S::starting},   {S::interrupted, S::starting}, {S::finished, S::starting},
        {S::failed, S::starting},   {S::starting, S::running},     {S::running, S::paused},
        {S::paused, S::running},    {S::running, S::stopping},     {S::paused, S::stopping},
        {S::starting, S::stopping}, {S::stopping, S::interrupted}, {S::stopping, S::finished},
        {S::running, S::finished},  {S::running, S::interrupted},  {S::paused, S::interrupted},
        {S::paused, S::finished},   {S::starting, S::failed},      {S::running, S::failed},
        {S::paused, S::failed},     {S::stopping, S::failed}};
    for (int a = 0; a <= static_cast<int>(S::interrupted); ++a)
        for (int b = 0; b <= static_cast<int>(S::interrupted); ++b) {
            const auto before = static_cast<S>(a), after = static_cast<S>(b);
            const bool may = before == after || std::find(allowed.begin(), allowed.end(),
                                                          std::pair(before, after)) != allowed.end();
            EXPECT_EQ(mayFollow(before, after), may) << nameOf(before) << " -> " << nameOf(after);
        }
}

TEST(Awake, TheRunIsKilledBeforeTheWindowUnderMemoryPressure) {
    ASSERT_TRUE(raiseOomScore(100));
    ASSERT_TRUE(raiseOomScore(50)) << "the score is never lowered";
}

TEST_F(Watch, TheRunReportsItsPhaseToClients) {
    using P = RunPhase;
    MoodyEnv::steps_ = 0;
    const auto config =
        smallConfig("moody_test", {{"env", {{"bad_from", 1000000}, {"bad_to", 1000001}}},
                                   {"run", {{"steps", 400}, {"threads", 1}}},
                                   {"eval", {{"every_steps", 200}, {"episodes", 2}, {"final_episodes", 2}}}});
    std::map<RunPhase, std::string> received;
    const auto ask = [&](Quiet& observer) {
        return [&](const ProgressReport& p) {
            auto client = ControlClient::connect(controlSocket(folder_, observer.id));
            ASSERT_TRUE(client.has_value()) << client.error().text();
            auto status = client->ask("status");
            ASSERT_TRUE(status.has_value()) << status.error().text();
            received[p.phase] = status->at("status").value("phase", "");
        };
    };
    // Fast phases: collecting and learning are reported as one phase.
    ManualClock clock;
    Quiet quick;
    quick.on_phase = ask(quick);
    auto outcome = train(config, quick, files_, clock);
    ASSERT_TRUE(outcome.has_value()) << outcome.error().text();
    EXPECT_EQ(quick.phases, (std::vector<P>{P::saving, P::training, P::evaluating, P::training, P::evaluating,
                                            P::training, P::saving}));
    for (const auto& [phase, text] : received) EXPECT_EQ(text, nameOf(phase));
    // Slow phases are reported separately, starting with the second update.
    MoodyEnv::on_step_ = [&clock] { clock.advance(kSecond / 10); };
    Quiet slow;
    outcome = train(config, slow, files_, clock);
    MoodyEnv::on_step_ = nullptr;
    ASSERT_TRUE(outcome.has_value()) << outcome.error().text();
    const std::vector<P> begin(slow.phases.begin(), slow.phases.begin() + 6);
    EXPECT_EQ(begin, (std::vector<P>{P::saving, P::training, P::collecting, P::learning, P::collecting,
                                     P::learning}));
    EXPECT_EQ(slow.phases.back(), P::saving);
    // The same with a stop request.
    Quiet stopped;
    stopped.on_progress = [&](const ProgressReport&) { stopped.stop.request_stop(); };
    ASSERT_TRUE(train(config, stopped, files_, clock).has_value());
    EXPECT_EQ(stopped.phases.back(), P::stopping);
}

TEST_F(Watch, SuspendAndClockChangesAreReportedWithoutEffect) {
    ManualClock clock;
    Quiet observer;
    observer.on_progress = [&](const ProgressReport& p) {
        clock.advance(kSecond / 10);
        if (p.updates == 5) clock.sleepMachine(7200 * kSecond);
        if (p.updates == 8) clock.jumpWall(-10 * kYear);
    };
    const auto outcome =
        train(smallConfig("cartpole", {{"run", {{"steps", 2000}}}, {"eval", {{"final_episodes", 0}}}}),
              observer, files_, clock);
    ASSERT_TRUE(outcome.has_value()) << outcome.error().text();
    EXPECT_TRUE(observer.said("slept for 2 h"));
    const RunDetails run = details(observer.id);
    const auto all = kinds(run);
    EXPECT_EQ(std::count(all.begin(), all.end(), "slept"), 1);
    EXPECT_EQ(std::count(all.begin(), all.end(), "clock"), 1);
    EXPECT_LT(run.run.progress.train_seconds, 60) << "sleep does not count as training";
    auto reader = StoreReader::open(folder_);
    const MetricCurve curve = *reader->metric(observer.id, "loss/value");
    EXPECT_TRUE(std::is_sorted(curve.times.begin(), curve.times.end()));
}

TEST_F(Watch, LowDiskSpaceIsReportedOnceBeforeACheckpointFails) {
    FailingFiles files;
    files.free_bytes = std::uint64_t{1} << 40;
    Quiet observer;
    observer.on_progress = [&](const ProgressReport& p) {
        if (p.updates == 10) files.free_bytes = 2 << 20;
        usleep(20'000);
    };
    const auto outcome = train(smallConfig("cartpole", {{"run", {{"steps", 4000}}},
                                                        {"checkpoint", {{"every_s", 0.1}}},
                                                        {"eval", {{"final_episodes", 0}}}}),
                               observer, files, clock_);
    ASSERT_TRUE(outcome.has_value()) << outcome.error().text();
    EXPECT_EQ(
        std::count_if(observer.messages.begin(), observer.messages.end(),
                      [](const std::string& text) { return text.find("nearly full") != std::string::npos; }),
        1);
    EXPECT_FALSE(observer.said("could not be saved"));
}

TEST_F(Watch, FailingCheckpointsAreReportedOnceAndRetried) {
    FailingFiles files;
    Quiet observer;
    observer.on_progress = [&](const ProgressReport& p) {
        if (p.updates == 5) files.failAt(1, true);
        if (p.updates == 60) files.failAt(0, false);
        usleep(20'000);
        if (p.updates > 61 && observer.said("saved again")) observer.stop.request_stop();
    };
    const auto outcome = train(smallConfig("cartpole", {{"run", {{"steps", 100000}}},
                                                        {"checkpoint", {{"every_s", 0.1}}},
                                                        {"eval", {{"final_episodes", 0}}}}),
                               observer, files, clock_);
    ASSERT_TRUE(outcome.has_value()) << outcome.error().text();
    EXPECT_EQ(std::count_if(observer.messages.begin(), observer.messages.end(),
                            [](const std::string& text) {
                                return text.find("could not be saved") != std::string::npos;
                            }),
              1);
    EXPECT_TRUE(observer.said("checkpoints are saved again"));
    const auto newest = CheckpointStore(files_, folder_, observer.id).load();
    ASSERT_TRUE(newest.has_value());
    EXPECT_EQ(newest->info.params_sha256, outcome->params_sha256);
}

// An update has about 90 steps. While one checkpoint is being written and the best state is queued, a
// milestone becomes due at step 5,000.
TEST_F(Watch, AMilestoneThatIsDueWhileAnotherStateIsQueuedIsSavedLater) {
    MoodyEnv::steps_ = 0;
    const auto config = smallConfig(
        "moody_test", {{"run", {{"steps", 1000000}, {"threads", 1}}},
                       {"checkpoint", {{"milestone_steps", 5000}}},
                       {"eval", {{"every_steps", 4300}, {"episodes", 1}, {"final_episodes", 0}}}});
    std::atomic<bool> held{false};
    HookedFiles files;
    files.before_make_folder = [&](const Path&) {
        while (held) usleep(1000);
    };
    Quiet observer;
    std::int64_t milestone = 0, released = 0;
    observer.on_progress = [&](const ProgressReport& p) {
        if (p.updates == 40) {
            held = true;
            auto client = ControlClient::connect(controlSocket(folder_, observer.id));
            ASSERT_TRUE(client.has_value()) << client.error().text();
            ASSERT_TRUE(client->ask("checkpoint"));
        }
        if (p.updates < 70) return;
        if (released == 0) released = static_cast<std::int64_t>(p.steps);
        held = false;
        usleep(200'000);  // 39 updates follow at most, which give a slow disk time
        const auto rows = *StoreReader::open(folder_)->checkpoints(observer.id);
        for (const CheckpointRecord& row : rows)
            if (row.milestone) milestone = row.step;
        if (milestone > 0 || p.steps > 9800) observer.stop.request_stop();
    };
    const auto outcome = train(config, observer, files, clock_);
    ASSERT_TRUE(outcome.has_value()) << outcome.error().text();
    EXPECT_GT(released, 5500);
    EXPECT_GT(milestone, released);
    EXPECT_LT(milestone, 9800);
    const auto all = kinds(details(observer.id));
    EXPECT_EQ(std::count(all.begin(), all.end(), "milestone"), 0);
}

TEST_F(Watch, WhenTheRowQueueIsFullTrainingWaitsReportsAndAppliesRequests) {
    const auto config = smallConfig(
        "cartpole", {{"run", {{"steps", 1000000}, {"threads", 1}}}, {"eval", {{"final_episodes", 0}}}});
    const auto file = folder_ / "seedbed.db", away = folder_ / "away.db";
    Quiet observer;
    bool asked = false;
    std::uint64_t waiting_at = 0, waited = 0;
    observer.on_progress = [&](const ProgressReport& p) {
        if (p.updates == 3 && !std::filesystem::exists(away) && !asked) std::filesystem::rename(file, away);
        if (observer.said("training continues") && waited > 0 && p.updates > waiting_at + 3)
            observer.stop.request_stop();
        if (!observer.said("training waits until the rows of this run can be saved")) return;
        if (waiting_at == 0) waiting_at = p.updates;
        if (p.updates == waiting_at) ++waited;
        if (asked) return;
        // Training is paused, and requests are answered.
        auto client = ControlClient::connect(controlSocket(folder_, observer.id));
        ASSERT_TRUE(client.has_value()) << client.error().text();
        ASSERT_TRUE(client->ask("set", {{"settings", {{"eval.episodes", 7}}}}));
        asked = true;
        std::filesystem::rename(away, file);
    };
    const auto outcome = trainRun({.config = config,
                                   .name = "",
                                   .preset = "",
                                   .data_folder = folder_,
                                   .init_from = "",
                                   .row_queue_bytes = 100'000},
                                  observer, observer.stop.get_token(), files_, clock_);
    ASSERT_TRUE(outcome.has_value()) << outcome.error().text();
    EXPECT_TRUE(asked);
    EXPECT_GT(waited, 0u);
    const RunDetails run = details(observer.id);
    EXPECT_EQ(run.run.status, RunStatus::interrupted);
    EXPECT_EQ(run.config["eval"]["episodes"], 7);
    // Nothing was dropped: one point for each update.
    auto reader = StoreReader::open(folder_);
    EXPECT_EQ(reader->metric(observer.id, "loss/value")->steps.size(),
              static_cast<std::size_t>(run.run.progress.updates));
}

// Ctrl-C while the database is locked and no more rows fit into memory.
TEST_F(Watch, AStopWhileTheRowQueueIsFullSavesWeightsAndRows) {
    const auto config = smallConfig(
        "cartpole", {{"run", {{"steps", 1000000}, {"threads", 1}}}, {"eval", {{"final_episodes", 0}}}});
    Quiet observer;
    Browser browser;
    std::optional<test::OwnTime> asked;
    std::uint64_t updates = 0;
    observer.on_progress = [&](const ProgressReport& p) {
        if (p.updates == 3 && !browser.hasLocked()) browser.lock(folder_);
        updates = p.updates;
    };
    observer.on_message = [&](const std::string& text) {
        if (text.find(kTrainingWaits) == std::string::npos) return;
        asked.emplace();
        observer.stop.request_stop();
    };
    const auto outcome = trainRun({.config = config,
                                   .name = "",
                                   .preset = "",
                                   .data_folder = folder_,
                                   .init_from = "",
                                   .row_queue_bytes = 100'000},
                                  observer, observer.stop.get_token(), files_, clock_);
    ASSERT_FALSE(outcome.has_value());
    EXPECT_NE(outcome.error().text().find("the weights of run 1 are saved"), std::string::npos)
        << outcome.error().text();
    EXPECT_TRUE(observer.said(kTrainingWaits));
    EXPECT_FALSE(observer.said("training continues"));
    EXPECT_LT(asked->seconds(), test::measuredLimit(2));
    browser.unlock();
    ASSERT_TRUE(catchUpRun(System{&files_, &clock_}, folder_, observer.id));
    const auto newest = CheckpointStore(files_, folder_, observer.id).load();
    ASSERT_TRUE(newest.has_value()) << newest.error().text();
    EXPECT_EQ(static_cast<std::uint64_t>(newest->info.updates), updates);
    auto reader = StoreReader::open(folder_);
    EXPECT_EQ(reader->metric(observer.id, "loss/value")->steps.size(), updates);
    EXPECT_EQ(details(observer.id).run.status, RunStatus::interrupted);
}

TEST_F(Watch, ACheckpointRequestedInAPauseIsRetriedAndReported) {
    FailingFiles files;
    Quiet observer;
    std::jthread user;
    bool told = false, saved = false;
    std::string events;
    observer.on_progress = [&](const ProgressReport& p) {
        if (p.updates != 5 || user.joinable()) return;
        user = std::jthread([&, id = observer.id] {
            auto client = ControlClient::connect(controlSocket(folder_, id));
            ASSERT_TRUE(client.has_value()) << client.error().text();
            const auto until = [&](auto&& check) {
                for (int i = 0; i < 6000 && !check(); ++i) usleep(10'000);
                return check();
            };
            const auto saying = [&](const std::string& part) {
                auto reader = StoreReader::open(folder_);
                const auto events = reader->events(id);
                return std::any_of(events->begin(), events->end(),
                                   [&](const auto& e) { return e.text.find(part) != std::string::npos; });
            };
            (void)client->ask("pause");
            until([&] { return saying("paused"); });
            files.failAt(1, true);
            (void)client->ask("checkpoint");
            told = until([&] { return saying("could not be saved"); });
            files.failAt(0, false);
            saved = until([&] { return saying("saved again"); });
            auto reader = StoreReader::open(folder_);
            const auto recorded = reader->events(id);
            for (const auto& event : *recorded) events += event.text + "\n";
            (void)client->ask("stop");
        });
    };
    const auto outcome =
        train(smallConfig("cartpole", {{"run", {{"steps", 10000000}}}, {"eval", {{"final_episodes", 0}}}}),
              observer, files, clock_);
    user.join();
    ASSERT_TRUE(outcome.has_value()) << outcome.error().text();
    EXPECT_TRUE(told) << events;
    EXPECT_TRUE(saved) << events;
}

// The thread of the store reports until it exits, even after other parts of the run were destroyed.
TEST_F(Watch, LastRowsMayBeSavedDuringShutdown) {
    const auto file = folder_ / "seedbed.db", away = folder_ / "away.db";
    Quiet observer;
    std::jthread healing;
    observer.on_progress = [&](const ProgressReport& p) {
        if (p.updates != 4 || healing.joinable()) return;
        std::filesystem::rename(file, away);
        observer.stop.request_stop();
        // The database is available again long before the end of kStopTime.
        healing = std::jthread([&] {
            usleep(200'000);
            std::filesystem::rename(away, file);
        });
    };
    const auto outcome =
        train(smallConfig("cartpole", {{"run", {{"steps", 1000000}}}, {"eval", {{"final_episodes", 0}}}}),
              observer, files_, clock_);
    EXPECT_TRUE(outcome.has_value()) << "the rows are saved when the database is back";
    healing.join();
    EXPECT_TRUE(checkDatabase(folder_)->problems.empty());
}

}  // namespace
}  // namespace seedbed
