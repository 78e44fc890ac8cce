// SPDX-License-Identifier: Apache-2.0
// Reports events and messages of a run to the terminal, connected clients and the database.
#pragma once

#include <string>

#include "core/run/run.hpp"
#include "core/run/run_clock.hpp"
#include "core/run/run_control.hpp"
#include "core/run/run_segment.hpp"
#include "core/run/training_state.hpp"

namespace seedbed {

// Three receivers: the observer (a terminal), clients of the control socket, and the database. Thread: the
// run's. No function fails.
class RunNotices {
public:
    // All of these must outlive this object.
    RunNotices(RunObserver& observer, RunControl& control, RunSegment& segment, RunClock& clock,
               const TrainingState& state)
        : observer_(observer), control_(control), segment_(segment), clock_(clock), state_(state) {}

    // Notifies the observer only; clients see the run's status instead.
    void show(const std::string& text) { observer_.info(text); }
    // Notifies the observer and clients. inform() is for messages that report no problem.
    void notify(const std::string& text);
    void inform(const std::string& text);
    // Adds an event row. Needs an open segment.
    void record(EventLevel level, const std::string& kind, const std::string& text,
                Json data = Json::object());
    // Notifies all three.
    void notifyAndRecord(EventLevel level, const std::string& kind, const std::string& text,
                         Json data = Json::object());

    void started();
    void evaluated(const EvaluationResult& result);
    // `error`: "" unless the run failed.
    void ended(RunStatus status, const std::string& error);

    // Reports problems with saving, suspend and clock changes since the last call.
    void collect();

private:
    RunObserver& observer_;
    RunControl& control_;
    RunSegment& segment_;
    RunClock& clock_;
    const TrainingState& state_;
};

}  // namespace seedbed
