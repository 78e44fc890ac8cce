// SPDX-License-Identifier: Apache-2.0
// Runs whose environments fail or hang in training, evaluation and rollback, and runs that are stopped during
// long updates or on a full disk: they end in time, save as much as possible and report it.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <thread>

#include <gtest/gtest.h>

#include "core/checkpoint/checkpoint_store.hpp"
#include "core/run/run.hpp"
#include "core/store/store_reader.hpp"
#include "tests/unit/base/failing_files.hpp"
#include "tests/unit/base/impatient_clock.hpp"
#include "tests/unit/base/own_time.hpp"
#include "tests/unit/base/temporary_folder.hpp"
#include "tests/unit/base/time_limit.hpp"
#include "tests/unit/session/configs.hpp"
#include "tests/unit/session/troubled_env.hpp"

namespace seedbed {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using test::smallConfig;
using test::Troubles;

class Observer final : public RunObserver {
public:
    void started(std::int64_t, const SessionPlan&) override {}
    void progress(const ProgressReport& p) override {
        if (on_progress) on_progress(p);
    }
    void phase(const ProgressReport& p) override {
        if (on_phase) on_phase(p);
    }
    void evaluated(std::uint64_t, const EvaluationResult&) override { ++evaluations; }
    void message(const std::string& text) override {
        messages += text + "\n";
        if (on_message) on_message(text);
    }

    std::function<void(const ProgressReport&)> on_progress, on_phase;
    std::function<void(const std::string&)> on_message;
    std::string messages;
    int evaluations = 0;
    std::stop_source stop;
};

// Six environments train; those of evaluations are created later. A step of environments that do not hang
// never reaches the limit.
TrainingConfig troubled(const Json& changes = Json::object()) {
    Json all{{"run", {{"steps", 3000}, {"keep_awake", false}}},
             {"actor", {{"stall_s", 60}}},
             {"eval", {{"every_steps", 96}, {"episodes", 4}, {"final_episodes", 4}}}};
    all.merge_patch(changes);
    return smallConfig("troubled", all);
}

class RunBounds : public ::testing::Test {
protected:
    std::filesystem::path folder() const { return temporary_.path() / "data"; }
    Result<RunOutcome> train(const TrainingConfig& config, Observer& observer) {
        return trainRun({config, "", "", folder(), ""}, observer, observer.stop.get_token(), files_, clock_);
    }
    Result<RunOutcome> resume(Observer& observer,
                              const std::vector<std::pair<std::string, std::string>>& settings = {}) {
        return resumeRun({1, folder(), {}, "", settings}, observer, observer.stop.get_token(), files_,
                         clock_);
    }
    RunDetails details() {
        auto reader = StoreReader::open(folder());
        EXPECT_TRUE(reader.has_value());
        return *reader->details(1);
    }
    std::vector<EventRecord> events(const std::string& kind) {
        std::vector<EventRecord> found;
        for (const EventRecord& event : details().events)
            if (event.kind == kind) found.push_back(event);
        return found;
    }
    // From now on this environment does not return.
    void hang(int instance) {
        troubles_->hangs_to = instance + 1;
        troubles_->hangs_from = instance;
    }
    // Environment 2 hangs after five updates, and then the user stops the run. Sets `seconds` to the time
    // until it ends.
    Result<RunOutcome> stopWhileOneHangs(Json changes, double& seconds) {
        changes.merge_patch(
            {{"actor", {{"stall_s", 6000}}}, {"eval", {{"every_steps", 10000000}, {"final_episodes", 0}}}});
        Observer observer;
        observer.on_progress = [&](const ProgressReport& p) {
            if (p.updates == 5) hang(2);
        };
        std::optional<test::OwnTime> asked;
        std::jthread user([&](const std::stop_token& end) {
            while (troubles_->hanging == 0 && !end.stop_requested())
                std::this_thread::sleep_for(milliseconds(1));
            asked.emplace();
            observer.stop.request_stop();
        });
        auto outcome = train(troubled(changes), observer);
        user.request_stop();
        user.join();
        seconds = asked->seconds();
        return outcome;
    }
    static double secondsSince(steady_clock::time_point begin) {
        return std::chrono::duration<double>(steady_clock::now() - begin).count();
    }

