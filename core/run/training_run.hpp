// SPDX-License-Identifier: Apache-2.0
// The life cycle of a run: start or resume, training loop, rollback, end.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "core/base/os/system.hpp"
#include "core/base/repeated_texts.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/checkpoint/checkpoint_store.hpp"
#include "core/run/checkpoint_policy.hpp"
#include "core/run/evaluation_schedule.hpp"
#include "core/run/progress/progress_reporter.hpp"
#include "core/run/progress/run_notices.hpp"
#include "core/run/run.hpp"
#include "core/run/run_clock.hpp"
#include "core/run/run_control.hpp"
#include "core/run/run_segment.hpp"
#include "core/run/session_setup.hpp"
#include "core/run/steering.hpp"
#include "core/run/training_state.hpp"
#include "core/run/training_time.hpp"
#include "core/store/records.hpp"

namespace seedbed {

// One run in this process, from its row in the database to its last checkpoint. train() or resume() is called
// once. Thread: the caller's; observers are called on the same thread.
class TrainingRun {
public:
    // All references must outlive this object.
    TrainingRun(std::filesystem::path data_folder, RunObserver& observer, std::stop_token stop,
                FileSystem& files, const Clock& clock, std::size_t row_queue_bytes);
    // Keeps the session alive for its threads if an environment does not return.
    ~TrainingRun();

    Result<RunOutcome> train(const RunRequest& request);
    Result<RunOutcome> resume(const ResumeRequest& request);

private:
    Result<RunOutcome> begin(const RunRequest& request);
    Result<RunOutcome> resumeStored(const ResumeRequest& request);
    Result<RunOutcome> startQueued(const RunDetails& details);
    Result<RunOutcome> resumeFrom(CheckpointStore& folder, LoadedCheckpoint checkpoint, RunDetails details,
                                  const Json& changes);
    Result<RunOutcome> withFailureRecorded(Result<RunOutcome> outcome);

    Result<> createRow(const RunRequest& request);
    // Warns if the goal is beyond the end of a schedule. `resumed`: 0 for a new run.
    void warnOfSchedule(RunId resumed);
    void recordStart(const std::string& preset, const std::string& init_from);
    void noticeChangedFile();

    Result<RunOutcome> work();
    Result<> loop();
    Result<> iterateUntilGoal();
    Result<> evaluateIfDue();
    bool goalReached() const;
    void recordUpdate(const IterationStats& stats);
    void waitForRowQueue();
    void waitForDatabase(const std::string& reason, const std::function<bool()>& is_ready);
    Result<bool> rollBack(const Error& reason);
    Result<> openNextSegment(CheckpointStore& folder);

    Result<> finish(Result<> result);
    Result<> saveLast(bool is_best);
    Result<> flushLast(bool is_saved);
    Result<> saveStalled(Error stall);
    void recordEnd(const Result<>& result);

    const std::filesystem::path data_folder_;
    FileSystem& files_;
    std::stop_source stop_source_;  // requested by the caller or a client
    const std::stop_token stop_ = stop_source_.get_token();
    std::stop_callback<std::function<void()>> stop_from_caller_;
    RunClock clock_;
    const StopBudget stop_budget_;

    TrainingState state_;
    TrainingTime time_{clock_};
    RunSegment segment_;
    RunControl control_;
    RunNotices notices_;
    ProgressReporter progress_;
    CheckpointPolicy checkpoints_;
    EvaluationSchedule evaluations_;
    Steering steering_;
    SessionSetup setup_;

    RepeatedTexts repeated_;  // notices of environments
    RunOutcome outcome_;
    double best_before_ = 0;  // best score before the last evaluation
};

}  // namespace seedbed
