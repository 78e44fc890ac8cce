// SPDX-License-Identifier: Apache-2.0
// How a run is shown on a terminal, in a log, or as JSON lines; and how its end is told, exit code included.
#pragma once

#include <optional>

#include "app/command.hpp"
#include "core/base/clock.hpp"
#include "core/run/run.hpp"

namespace seedbed::app {

// One line that refreshes on a terminal, plain lines elsewhere, JSON lines with --json. Thread: the run's.
class ConsoleObserver final : public RunObserver {
public:
    ConsoleObserver(const Context& context, const Clock& clock);

    void started(std::int64_t id, const SessionPlan& plan) override;
    void progress(const ProgressReport& p) override;
    void phase(const ProgressReport& p) override;
    void evaluated(std::uint64_t steps, const EvaluationResult& result) override;
    void message(const std::string& text) override;
    void closeLine();

private:
    void showLine(const ProgressReport& p);

    bool json_, quiet_, terminal_, open_line_ = false, said_id_ = false;
    const Clock& clock_;
    double last_ = -1e9;
    RunPhase phase_ = RunPhase::training;  // that the line shows
};

// Prints how the run ended; the exit code. `fail_below`: the mean that the last evaluation must reach.
int tellEnd(const RunOutcome& outcome, const std::optional<double>& fail_below, const Context& context);

}  // namespace seedbed::app
