// SPDX-License-Identifier: Apache-2.0
#include "core/run/progress/progress_reporter.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"

namespace seedbed {
namespace {

constexpr double kStatusInterval = 0.05;  // seconds

// The format is described in core/control/README.md.
Json statusJson(const ProgressReport& p, RunStatus status, RunId run, double trained_s, bool saving) {
    return {{"state", nameOf(status)},
            {"phase", nameOf(p.phase)},
            {"run", run},
            {"steps", p.steps},
            {"goal_steps", p.goal_steps},
            {"updates", p.updates},
            {"steps_per_s", p.steps_per_s},
            {"return", p.mean_return ? Json(*p.mean_return) : Json()},
            {"evaluation", p.last_evaluation ? Json(*p.last_evaluation) : Json()},
            {"elapsed_s", p.elapsed_s},
            {"trained_s", trained_s},
            {"eta_s", p.eta_s ? Json{p.eta_s->first, p.eta_s->second} : Json()},
            {"next_checkpoint_s", p.next_checkpoint_s},
            {"saving", saving},
            {"reason", p.reason}};
}

}  // namespace

void ProgressReporter::setStatus(RunStatus status, const std::string& text) {
    SEEDBED_CHECK(mayFollow(status_, status), std::string(nameOf(status_)) + " -> " + nameOf(status));
    status_ = status;
    segment_.writer().status(status, text);
}

void ProgressReporter::setPhase(RunPhase phase) {
    if (std::exchange(phase_, phase) == phase) return;
    const ProgressReport now = progress();
    published_ = -1;
    publish(now);
    observer_.phase(now);
}

void ProgressReporter::beginUpdate() {
    setPhase(phaseOfUpdate(update_s_, state_.config.run.schedule == "sync"));
}

void ProgressReporter::beginLearning() {
    if (phase_ == RunPhase::collecting) setPhase(RunPhase::learning);
}

void ProgressReporter::addSpeed() { speed_.add(time_.withoutExcluded(), state_.session->progress().steps); }

void ProgressReporter::report() {
    const ProgressReport now = progress();
    observer_.progress(now);
    publish(now);
}

void ProgressReporter::reportNow() {
    published_ = -1;
    report();
}

void ProgressReporter::reportNow(RunPhase phase, std::string reason) {
    phase_ = phase;
    reason_ = std::move(reason);
    reportNow();
}

ProgressReport ProgressReporter::progress() const {
    const Progress& done = state_.session->progress();
    ProgressReport p;
    p.phase = phase_;
    p.steps = done.steps;
    p.updates = done.updates;
    p.goal_steps = static_cast<std::uint64_t>(state_.config.run.steps);
    p.steps_per_s = speed_.mean();
    if (!state_.counters.returns.empty()) p.mean_return = state_.counters.meanReturn();
    if (state_.last_evaluation) p.last_evaluation = state_.last_evaluation->summary.mean;
    p.elapsed_s = time_.elapsed();
    if (const auto [slow, fast] = speed_.range(); p.goal_steps > p.steps && slow > 0) {
        const auto left = static_cast<double>(p.goal_steps - p.steps);
        p.eta_s = {left / fast, left / slow};
    }
    // The run also ends when its training time reaches the limit.
    if (const double minutes = state_.config.run.minutes; minutes > 0) {
        const double left = std::max(0.0, minutes * 60 - time_.trained());
        p.eta_s = p.eta_s ? std::pair{std::min(left, p.eta_s->first), std::min(left, p.eta_s->second)}
                          : std::pair{left, left};
    }
    p.reason = reason();
    p.next_checkpoint_s = segment_.saver().secondsUntilDue(state_.config.checkpoint);
    return p;
}

// Why training waits, is paused by a rule or has low priority.
std::string ProgressReporter::reason() const {
    if (phase_ == RunPhase::waiting) return reason_;
    if (phase_ == RunPhase::stopping || phase_ == RunPhase::ended) return "";
    const RunControl::Hold hold = control_.hold();
    if (phase_ == RunPhase::paused) return hold.reason;
    return hold.low_priority.empty() ? "" : "low priority: " + hold.low_priority;
}

void ProgressReporter::publish(const ProgressReport& progress) {
    if (clock_.now() - published_ < kStatusInterval) return;
    published_ = clock_.now();
    control_.publishStatus(statusJson(progress, status_, state_.id, time_.trained(), segment_.isSaving()));
}

}  // namespace seedbed
