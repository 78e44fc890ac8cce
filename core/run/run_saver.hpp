// SPDX-License-Identifier: Apache-2.0
// When a run is saved, and what came of it: the checkpoint thread of a run, its intervals, retries and
// warnings.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/base/files.hpp"
#include "core/checkpoint/checkpoint_writer.hpp"
#include "core/run/run_clock.hpp"
#include "core/session/settings.hpp"
#include "core/store/run_writer.hpp"

namespace seedbed {

// Thread: the run's; results arrive on the checkpoint thread and wait behind a mutex that is never held while
// calling anything.
class RunSaver {
public:
    // All are the caller's and outlive it.
    RunSaver(FileSystem& files, RunClock& clock, RunWriter& writer, std::filesystem::path data_folder,
             RunId run);

    // Removes what a crash left half made, then starts the thread. Call before any file of the run is made.
    Result<> begin();

    // As often as time_share allows, at most every_s apart (until the newer one is complete, so that no more
    // than that is ever lost); two seconds after a failure.
    double secondsUntilDue(const CheckpointSettings& settings) const;
    // The state that the best evaluation so far was made with: saved as soon as the thread is free, unless a
    // better one comes first. Returns the step of a milestone that is given up for it, since two of them
    // wait.
    std::optional<std::int64_t> keepBest(Result<CheckpointData> best);
    // A state to be kept for good: likewise. While one waits there is no room for another.
    void keepMilestone(CheckpointData milestone);
    bool milestoneWaits() const { return milestone_.has_value(); }
    // Hands the best state that waits, or else a milestone that waits, or else a new snapshot, over when one
    // is due (or `now`) and the thread is free; says which. What fails becomes a notice, and is tried again
    // two seconds later: the best state itself, and for a milestone the next snapshot takes its place.
    enum class Taken { nothing, kept, snapshot };
    Taken saveIfDue(const CheckpointSettings& settings, bool now,
                    const std::function<Result<CheckpointData>()>& snapshot);
    // The state before the first update: returns when it is on disk. A failure becomes a notice.
    void saveFirst(Result<CheckpointData> data);
    // The last state of the run (`is_best`: also the best one), then the best one and the milestone that
    // wait; returns when all are on disk. error: which of them is not; it still waits.
    Result<> saveLast(CheckpointData data, bool is_best = false);
    void wait() { checkpoints_->wait(); }

    // Sentences for the user since the last call.
    std::vector<std::string> takeNotices();
    // A snapshot for keepBest() or keepMilestone() took so long, seconds.
    void noteStall(double seconds) { stalls_.push_back(seconds); }
    // How long each snapshot or checkpoint kept the run's thread from its work, seconds.
    const std::vector<double>& stalls() const { return stalls_; }
    // The newest attempt failed.
    bool failing() const;
    // Something is being saved, waits for it, or has to be tried again.
    bool unsettled() const;

private:
    void done(const Result<CheckpointSaved>& saved, CheckpointJob job);
    void noteHealth(const Result<>& result);
    void takeBack();
    void checkSpace(std::uint64_t bytes);

    FileSystem& files_;
    RunClock& clock_;
    RunWriter& writer_;
    std::filesystem::path data_folder_;
    RunId run_;
    std::optional<CheckpointData> best_, milestone_;
    double last_ = 0;
    double not_before_ = 0;  // after a snapshot that failed
    double asked_ = -1;      // the newest call of saveIfDue()
    std::vector<double> stalls_;
    bool warned_of_space_ = false;

    mutable std::mutex mutex_;
    std::vector<std::string> notices_;
    double cost_ = 0;  // seconds of the newest one
    bool failing_ = false;
    bool milestone_owed_ = false;                    // one could not be saved
    std::optional<CheckpointData> returned_;         // a best state that could not be saved
    std::unique_ptr<CheckpointWriter> checkpoints_;  // last: its thread uses all of the above
};

}  // namespace seedbed
