// SPDX-License-Identifier: Apache-2.0
// Shows a run's progress on a terminal, in a log or as JSON lines, and reports its end.
#pragma once

#include <functional>
#include <optional>

#include "app/command.hpp"
#include "core/base/os/clock.hpp"
#include "core/run/run.hpp"

namespace seedbed::app {

// Shows one refreshed line on a terminal, plain lines elsewhere, JSON lines with --json. Thread: the run's.
class ConsoleObserver final : public RunObserver {
public:
    // `on_started` is called once the run exists and has a state to save.
    ConsoleObserver(const Context& context, const Clock& clock,
                    std::function<void(std::int64_t id)> on_started);

    void started(std::int64_t id, const SessionPlan& plan) override;
    void progress(const ProgressReport& p) override;
    void phase(const ProgressReport& p) override;
    void evaluated(std::uint64_t steps, const EvaluationResult& result) override;
    void message(const std::string& text) override;
    void info(const std::string& text) override;
    void closeLine();

private:
    void printStatus(const ProgressReport& p);
    void showLine(const ProgressReport& p);

    bool json_, quiet_, terminal_, open_line_ = false, printed_id_ = false;
    const Clock& clock_;
    std::function<void(std::int64_t)> on_started_;
    double last_ = -1e9;                   // time of the last progress line in seconds
    RunPhase phase_ = RunPhase::training;  // phase in the last progress line
};

// Prints the run's result and returns the exit code. `fail_below`: the mean return that the last evaluation
// must reach.
int reportEnd(const RunOutcome& outcome, const std::optional<double>& fail_below, const Context& context);

}  // namespace seedbed::app
