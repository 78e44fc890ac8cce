// SPDX-License-Identifier: Apache-2.0
// A run while a process works on it: what run.cpp (beginning, resuming, the loop, what is asked from outside)
// and run_saving.cpp (evaluations, checkpoints, the end) share.
#pragma once

#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/play/published_params.hpp"
#include "core/run/awake.hpp"
#include "core/run/checkpoint_replays.hpp"
#include "core/run/resume.hpp"
#include "core/run/run.hpp"
#include "core/run/run_clock.hpp"
#include "core/run/run_control.hpp"
#include "core/run/run_facts.hpp"
#include "core/run/run_recorder.hpp"
#include "core/run/run_saver.hpp"
#include "core/run/writer_notices.hpp"
#include "core/session/session.hpp"
#include "core/store/store.hpp"

namespace seedbed {

// One run by one process, from its row in the database to its last checkpoint. Thread: the caller of trainRun
// or resumeRun.
class TrainingRun {
public:
    TrainingRun(std::filesystem::path data_folder, RunObserver& observer, std::stop_token stop,
                FileSystem& files, const Clock& clock)
        : data_folder_(std::move(data_folder)),
          observer_(observer),
          stop_from_outside_(std::move(stop), [this] { stop_source_.request_stop(); }),
          system_{&files, &clock} {}

    ~TrainingRun();

    Result<RunOutcome> train(const RunRequest& request);
    Result<RunOutcome> resume(const ResumeRequest& request);
    // The last call: an error that the run could not note itself stands in its row, which does not stay
    // "starting" for ever.
    Result<RunOutcome> told(Result<RunOutcome> outcome);

private:
    Result<RunId> resolve(std::string_view name) const;
    // Takes changed settings over; what was chosen for the machine stays.
    void adopt(TrainingConfig config);
    Result<> createSession();
    Result<> initFrom(const std::string& name);
    Result<> createRow(const RunRequest& request);
    Result<> goBackTo(LoadedCheckpoint checkpoint);
    Result<> openSegment(std::int64_t step);
    Result<> openSegmentAt(CheckpointStore& folder, std::int64_t step);
    Result<RunOutcome> work();
    Result<> loop();
    Result<bool> rollBack(const Error& reason);
    Result<bool> evaluateNow(int episodes);  // false: interrupted
    void adoptRecordedEvaluation(std::vector<EvaluationRecord> recorded);
    Result<> evaluateIfDue();
    bool evaluationDue() const;
    // Keeps these episodes apart from those that `seedbed eval` plays with the same small seeds.
    std::uint64_t evaluationSeed() const { return ~static_cast<std::uint64_t>(settings().seed); }
    bool reachesTarget(double mean) const {
        return settings().target_return > RunSettings::kNoTarget && mean >= settings().target_return;
    }
    bool goalReached() const;
    Result<CheckpointData> snapshot();  // error: the actors cannot be held still
    void saveIfDue();
    Result<> finish(Result<> result);
    void enter(RunStatus state, const std::string& text = "");
    void openControl();
    void obey();
    bool milestoneDue() const;
    void keepMilestoneIfDue();
    void sayLeftOut(std::int64_t step);
    Result<CheckpointData> stateOfNow();
    std::uint64_t nextMultiple(std::uint64_t every) const {
        return (session_->progress().steps / every + 1) * every;
    }
    void adoptIntervals(const Json& changes);
    void keepAwake();
    Result<> saveLast(bool is_best);
    void obeyOnce(RunControl::Asked asked);
    void change(const std::vector<std::pair<std::string, std::string>>& settings);
    void waitForDisk();
    void announce(const std::string& text);
    void report();
    void publish(const ProgressReport& progress);
    ProgressReport progressNow() const;
    void phase(RunPhase phase);
    RunPhase nextTurn() const { return turnOf(iteration_s_, settings().schedule == "sync"); }
    void showParams(bool at_once);
    void watch();
    void say(EventLevel level, const std::string& kind, const std::string& text, Json data = Json::object());
    double trainedSeconds() const { return memory_.trained_s + (time_.now() - began_ - not_training_s_); }
    std::int64_t steps() const { return static_cast<std::int64_t>(session_->progress().steps); }
    const RunSettings& settings() const { return config_.run; }

    const std::filesystem::path data_folder_;
    RunObserver& observer_;
    std::stop_source stop_source_;
    const std::stop_token stop_ = stop_source_.get_token();
    std::stop_callback<std::function<void()>> stop_from_outside_;
    const System system_;
    FileSystem& files_ = *system_.files;
    RunClock time_{*system_.clock};

    TrainingConfig config_;
    std::string pinned_engine_;  // what the run began with, where the configuration leaves it open
    std::unique_ptr<Session> session_;
    RunCounters memory_;
    CheckpointReplays replays_;
    std::optional<RunLock> lock_;
    std::unique_ptr<RunWriter> writer_;
    std::unique_ptr<RunSaver> saver_;  // after the writer: its thread hands rows over
    RunStatus state_ = RunStatus::starting;
    RunPhase phase_ = RunPhase::starting;
    double iteration_s_ = 0;                   // the newest one
    bool begun_ = false;                       // its row says that it is alive
    std::optional<PublishedParams> followed_;  // by players
    std::optional<RunControl> control_;        // none where sockets are not possible
    bool save_asked_ = false;
    std::int64_t milestone_at_ = -1;  // step of the newest one
    std::size_t session_bytes_ = 0;   // of the newest snapshot
    std::optional<StayAwake> awake_;
    std::optional<double>
        best_before_recorded_;  // best score before the recorded evaluation of the state that a resume loaded
    double published_ = -1;

    WriterNotices writer_notices_;
    std::size_t row_queue_bytes_ = RunWriterOptions{}.queue_bytes;

    RunOutcome outcome_;
    double began_ = 0, not_training_s_ = 0;  // evaluations and pauses since `began_`
    Speedometer speed_;
};

}  // namespace seedbed
