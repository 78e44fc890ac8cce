// SPDX-License-Identifier: Apache-2.0
// Reports the activity and progress of a run to its row in the database, the terminal and connected clients.
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

// Clients receive a status at most 20 times per second, and immediately at the start of a phase in which
// users wait. Needs an open segment. Thread: the run's.
class ProgressReporter {
public:
    // All of these must outlive this object.
    ProgressReporter(RunObserver& observer, RunControl& control, RunSegment& segment, const RunClock& clock,
                     const TrainingTime& time, const TrainingState& state)
        : observer_(observer),
          control_(control),
          segment_(segment),
          clock_(clock),
          time_(time),
          state_(state) {}

    RunStatus status() const { return status_; }
    // Sets the status, which is also stored in the run's row. mayFollow() defines the allowed transitions.
    void setStatus(RunStatus status, const std::string& text = "");

    // Sets the phase and reports a change immediately.
    void setPhase(RunPhase phase);
    // Sets the phase in which the next update begins, chosen by the length of the latest update.
    void beginUpdate();
    // Call when collecting ends and learning begins.
    void beginLearning();

    // Wall time of the latest update, including collecting.
    void setUpdateSeconds(double seconds) { update_s_ = seconds; }
    // Call after each update.
    void addSpeed();

    // Reports the current numbers.
    void report();
    // As above, even if clients have just received a status.
    void reportNow();
    // `reason`: why the run waits.
    void reportNow(RunPhase phase, std::string reason = "");

private:
    ProgressReport progress() const;
    std::string reason() const;
    void publish(const ProgressReport& progress);

    RunObserver& observer_;
    RunControl& control_;
    RunSegment& segment_;
    const RunClock& clock_;
    const TrainingTime& time_;
    const TrainingState& state_;

    RunStatus status_ = RunStatus::starting;
    RunPhase phase_ = RunPhase::starting;
    std::string reason_;
    double update_s_ = 0;
    double published_ = -1;  // time of the latest status for clients; -1: send the next one immediately
    Speedometer speed_;
};

}  // namespace seedbed
