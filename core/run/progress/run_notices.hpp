// SPDX-License-Identifier: Apache-2.0
// What a run reports besides its numbers: event rows, and messages for the terminal and connected clients.
#pragma once

#include <string>

#include "core/run/run.hpp"
#include "core/run/run_clock.hpp"
#include "core/run/run_control.hpp"
#include "core/run/run_segment.hpp"
#include "core/run/training_state.hpp"

namespace seedbed {

// Three receivers: the observer (a terminal), clients of the control socket, and the database. Thread: the
// run's. Nothing here fails.
class RunNotices {
public:
    // All outlive this object.
    RunNotices(RunObserver& observer, RunControl& control, RunSegment& segment, RunClock& clock,
               const TrainingState& state)
        : observer_(observer), control_(control), segment_(segment), clock_(clock), state_(state) {}

    // To the observer alone; clients see the run's status instead.
    void show(const std::string& text) { observer_.message(text); }
    // To the observer and to clients.
    void notify(const std::string& text);
    // An event row. Needs an open segment.
    void record(EventLevel level, const std::string& kind, const std::string& text,
                Json data = Json::object()) {
        recordAt(state_.steps(), level, kind, text, std::move(data));
    }
    void recordAt(std::int64_t step, EventLevel level, const std::string& kind, const std::string& text,
                  Json data = Json::object());
    // To all three.
    void notifyAndRecord(EventLevel level, const std::string& kind, const std::string& text,
                         Json data = Json::object());

    void started();
    void evaluated(const EvaluationResult& result);
    // `error`: "" unless the run failed.
    void ended(RunStatus status, const std::string& error);

    // Reports what happened since the last call: trouble with saving, a suspended computer, a changed
    // clock.
    void collect();

private:
    RunObserver& observer_;
    RunControl& control_;
    RunSegment& segment_;
    RunClock& clock_;
    const TrainingState& state_;
};

}  // namespace seedbed
