// SPDX-License-Identifier: Apache-2.0
// Decides when a run is saved and which states are kept: the newest, the best and milestones.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/checkpoint/checkpoint.hpp"
#include "core/run/progress/run_notices.hpp"
#include "core/run/run_segment.hpp"
#include "core/run/training_state.hpp"
#include "core/run/training_time.hpp"

namespace seedbed {

// Takes snapshots between updates and hands them to the segment's RunSaver, whose thread writes them.
// Failures to save are reported as notices, except by saveLast(). Needs an open segment. Thread: the run's.
class CheckpointPolicy {
public:
    // All outlive this object.
    CheckpointPolicy(TrainingState& state, RunSegment& segment, RunNotices& notices, const TrainingTime& time,
                     const RunClock& clock)
        : state_(state), segment_(segment), notices_(notices), time_(time), clock_(clock) {}

    // Call after the state was restored from this checkpoint.
    void restored(const CheckpointInfo& checkpoint);

    // Saves a state that exists nowhere else: before the first update, or after a rollback. Returns once it
    // is on disk or saving has failed.
    void saveFirst() { segment_.saver().saveFirst(snapshot()); }
    // After each update.
    void saveIfDue();
    // A user's request: saves the state now, or as soon as the checkpoint being written is complete.
    void saveOnRequest();
    // Call when the state has the best evaluation so far.
    void keepBest();
    // After each update. The last state of a run (`goal_reached`) is always saved, as the milestone of its
    // step.
    void keepMilestoneIfDue(bool goal_reached);
    // Whether a state is being saved, is queued or has to be retried.
    bool isPending() const { return requested_ || segment_.saver().isPending(); }

    // Saves the last state of the run, then queued states; returns once all are on disk. error: the states
    // that could not be saved; may be called again.
    Result<> saveLast(bool is_best);

private:
    Result<CheckpointData> snapshot();
    Result<CheckpointData> snapshotOfMilestone();
    bool milestoneDue() const;
    void setMilestone();
    void recordSkippedMilestone(std::int64_t step);

    TrainingState& state_;
    RunSegment& segment_;
    RunNotices& notices_;
    const TrainingTime& time_;
    const RunClock& clock_;

    bool requested_ = false;
    std::int64_t milestone_step_ = -1;  // step of the newest one; -1: none
};

}  // namespace seedbed