    testing::FailingFiles files_;
    RealClock clock_;
    testing::TemporaryFolder temporary_;
    Troubles troubles_;
};

TEST_F(RunBounds, EvaluationsThatFailAreEventsComeLessOftenAndHeal) {
    troubles_->throws_from = 6;
    troubles_->throws_to = Troubles::kNever;
    Observer observer;
    observer.on_progress = [&](const ProgressReport& p) {
        if (p.steps >= 2400) troubles_->throws_from = Troubles::kNever;
    };
    const auto outcome = train(troubled(), observer);
    ASSERT_TRUE(outcome.has_value()) << outcome.error().text();
    const auto failed = events("evaluation");
    ASSERT_GE(failed.size(), 3u);
    EXPECT_LE(failed.size(), 8u) << "31 evaluations are due, but most are skipped";
    EXPECT_NE(failed.front().text.find("the environment failed on request"), std::string::npos)
        << failed.front().text;
    EXPECT_NE(failed[1].text.find("in a row failed"), std::string::npos) << failed[1].text;
    EXPECT_GE(observer.evaluations, 1) << "the last evaluation succeeds";
    EXPECT_EQ(details().run.status, RunStatus::finished);
}

TEST_F(RunBounds, EvaluationsThatHangAreLeftBehind) {
    troubles_->hangs_from = 6;
    troubles_->hangs_to = Troubles::kNever;
    Observer observer;
    const auto begin = steady_clock::now();
    const auto outcome = train(troubled({{"run", {{"steps", 400}}}, {"actor", {{"stall_s", 1}}}}), observer);
    ASSERT_TRUE(outcome.has_value()) << outcome.error().text();
    EXPECT_GE(troubles_->hanging, 2);
    EXPECT_NE(observer.messages.find("did not return for 1 s"), std::string::npos) << observer.messages;
    EXPECT_LT(secondsSince(begin), test::measuredLimit(20));
}

TEST_F(RunBounds, AnIncompleteEvaluationDecidesNothing) {
    // Two of four evaluation environments never end their episodes; the others reach the target.
    troubles_->endless_from = 8;
    Observer observer;
    const auto outcome =
        train(troubled({{"run", {{"target_return", 5}}}, {"eval", {{"max_steps", 200}}}}), observer);
    ASSERT_TRUE(outcome.has_value()) << outcome.error().text();
    EXPECT_FALSE(outcome->target_reached);
    const auto cut = events("evaluation");
    ASSERT_FALSE(cut.empty());
    EXPECT_LE(cut.size(), 8u) << "31 evaluations are due, but most are skipped";
    EXPECT_NE(cut[0].text.find("were cut short after 200 decisions (eval.max_steps)"), std::string::npos)
        << cut[0].text;
    EXPECT_NE(cut[0].text.find("2 of 4 episodes with a mean return of 10"), std::string::npos) << cut[0].text;
    for (const CheckpointRecord& checkpoint : details().checkpoints) EXPECT_FALSE(checkpoint.best);
    EXPECT_TRUE(details().evaluations.empty());
    EXPECT_EQ(details().run.return_source, "training");
    EXPECT_EQ(observer.evaluations, 0);
}

TEST_F(RunBounds, AnEarlierScoreIsNotThatOfAFinalEvaluationThatIsIncomplete) {
    Observer observer;
    observer.on_progress = [&](const ProgressReport& p) {
        if (p.steps >= 300) troubles_->endless_from = 0;
    };
    const auto outcome =
        train(troubled({{"run", {{"steps", 400}}}, {"eval", {{"max_steps", 200}}}}), observer);
    ASSERT_TRUE(outcome.has_value()) << outcome.error().text();
    EXPECT_GE(observer.evaluations, 1);
    EXPECT_FALSE(outcome->last_evaluation.has_value());
}

TEST_F(RunBounds, ASyncRunWhoseEnvironmentHangsEndsWithItsNameAndItsState) {
    Observer observer;
    observer.on_progress = [&](const ProgressReport& p) {
        if (p.updates == 5) hang(2);
    };
    const auto begin = steady_clock::now();
    const auto outcome = train(
        troubled({{"actor", {{"stall_s", 2}}}, {"eval", {{"every_steps", 100000}, {"final_episodes", 0}}}}),
        observer);
    ASSERT_FALSE(outcome.has_value());
    EXPECT_NE(exitCode(outcome.error().code), 0);
    EXPECT_NE(outcome.error().text().find("group 1 (environments 2 to 3) has not returned"),
              std::string::npos)
        << outcome.error().text();
    EXPECT_LT(secondsSince(begin), test::measuredLimit(10));
    EXPECT_EQ(details().run.status, RunStatus::failed);
    const auto newest = CheckpointStore(files_, folder(), 1).load();
    ASSERT_TRUE(newest.has_value());
    EXPECT_EQ(newest->info.step, 5 * 96) << "the state after the last update";

    troubles_->hangs_from = Troubles::kNever;
    troubles_->hangs_from.notify_all();
    Observer again;
    const auto resumed = resume(again);
    ASSERT_TRUE(resumed.has_value()) << resumed.error().text();
    EXPECT_GE(resumed->steps, 3000u);
}

TEST_F(RunBounds, AStopWhileAnEnvironmentHangsIsAnInterruptAndSavesTheState) {
    double seconds = 0;
    const auto outcome = stopWhileOneHangs(Json::object(), seconds);
    ASSERT_TRUE(outcome.has_value()) << outcome.error().text();
    EXPECT_TRUE(outcome->interrupted);
    EXPECT_LT(seconds, test::measuredLimit(2));
    EXPECT_EQ(details().run.status, RunStatus::interrupted);
    const auto newest = CheckpointStore(files_, folder(), 1).load();
    ASSERT_TRUE(newest.has_value());
    EXPECT_EQ(newest->info.step, 5 * 96);
}

TEST_F(RunBounds, AStopOfAnAsyncRunDoesNotWaitForAnEnvironmentThatHangs) {
    double seconds = 0;
    const auto outcome = stopWhileOneHangs({{"run", {{"schedule", "async"}, {"steps", 600000}}}}, seconds);
    ASSERT_TRUE(outcome.has_value()) << outcome.error().text();
    EXPECT_TRUE(outcome->interrupted);
    EXPECT_LT(seconds, test::measuredLimit(2));
    EXPECT_EQ(details().run.status, RunStatus::interrupted);
}

TEST_F(RunBounds, ARollbackLeavesAnEnvironmentThatHangsBehind) {
    Observer observer;
    observer.on_progress = [&](const ProgressReport& p) {
        if (p.updates == 5) hang(0);
        if (p.updates >= 8 && troubles_->hanging == 1 &&
            observer.messages.find("halved") == std::string::npos)
            troubles_->nan_rewards = 1;
    };
    // One more NaN would fail the restored session, which may already have counted ten restarts.
    observer.on_message = [&](const std::string& text) {
        if (text.find("halved") != std::string::npos) troubles_->nan_rewards = 0;
    };
    const auto begin = steady_clock::now();
    const auto outcome = train(troubled({{"run", {{"schedule", "async"}, {"steps", 6000}}},
                                         {"actor", {{"stall_s", 0.2}}},
                                         {"checkpoint", {{"every_s", 0.1}}},
                                         {"eval", {{"every_steps", 100000}, {"final_episodes", 0}}}}),
                               observer);
    ASSERT_TRUE(outcome.has_value()) << outcome.error().text();
    EXPECT_NE(observer.messages.find("halved the learning rate"), std::string::npos) << observer.messages;
    EXPECT_NE(observer.messages.find("previous session does not return"), std::string::npos)
        << observer.messages;
    EXPECT_LT(secondsSince(begin), test::measuredLimit(30));
}

TEST_F(RunBounds, AStopInALongUpdateAbandonsItAndAResumeGivesTheSameBits) {
    // One update takes seconds, longer than a stop may take; 300 epochs end within the grace of a stop on
    // fast processors.
    const auto config = [](std::int64_t steps) {
        return smallConfig("cartpole",
                           {{"run", {{"steps", steps}, {"engine", "native"}, {"keep_awake", false}}},
                            {"algo", {{"rollout_length", 2048}, {"epochs", 1000}}},
                            {"network", {{"hidden", {32, 32}}}},
                            {"eval", {{"every_steps", 1000000}, {"final_episodes", 0}}}});
    };
    Observer observer;
    std::optional<test::OwnTime> asked;
    std::jthread user;
    observer.on_phase = [&](const ProgressReport& p) {
        if (p.phase != RunPhase::training || user.joinable()) return;
        user = std::jthread([&] {
            std::this_thread::sleep_for(milliseconds(100));
            asked.emplace();
            observer.stop.request_stop();
        });
    };
    const auto stopped = train(config(3000), observer);
    ASSERT_TRUE(stopped.has_value()) << stopped.error().text();
    user.join();
    EXPECT_TRUE(stopped->interrupted);
    EXPECT_LT(asked->seconds(), test::measuredLimit(2));
    EXPECT_EQ(stopped->steps, 0u) << "the update was abandoned";
    Observer again, straight;
    const auto resumed = resume(again);
    ASSERT_TRUE(resumed.has_value()) << resumed.error().text();
    const auto whole = trainRun({config(3000), "", "", temporary_.path() / "other", ""}, straight,
                                straight.stop.get_token(), files_, clock_);
    ASSERT_TRUE(whole.has_value());
    EXPECT_EQ(resumed->steps, whole->steps);
    EXPECT_EQ(resumed->params_sha256, whole->params_sha256);
}

TEST_F(RunBounds, AStopOnAFullDiskWaitsForSpaceAndReportsIt) {
    Observer observer;
    int messages = 0, statuses = 0;
    observer.on_progress = [&](const ProgressReport& p) {
        if (p.phase == RunPhase::waiting) {
            EXPECT_NE(p.reason.find("No space left on device"), std::string::npos)
                << "every status repeats the reason: " << p.reason;
            if (++statuses == 2) files_.failAt(0, false);  // the user frees space
        } else if (p.updates == 5 && !observer.stop.stop_requested()) {
            files_.failAt(1, true, ENOSPC);
            observer.stop.request_stop();
        }
    };
    observer.on_message = [&](const std::string& text) {
        if (text.find("waiting for disk space to save the state at step") == std::string::npos) return;
        EXPECT_NE(text.find("Ctrl-C quits without saving it"), std::string::npos) << text;
        ++messages;
    };
    const testing::ImpatientClock impatient;
    const auto outcome = trainRun(
        {troubled({{"eval", {{"every_steps", 100000}, {"final_episodes", 0}}}}), "", "", folder(), ""},
        observer, observer.stop.get_token(), files_, impatient);
    ASSERT_TRUE(outcome.has_value()) << outcome.error().text();
    EXPECT_TRUE(outcome->interrupted);
    EXPECT_EQ(messages, 1) << observer.messages;
    EXPECT_EQ(statuses, 2);
    const auto newest = CheckpointStore(files_, folder(), 1).load();
    ASSERT_TRUE(newest.has_value());
    EXPECT_EQ(newest->info.params_sha256, outcome->params_sha256);
}

TEST_F(RunBounds, AStopWhileWaitingForSpaceNamesTheStateThatIsLost) {
    Observer observer;
    observer.on_progress = [&](const ProgressReport& p) {
        if (p.updates == 5) files_.failAt(1, true, ENOSPC);
    };
    std::optional<test::OwnTime> asked;
    observer.on_message = [&](const std::string& text) {
        if (text.find("waiting for disk space") == std::string::npos) return;
        asked.emplace();
        observer.stop.request_stop();
    };
    const auto outcome = train(
        troubled({{"run", {{"steps", 960}}}, {"eval", {{"every_steps", 100000}, {"final_episodes", 0}}}}),
        observer);
    ASSERT_FALSE(outcome.has_value());
    EXPECT_NE(outcome.error().text().find("the state at step 960 was not saved"), std::string::npos)
        << outcome.error().text();
    EXPECT_LT(asked->seconds(), test::measuredLimit(2));
}

}  // namespace
}  // namespace seedbed
