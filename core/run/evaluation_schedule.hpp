// SPDX-License-Identifier: Apache-2.0
// Decides when a run is evaluated, and derives the best score and the target return from evaluations.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/run/progress/progress_reporter.hpp"
#include "core/run/progress/run_notices.hpp"
#include "core/run/run_segment.hpp"
#include "core/run/training_state.hpp"
#include "core/run/training_time.hpp"
#include "core/store/records.hpp"

namespace seedbed {

// Evaluates between updates; stores results in the state and the database, and notifies observer and clients.
// Needs an open segment. Thread: the run's; episodes are played on the session's pool.
class EvaluationSchedule {
public:
    // All of these must outlive this object. `stop` interrupts an evaluation.
    EvaluationSchedule(TrainingState& state, RunSegment& segment, RunNotices& notices,
                       ProgressReporter& progress, TrainingTime& time, const RunClock& clock,
                       std::stop_token stop)
        : state_(state),
          segment_(segment),
          notices_(notices),
          progress_(progress),
          time_(time),
          clock_(clock),
          stop_(std::move(stop)) {}

    // Call after the state was restored from a checkpoint. Evaluations of this state that were `recorded`
    // after the checkpoint was saved are not repeated; evaluations of other states are ignored.
    void restored(std::vector<EvaluationRecord> recorded);
    // Call after each update and rollback, before runIfDue().
    void parametersChanged() { best_before_recorded_.reset(); }

    // Evaluates when due; returns whether the state now has the best score so far. An interrupted evaluation
    // remains due. An evaluation with missing episodes is recorded as an event and has no other effect; each
    // failure of the environments further delays the next evaluation. error: from the engine.
    Result<bool> runIfDue();
    // Runs the last evaluation, unless the state has already been evaluated with enough episodes. error: as
    // for runIfDue().
    Result<> runLast();
    // The best score, ignoring evaluations of the current state that its checkpoint does not contain.
    double bestScoreBefore() const { return best_before_recorded_.value_or(state_.counters.best_score); }

private:
    bool isDue() const;
    bool reachesTarget(double mean) const;
    // Returns false if interrupted.
    Result<bool> evaluate(int episodes);
    void record(const EvaluationResult& result);
    void recordProblem(const EvaluationResult& result);
    std::uint64_t interval() const;

    TrainingState& state_;
    RunSegment& segment_;
    RunNotices& notices_;
    ProgressReporter& progress_;
    TrainingTime& time_;
    const RunClock& clock_;
    const std::stop_token stop_;

    int failures_ = 0;  // incomplete evaluations since the last complete one

    // Set while the run is still in a restored state whose evaluations are already recorded.
    std::optional<double> best_before_recorded_;
};

}  // namespace seedbed
