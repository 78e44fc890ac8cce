// SPDX-License-Identifier: Apache-2.0
#include "core/run/checkpoint_policy.hpp"

#include <utility>

#include "core/run/saving/snapshot.hpp"

namespace seedbed {

// The snapshot is marked as a milestone if a milestone is due.
Result<CheckpointData> CheckpointPolicy::snapshot() {
    RunCounters counters = state_.counters;
    counters.trained_s = time_.trained();
    const bool is_milestone = milestoneDue();
    if (is_milestone) {
        const auto every = static_cast<std::uint64_t>(state_.config.checkpoint.milestone_steps);
        counters.next_milestone = nextMultiple(state_.session->progress().steps, every);
    }
    const std::uint64_t next_milestone = counters.next_milestone;
    SEEDBED_ASSIGN(CheckpointData data,
                   takeSnapshot(state_.id, *state_.session, state_.config, std::move(counters),
                                state_.last_evaluation, segment_.saver().takeBuffers()));
    if (state_.env_file) data.info["made_by"][kEnvFileFact] = state_.env_file->sha256;
    state_.replays.addTo(data);
    data.milestone = is_milestone;
    state_.counters.next_milestone = next_milestone;
    return data;
}

Result<CheckpointData> CheckpointPolicy::queuedSnapshot() {
    const double begin = clock_.now();
    Result<CheckpointData> data = snapshot();
    segment_.saver().addStall(clock_.now() - begin);
    return data;
}

void CheckpointPolicy::saveIfDue() {
    const auto taken =
        segment_.saver().saveIfDue(state_.config.checkpoint, requested_, [this] { return snapshot(); });
    // A request is for the current state, so saving a queued one does not fulfil it.
    if (taken == RunSaver::Taken::snapshot) requested_ = false;
}

void CheckpointPolicy::saveOnRequest() {
    requested_ = true;
    saveIfDue();
}

void CheckpointPolicy::keepBest() { segment_.saver().keepBest(queuedSnapshot()); }

void CheckpointPolicy::keepMilestoneIfDue() {
    if (!milestoneDue() || segment_.saver().hasQueued()) return;
    if (auto milestone = queuedSnapshot()) segment_.saver().keepMilestone(std::move(*milestone));
}

Result<> CheckpointPolicy::saveLast(bool is_best) {
    SEEDBED_ASSIGN(CheckpointData last, snapshot());
    return segment_.saver().saveLast(std::move(last), is_best);
}

bool CheckpointPolicy::milestoneDue() const {
    return state_.config.checkpoint.milestone_steps > 0 &&
           state_.session->progress().steps >= state_.counters.next_milestone;
}

}  // namespace seedbed
