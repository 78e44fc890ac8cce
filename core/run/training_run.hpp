// SPDX-License-Identifier: Apache-2.0
// The life cycle of a run: start or resume, training loop, rollback, end.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/base/os/system.hpp"
#include "core/base/repeated_texts.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/checkpoint/checkpoint_store.hpp"
#include "core/run/checkpoint_policy.hpp"
#include "core/run/evaluation_schedule.hpp"
#include "core/run/neighbour/neighbour_watch.hpp"
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

// One run in this process, from its row in the database to its last checkpoint. train(), resume() or open()
// is called once. Thread: the caller's; observers are called on the same thread.
class TrainingRun {
public:
    // All references must outlive this object.
    TrainingRun(std::filesystem::path data_folder, RunObserver& observer, std::stop_token stop,
                FileSystem& files, const Clock& clock, std::size_t row_queue_bytes);
    // Keeps the session alive for its threads if an environment does not return.
    ~TrainingRun();

    Result<RunOutcome> train(const RunRequest& request);
    Result<RunOutcome> resume(const ResumeRequest& request);

    // For a program that trains in pieces: open() begins the run, and close() ends it, as interrupted unless
    // its goal is reached, or with the error `result`.
    Result<> open(const RunRequest& request);
    Result<> open(const ResumeRequest& request);
    Result<RunOutcome> close(Result<> result);
    // Takes the outcome of Session::pump(), collect() or learn(). After an update it records,
    // evaluates and saves; after numbers that are not finite it returns to the last good checkpoint.
    Result<std::optional<IterationStats>> afterPump(Result<std::optional<IterationStats>> pumped);
    // Applies the requests of other programs. False while they pause the run or its rows cannot be saved, and
    // after a stop request or when the goal is reached.
    bool mayContinue();
    bool isStopped() const { return stop_.stop_requested(); }
    // Changes live settings.
    void change(const std::vector<std::pair<std::string, std::string>>& settings) {
        steering_.changeSettings(settings);
    }
    TrainingState& state() { return state_; }
    const TrainingState& state() const { return state_; }
    // Saves the state now and returns once it is on disk.
    Result<> save() { return checkpoints_.saveLast(false); }
    bool goalReached() const;

private:
    Result<> begin(const RunRequest& request);
    Result<> resumeStored(const ResumeRequest& request);
    Result<> startQueued(const RunDetails& details);
    Result<> resumeFrom(CheckpointStore& folder, LoadedCheckpoint checkpoint, RunDetails details,
                        const Json& changes, const ResumeRequest& request);
    Result<RunOutcome> worked(Result<> begun);
    Result<> opened(Result<> begun);

    Result<> createRow(const RunRequest& request);
    // Warns if the goal is beyond the end of a schedule. `resumed`: 0 for a new run.
    void warnOfSchedule(RunId resumed);
    void recordStart(const std::string& preset, const std::string& init_from);
    void noticeChangedFile();

    Result<> prepareLoop();
    Result<RunOutcome> work();
    Result<> loop();
    Result<> iterateUntilGoal();
    Result<> afterUpdate(const IterationStats& stats);
    Result<> evaluateIfDue();
    void recordUpdate(const IterationStats& stats);
    void waitForRowQueue();
    void waitForDatabase(const std::string& reason, const std::function<bool()>& is_ready);
    Result<bool> recover(const Error& reason);
    Result<bool> rollBack(const Error& reason);
    Result<> continueWithoutRank();
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
    NeighbourWatch neighbours_;
    RunNotices notices_;
    ProgressReporter progress_;
    CheckpointPolicy checkpoints_;
    EvaluationSchedule evaluations_;
    Steering steering_;
    SessionSetup setup_;

    RepeatedTexts repeated_;  // notices of environments
    RunOutcome outcome_;
    bool in_pieces_ = false;     // begun by open()
    bool is_closing_ = false;    // stopped by close(), or at pause_at_
    std::int64_t pause_at_ = 0;  // steps; 0: no limit
    double best_before_ = 0;     // best score before the last evaluation
};

}  // namespace seedbed
