// SPDX-License-Identifier: Apache-2.0
// Saves a run's snapshots in the background: intervals, queued states, retries and warnings.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/mutex.hpp"
#include "core/base/os/files.hpp"
#include "core/checkpoint/checkpoint_writer.hpp"
#include "core/run/run_clock.hpp"
#include "core/session/settings.hpp"
#include "core/store/run_writer.hpp"

namespace seedbed {

// One checkpoint is written at a time. Up to two more snapshots are queued: the best state and a milestone.
// Thread: the run's. The checkpoint thread stores its results under a mutex, which is not held during calls.
class RunSaver {
public:
    // All references outlive this object.
    RunSaver(FileSystem& files, RunClock& clock, RunWriter& writer, std::filesystem::path data_folder,
             RunId run);

    // Removes incomplete files that a crash left, then starts the thread. Call before any file of the run is
    // written.
    Result<> begin();

    // Checkpoints are saved as often as time_share allows, at least every every_s (measured to the end of the
    // write, which bounds the loss after a crash), and two seconds after a failure.
    double secondsUntilDue(const CheckpointSettings& settings) const;
    // Queues the state of the best evaluation so far, in place of an earlier one. Returns the step of a
    // milestone that is skipped because two of them would be queued.
    std::optional<std::int64_t> keepBest(Result<CheckpointData> best);
    // Queues a state that retention never removes. Requires that none is queued.
    void keepMilestone(CheckpointData milestone);
    bool hasQueuedMilestone() const { return milestone_.has_value(); }
    // Starts saving if a checkpoint is due (or `now`) and the thread is free: the queued best state, else the
    // queued milestone, else a new snapshot; returns which. Failures become notices and are retried after two
    // seconds; the next snapshot replaces a milestone that failed.
    enum class Taken { nothing, queued, snapshot };
    Taken saveIfDue(const CheckpointSettings& settings, bool now,
                    const std::function<Result<CheckpointData>()>& snapshot);
    // Returns when the snapshot is on disk. A failure becomes a notice.
    void saveFirst(Result<CheckpointData> data);
    // Saves the last state of the run (`is_best`: also the best one), then the queued states; returns when
    // all are on disk. error: the states that could not be saved.
    Result<> saveLast(CheckpointData data, bool is_best = false);
    void wait() { checkpoints_->wait(); }

    // Sentences for the user since the last call.
    std::vector<std::string> takeNotices();
    // Adds the time of a snapshot for keepBest() or keepMilestone(), in seconds.
    void addStall(double seconds) { stalls_.push_back(seconds); }
    // How long each snapshot or checkpoint delayed the run's thread, in seconds.
    const std::vector<double>& stalls() const { return stalls_; }
    // The newest attempt failed.
    bool isFailing() const;
    // A state is being saved, queued or to be retried.
    bool isPending() const;

private:
    void finished(const Result<CheckpointSaved>& saved, CheckpointJob job);
    void updateHealth(const Result<>& result);
    void requeueReturned();
    void checkSpace(std::uint64_t bytes);

    FileSystem& files_;
    RunClock& clock_;
    RunWriter& writer_;
    std::filesystem::path data_folder_;
    RunId run_;
    std::optional<CheckpointData> best_, milestone_;
    double last_ = 0;
    double not_before_ = 0;  // after a snapshot that failed
    double called_ = -1;     // the newest call of saveIfDue()
    std::vector<double> stalls_;
    bool warned_of_space_ = false;

    mutable Mutex mutex_;
    std::vector<std::string> notices_ SEEDBED_GUARDED_BY(mutex_);
    double cost_ SEEDBED_GUARDED_BY(mutex_) = 0;  // seconds of the newest one
    bool failing_ SEEDBED_GUARDED_BY(mutex_) = false;
    bool milestone_failed_ SEEDBED_GUARDED_BY(mutex_) = false;  // the next snapshot replaces it
    std::optional<CheckpointData> returned_
        SEEDBED_GUARDED_BY(mutex_);                  // a best state that could not be saved
    std::unique_ptr<CheckpointWriter> checkpoints_;  // last: its thread uses all of the above
};

}  // namespace seedbed
