// SPDX-License-Identifier: Apache-2.0
// The scheduler with scripts instead of runs, for timings that are rare with the real program.
#include "core/jobs/queue.hpp"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/store/run_writer.hpp"
#include "core/store/store.hpp"
#include "core/store/store_reader.hpp"
#include "tests/unit/base/temporary_folder.hpp"

namespace seedbed {
namespace {

class QueueWork : public ::testing::Test {
protected:
    QueueWork() : folder_(temporary_.path() / "data"), store_(*Store::open(folder_)) {}

    // A script that records each start and then runs `body`.
    std::filesystem::path program(const std::string& body) {
        const auto file = temporary_.path() / "program";
        std::ofstream(file) << "#!/bin/sh\necho \"$2\" >> " << (temporary_.path() / "starts").string() << "\n"
                            << body << "\n";
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
        return file;
    }
    std::vector<RunId> starts() const {
        std::ifstream file(temporary_.path() / "starts");
        std::vector<RunId> all;
        for (RunId run = 0; file >> run;) all.push_back(run);
        return all;
    }
    RunId add() {
        NewRun run;
        run.env = "cartpole";
        run.algo = "ppo";
        run.engine = "reference";
        run.status = RunStatus::queued;
        return store_.enqueue({run})->front();
    }
    // Writes the state that a killed training process leaves behind.
    void leaveState(RunId run, RunStatus status, std::int64_t begin_step, std::int64_t checkpoint_step) {
        const auto lock = RunLock::acquire(folder_, run);
        ASSERT_TRUE(lock && store_.beginSegment(*lock, begin_step, {}));
        const auto out = RunWriter::open(folder_, *lock);
        CheckpointRecord row;
        row.step = checkpoint_step;
        row.folder = "checkpoints/1/" + std::to_string(checkpoint_step);
        (*out)->checkpoint(row);
        (*out)->status(status);
        ASSERT_TRUE((*out)->flush());
    }
    Result<> work(const std::filesystem::path& program) {
        return runQueue(
            folder_, program,
            [&](const std::string& line) {
                lines_.push_back(line);
                if (on_line_) on_line_(line);
            },
            stop_.get_token(), restarts_);
    }
    RunRecord shown(RunId run) { return *StoreReader::open(folder_)->run(run); }
    QueueState queue() { return *StoreReader::open(folder_)->queue(); }
    int reported(const std::string& part) const {
        return static_cast<int>(std::count_if(
            lines_.begin(), lines_.end(), [&](const auto& l) { return l.find(part) != std::string::npos; }));
    }

