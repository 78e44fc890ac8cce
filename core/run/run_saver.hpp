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
#include "core/run/saving/snapshot.hpp"
#include "core/session/settings.hpp"
#include "core/store/run_writer.hpp"

namespace seedbed {

// One checkpoint is written at a time. One more, the best state or a milestone, can be queued.
// Saving never depends on the database: rows that it has not accepted are saved with the checkpoint. Thread:
// the run's. The checkpoint thread stores its results under a mutex, which is not held during calls.
class RunSaver {
public:
    // All references must outlive this object.
    RunSaver(FileSystem& files, RunClock& clock, RunWriter& writer, std::filesystem::path data_folder,
             RunId run);

    // Removes incomplete files left by a crash, then starts the thread. Call before any file of the run is
    // written.
    Result<> begin();

    // Checkpoints are saved as often as time_share allows, but at least once per every_s, and two seconds
    // after a failure. Intervals are measured to the end of the write, because that time bounds the loss
    // after a crash.
    double secondsUntilDue(const CheckpointSettings& settings) const;
    // Replaces the queued state with the state of the best evaluation so far; if the queued state was a
    // milestone, the new one becomes the milestone.
    void keepBest(Result<CheckpointData> best);
    // Queues a state that retention never removes. If another one is queued (a best state that could not be
    // saved), the next snapshot becomes the milestone.
    void keepMilestone(CheckpointData milestone);
    bool hasQueued() const;
    // Releases the queued state and the memory kept for snapshots. Used when a run returns to an earlier
    // state.
    void dropSnapshots();
    // Starts saving if a checkpoint is due (or `now` is set) and the thread is free: saves the queued state
    // if there is one, otherwise a new snapshot, and returns which it saves. Failures become notices and are
    // retried after two seconds; the next snapshot replaces a milestone that failed. Milestones are saved
    // without open windows, which can be large.
    enum class Taken { nothing, queued, snapshot };
    Taken saveIfDue(const CheckpointSettings& settings, bool now,
                    const std::function<Result<CheckpointData>()>& snapshot);
    // Saves a snapshot and returns once it is on disk. A failure becomes a notice.
    void saveFirst(Result<CheckpointData> data);
    // Saves the last state of the run (`is_best`: also the best one), then the queued one; returns when both
    // are on disk. error: the states that could not be saved.
    Result<> saveLast(CheckpointData data, bool is_best = false);
    void wait() { checkpoints_->wait(); }

    // Notices for the user since the last call.
    std::vector<std::string> takeNotices();
    // The memory of the newest saved snapshot, to be reused for the next one.
    SnapshotBuffers takeBuffers();
    // Adds the time, in seconds, of a snapshot for keepBest().
    void addStall(double seconds) { stalls_.push_back(seconds); }
    // How long each snapshot or checkpoint delayed the run's thread, in seconds.
    const std::vector<double>& stalls() const { return stalls_; }
    // Whether the latest attempt failed.
    bool isFailing() const;
    // Whether a state is being saved, is queued or must be saved again.
    bool isPending() const;

private:
    void finished(const Result<CheckpointSaved>& saved, CheckpointJob job);
    void updateHealth(const Result<>& result);
    void addUnsavedRows(CheckpointData& data);
    std::optional<CheckpointJob> takeQueued();
    static void provideMemory(CheckpointFile& file);
    void keepBuffer(CheckpointFile& file);
    void checkSpace(std::uint64_t bytes);

    FileSystem& files_;
    RunClock& clock_;
    RunWriter& writer_;
    std::filesystem::path data_folder_;
    RunId run_;
    double last_ = 0;
    double not_before_ = 0;  // time before which saving is not attempted, after a snapshot failed
    double called_ = -1;     // time of the latest call to saveIfDue()
    std::vector<double> stalls_;
    bool warned_of_space_ = false;

    mutable Mutex mutex_;
    std::vector<std::string> notices_ SEEDBED_GUARDED_BY(mutex_);
    double cost_ SEEDBED_GUARDED_BY(mutex_) = 0;  // duration of the newest checkpoint in seconds
    bool failing_ SEEDBED_GUARDED_BY(mutex_) = false;
    bool milestone_failed_ SEEDBED_GUARDED_BY(mutex_) = false;  // a milestone failed; the next snapshot
                                                                // replaces it
    std::optional<CheckpointJob> queued_ SEEDBED_GUARDED_BY(mutex_);
    SnapshotBuffers buffers_ SEEDBED_GUARDED_BY(mutex_);
    std::unique_ptr<CheckpointWriter> checkpoints_;  // declared last because its thread uses the members
                                                     // above
};

}  // namespace seedbed
