// SPDX-License-Identifier: Apache-2.0
// The activity and progress of a run, for its row, the terminal and connected clients.
#pragma once

#include <string>

#include "core/run/progress/run_phase.hpp"
#include "core/run/progress/speedometer.hpp"
#include "core/run/run.hpp"
#include "core/run/run_clock.hpp"
#include "core/run/run_control.hpp"
#include "core/run/run_segment.hpp"
#include "core/run/training_state.hpp"
#include "core/run/training_time.hpp"

namespace seedbed {

// Clients get a status at most 20 times a second, except at the start of a phase that users wait for.
// Needs an open segment. Thread: the run's.
class ProgressReporter {
public:
    // All outlive this object.
    ProgressReporter(RunObserver& observer, RunControl& control, RunSegment& segment, const RunClock& clock,
                     const TrainingTime& time, const TrainingState& state)
        : observer_(observer),
          control_(control),
          segment_(segment),
          clock_(clock),
          time_(time),
          state_(state) {}

    RunStatus status() const { return status_; }
    // Also in the run's row. Which status may follow which: mayFollow().
    void setStatus(RunStatus status, const std::string& text = "");

    // Reported immediately when it changes.
    void setPhase(RunPhase phase);
    // Sets the phase in which the next update begins, chosen by the length of the newest update.
    void beginUpdate();
    // Collecting ends, learning begins.
    void beginLearning();

    // Wall time of the newest update, experience included.
    void setUpdateSeconds(double seconds) { update_s_ = seconds; }
    // After each update.
    void addSpeed();

    // Reports the current numbers.
    void report();
    // The same, also to clients that have just received a status.
    void reportNow();
    void reportNow(RunPhase phase);

private:
    ProgressReport progress() const;
    void publish(const ProgressReport& progress);

    RunObserver& observer_;
    RunControl& control_;
    RunSegment& segment_;
    const RunClock& clock_;
    const TrainingTime& time_;
    const TrainingState& state_;

    RunStatus status_ = RunStatus::starting;
    RunPhase phase_ = RunPhase::starting;
    double update_s_ = 0;
    double published_ = -1;  // time of the newest status for clients; -1: send the next one at once
    Speedometer speed_;
};

}  // namespace seedbed
