// SPDX-License-Identifier: Apache-2.0
// Decides when a run is saved and which states are kept: the newest ones, the best one, and milestones, one
// per checkpoint.milestone_steps.
#pragma once

#include "core/checkpoint/checkpoint.hpp"
#include "core/run/run_segment.hpp"
#include "core/run/training_state.hpp"
#include "core/run/training_time.hpp"

namespace seedbed {

// Takes snapshots between updates and passes them to the segment's RunSaver, whose thread writes them. The
// first snapshot after a milestone has become due is that milestone, possibly a few updates late; it also
// counts for milestones that become due in the meantime. Failures to save are reported as notices, except by
// saveLast(). Needs an open segment. Thread: the run's.
class CheckpointPolicy {
public:
    // All of these must outlive this object.
    CheckpointPolicy(TrainingState& state, RunSegment& segment, const TrainingTime& time,
                     const RunClock& clock)
        : state_(state), segment_(segment), time_(time), clock_(clock) {}

    // Saves a state that no checkpoint contains: before the first update, or after a rollback. Returns once
    // it is on disk or saving has failed.
    void saveFirst() { segment_.saver().saveFirst(snapshot()); }
    // Call after each update.
    void saveIfDue();
    // Handles a user's request: saves the state now, or as soon as the checkpoint being written is complete.
    void saveOnRequest();
    // Call when the state has the best evaluation so far.
    void keepBest();
    // Queues the state as a milestone if a milestone is due and no other state is queued. Otherwise the
    // milestone remains due. Call after each update, before saveIfDue().
    void keepMilestoneIfDue();
    // Whether a state is being saved, is queued or must be saved again.
    bool isPending() const { return requested_ || segment_.saver().isPending(); }

    // Saves the last state of the run, then queued states; returns once all are on disk. error: the states
    // that could not be saved; may be called again.
    Result<> saveLast(bool is_best);

private:
    Result<CheckpointData> snapshot();
    Result<CheckpointData> queuedSnapshot();
    bool milestoneDue() const;

    TrainingState& state_;
    RunSegment& segment_;
    const TrainingTime& time_;
    const RunClock& clock_;

    bool requested_ = false;
};

}  // namespace seedbed