    testing::TemporaryFolder temporary_;
    std::filesystem::path folder_;
    Store store_;
    std::stop_source stop_;
    // Each checkpoint counts as progress.
    RestartPolicy restarts_{std::chrono::milliseconds(1), std::chrono::milliseconds(10), 0};
    std::vector<std::string> lines_;
    std::function<void(const std::string&)> on_line_;
};

TEST_F(QueueWork, ARunThatVanishesWithoutSavingIsTriedThreeTimes) {
    const RunId run = add();
    leaveState(run, RunStatus::running, 0, 0);
    ASSERT_TRUE(work(program("kill -9 $$")));
    EXPECT_EQ(starts(), (std::vector<RunId>{run, run, run}));
    EXPECT_EQ(shown(run).status, RunStatus::failed);
    EXPECT_TRUE(queue().entries.empty());
}

TEST_F(QueueWork, AttemptsAreResetWhenProgressWasSaved) {
    const RunId run = add();
    leaveState(run, RunStatus::running, 0, 0);
    int started = 0;
    on_line_ = [&](const std::string& line) {
        if (line.find(" started (process") == std::string::npos) return;
        // The first five processes save progress before they are killed; later ones do not.
        if (++started <= 5) leaveState(run, RunStatus::running, 100 * started, 100 * started + 50);
        else if (started == 6) leaveState(run, RunStatus::running, 1000, 1000);
    };
    ASSERT_TRUE(work(program("sleep 0.05; kill -9 $$")));
    EXPECT_EQ(starts().size(), 5u + 3);
    EXPECT_EQ(shown(run).status, RunStatus::failed);
}

// The first process trains for a long time, and later ones die before they begin to train.
TEST_F(QueueWork, ProcessesThatVanishAtTheirStartCountAfterALongLifeToo) {
    const RunId run = add();
    leaveState(run, RunStatus::running, 0, 50);
    ASSERT_TRUE(work(program("echo 'training: 50 of 100 steps'; kill -9 $$")));
    EXPECT_EQ(starts().size(), 1u + 3);
    EXPECT_EQ(shown(run).status, RunStatus::failed);
    EXPECT_EQ(shown(run).status_text.find("50 of 100"), std::string::npos)
        << "the text does not describe the cause: " << shown(run).status_text;
}

// Each process saves a checkpoint and then dies, for example during an evaluation.
TEST_F(QueueWork, ARunThatSavesAndDiesSoonFailsAfterTenTimes) {
    restarts_.short_life_s = 60;
    const RunId run = add();
    leaveState(run, RunStatus::running, 0, 50);
    int step = 0;
    on_line_ = [&](const std::string& line) {
        if (line.find(" started (process") == std::string::npos) return;
        step += 100;
        leaveState(run, RunStatus::running, step, step + 50);
    };
    ASSERT_TRUE(work(program("sleep 0.05; kill -9 $$")));
    EXPECT_EQ(starts().size(), 10u);
    EXPECT_EQ(shown(run).status, RunStatus::failed);
    EXPECT_NE(shown(run).status_text.find("10 times in a row"), std::string::npos) << shown(run).status_text;
}

TEST_F(QueueWork, ThePauseBeforeAResumeDoublesUpToALimit) {
    restarts_ = {std::chrono::milliseconds(200), std::chrono::milliseconds(800), 60};
    const RunId run = add();
    leaveState(run, RunStatus::running, 0, 50);
    std::vector<std::chrono::steady_clock::time_point> died, started;
    on_line_ = [&](const std::string& line) {
        if (line.find("resuming it") != std::string::npos) {
            died.push_back(std::chrono::steady_clock::now());
            if (died.size() == 5) stop_.request_stop();
        }
        if (line.find(" started (process") != std::string::npos) {
            started.push_back(std::chrono::steady_clock::now());
            const auto step = static_cast<std::int64_t>(100 * started.size());
            leaveState(run, RunStatus::running, step, step + 50);
        }
    };
    ASSERT_TRUE(work(program("sleep 0.05; kill -9 $$")));
    ASSERT_GE(started.size(), 5u);
    const double pauses[] = {0.2, 0.4, 0.8, 0.8};
    for (std::size_t i = 0; i < 4; ++i) {
        const std::chrono::duration<double> waited = started[i + 1] - died[i];
        EXPECT_GE(waited.count(), pauses[i]) << i;
    }
}

TEST_F(QueueWork, RunsStoppedBySignalsWithoutASchedulerAreAlwaysResumed) {
    const RunId run = add();
    // On each of ten days the scheduler starts the run, and then both are stopped cleanly.
    for (int day = 1; day <= 10; ++day) {
        stop_ = {};
        on_line_ = [&](const std::string& line) {
            if (line.find(" started (process") != std::string::npos) stop_.request_stop();
        };
        ASSERT_TRUE(work(program("exec sleep 0"))) << day;
        ASSERT_EQ(reported(" started (process"), day);
        leaveState(run, RunStatus::interrupted, 0, 0);
    }
    EXPECT_EQ(shown(run).status, RunStatus::interrupted);
    EXPECT_EQ(queue().entries.size(), 1u);
}

TEST_F(QueueWork, ARunStartedByHandLeavesTheQueueAndContinues) {
    const RunId run = add(), next = add();
    auto lock = RunLock::acquire(folder_, run);
    ASSERT_TRUE(lock && store_.beginSegment(*lock, 0, {}));
    auto out = *RunWriter::open(folder_, *lock);
    out->status(RunStatus::running);
    std::jthread by_hand([&] {
        while (!queue().entries.front().begun) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        EXPECT_TRUE(starts().empty()) << "only one run at a time is started";
        out->status(RunStatus::finished);
        out.reset();
        lock = fail("released");
    });
    ASSERT_TRUE(work(program("exit 1")));
    EXPECT_EQ(starts(), std::vector<RunId>{next});
    EXPECT_EQ(shown(run).status, RunStatus::finished);
    EXPECT_EQ(shown(next).status, RunStatus::failed);
}

TEST_F(QueueWork, ARunAddedAfterTheLastPollIsStarted) {
    const RunId run = add();
    RunId late = 0;
    on_line_ = [&](const std::string& line) {
        // The scheduler has read the table, has no other run, and still holds its lock.
        if (late == 0 && line.find("has failed") != std::string::npos) {
            EXPECT_TRUE(isQueueRunning(folder_));
            late = add();
        }
    };
    ASSERT_TRUE(work(program("exit 1")));
    EXPECT_EQ(starts(), (std::vector<RunId>{run, late}));
    EXPECT_TRUE(queue().entries.empty());
}

TEST_F(QueueWork, AFailingPollIsReportedOnceAndRecovers) {
    const RunId run = add(), gone = add();
    const auto file = folder_ / "seedbed.db", away = folder_ / "away.db";
    std::jthread healing;
    bool moved = false;
    on_line_ = [&](const std::string& line) {
        if (!moved && line.find(" started (process") != std::string::npos) {
            moved = true;
            EXPECT_TRUE(store_.removeFromQueue(gone));
            std::filesystem::rename(file, away);
        }
        if (healing.joinable() || line.find("the queue is waiting") == std::string::npos) return;
        healing = std::jthread([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(1700));  // a few more polls fail
            std::filesystem::rename(away, file);
        });
    };
    ASSERT_TRUE(work(program("exit 1")));
    EXPECT_EQ(reported("the queue is waiting"), 1);
    EXPECT_EQ(reported("the queue continues"), 1);
    EXPECT_EQ(starts(), std::vector<RunId>{run});
    EXPECT_EQ(shown(run).status, RunStatus::failed);
}

TEST_F(QueueWork, FailuresToLaunchProcessesDoNotFailRuns) {
    const RunId first = add(), second = add();
    const auto logs = folder_ / "logs";
    std::filesystem::remove_all(logs);
    std::ofstream(logs) << "in the way";
    on_line_ = [&](const std::string& line) {
        if (line.find("the queue is waiting") == std::string::npos) return;
        for (const QueueEntry& entry : queue().entries) EXPECT_FALSE(entry.begun);
        EXPECT_EQ(shown(first).status, RunStatus::queued);
        std::filesystem::remove(logs);
    };
    ASSERT_TRUE(work(program("exit 1")));
    EXPECT_EQ(reported("the queue is waiting"), 1);
    EXPECT_EQ(starts(), (std::vector{first, second}));
}

TEST_F(QueueWork, ALockThatCannotBeCreatedIsNotMistakenForAScheduler) {
    std::filesystem::remove_all(folder_ / "locks");
    std::ofstream(folder_ / "locks") << "in the way";
    const auto worked = work(program("exit 1"));
    ASSERT_FALSE(worked);
    EXPECT_EQ(worked.error().text().find("already has a running scheduler"), std::string::npos)
        << worked.error().text();
}

}  // namespace
}  // namespace seedbed
