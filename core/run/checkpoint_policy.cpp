// SPDX-License-Identifier: Apache-2.0
#include "core/run/checkpoint_policy.hpp"

#include <utility>

#include "core/base/text.hpp"
#include "core/run/saving/snapshot.hpp"

namespace seedbed {

void CheckpointPolicy::restored(const CheckpointInfo& checkpoint) {
    milestone_step_ = checkpoint.milestone ? checkpoint.step : -1;
}

Result<CheckpointData> CheckpointPolicy::snapshot() {
    RunCounters counters = state_.counters;
    counters.trained_s = time_.trained();
    SEEDBED_ASSIGN(CheckpointData data,
                   takeSnapshot(state_.id, *state_.session, state_.config, std::move(counters),
                                state_.last_evaluation, segment_.saver().takeBuffers()));
    state_.replays.addTo(data);
    data.milestone = milestone_step_ == state_.steps();  // even if the state is saved again
    return data;
}

// A snapshot for the queue of the checkpoint thread, marked as a milestone when due.
Result<CheckpointData> CheckpointPolicy::snapshotOfMilestone() {
    const double begin = clock_.now();
    const auto next_before = state_.counters.next_milestone;
    const auto step_before = milestone_step_;
    if (milestoneDue()) setMilestone();  // before the snapshot, which stores the next milestone
    Result<CheckpointData> data = snapshot();
    if (!data) {
        state_.counters.next_milestone = next_before;
        milestone_step_ = step_before;
    }
    segment_.saver().addStall(clock_.now() - begin);
    return data;
}

void CheckpointPolicy::saveIfDue() {
    const auto taken =
        segment_.saver().saveIfDue(state_.config.checkpoint, requested_, [this] { return snapshot(); });
    // A request refers to the current state, not to a queued one.
    if (taken == RunSaver::Taken::snapshot) requested_ = false;
}

void CheckpointPolicy::saveOnRequest() {
    requested_ = true;
    saveIfDue();
}

void CheckpointPolicy::keepBest() {
    if (const auto skipped = segment_.saver().keepBest(snapshotOfMilestone()))
        recordSkippedMilestone(*skipped);
}

void CheckpointPolicy::keepMilestoneIfDue(bool goal_reached) {
    if (!milestoneDue()) return;
    if (goal_reached || segment_.saver().hasQueued()) {
        setMilestone();
        if (!goal_reached) recordSkippedMilestone(state_.steps());
        return;
    }
    Result<CheckpointData> data = snapshotOfMilestone();
    if (!data) return;  // the milestone remains due
    if (!segment_.saver().keepMilestone(std::move(*data))) recordSkippedMilestone(state_.steps());
}

Result<> CheckpointPolicy::saveLast(bool is_best) {
    SEEDBED_ASSIGN(CheckpointData last, snapshot());
    return segment_.saver().saveLast(std::move(last), is_best);
}

bool CheckpointPolicy::milestoneDue() const {
    return state_.config.checkpoint.milestone_steps > 0 &&
           state_.session->progress().steps >= state_.counters.next_milestone;
}

void CheckpointPolicy::setMilestone() {
    const auto every = static_cast<std::uint64_t>(state_.config.checkpoint.milestone_steps);
    state_.counters.next_milestone = nextMultiple(state_.session->progress().steps, every);
    milestone_step_ = state_.steps();
}

void CheckpointPolicy::recordSkippedMilestone(std::int64_t step) {
    notices_.recordAt(
        step, EventLevel::warning, "milestone",
        "skipped the milestone at step " + formatCount(step) + ": earlier checkpoints are still being saved");
}

}  // namespace seedbed
