// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/doctor/state_rules.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <string_view>

namespace seedbed::doctor {
namespace {

using Severity = Finding::Severity;

// A learning rate below this share of its highest value has practically no effect.
constexpr double kRateOver = 1e-3;
// Smaller shares of a run without an effective learning rate are not reported.
constexpr double kWasted = 0.1;
// Fewer processes that exit without saving a checkpoint may be a coincidence.
constexpr int kManyEnds = 3;

// Recognises errors of core/learn by their text, since runs of older versions recorded nothing else.
bool saysNotFinite(const std::string& text) {
    return text.find("not a finite number") != std::string::npos ||
           text.find("the gradient of parameter") != std::string::npos;
}

// Such a run fails again when it is resumed.
bool failedNotFinite(const RunView& run) {
    return run.status == RunStatus::failed && saysNotFinite(run.status_text);
}

// Evidence of non-finite numbers in a run: the run's own message, or a metric and a step.
std::optional<LocalizableText> notFiniteEvidence(const RunView& run) {
    if (failedNotFinite(run)) return LocalizableText{SEEDBED_TEXT("the run failed: %1"), {run.status_text}};
    for (const EventRecord& event : run.events)
        if (event.kind == "rolled_back")
            return LocalizableText{SEEDBED_TEXT("the run was rolled back %1"), {event.text}};
    for (const auto& [name, curve] : run.metrics) {
        const auto bad =
            std::find_if(curve.y.begin(), curve.y.end(), [](double y) { return !std::isfinite(y); });
        if (bad == curve.y.end()) continue;
        return LocalizableText{SEEDBED_TEXT("%1 at step %2"),
                               {name, stepText(curve.x[static_cast<std::size_t>(bad - curve.y.begin())])}};
    }
    return std::nullopt;
}

std::optional<Finding> notANumber(const RunView& run, const Outcome&, const std::vector<Suspect>& suspects) {
    const auto evidence = notFiniteEvidence(run);
    if (!evidence) return std::nullopt;
    Finding f = found("not_a_number", Severity::problem,
                      SEEDBED_TEXT("Training produced numbers that are not finite."));
    f.evidence = *evidence;
    f.cause =
        SEEDBED_TEXT("a step so large that the network diverged, or extremely large observations or rewards");
    const auto changed = std::find_if(suspects.begin(), suspects.end(),
                                      [](const Suspect& s) { return s.diverges && s.strength >= 0.5; });
    if (changed != suspects.end()) {
        f.blames = {changed->key};
        f.settings = {{changed->key, changed->from}};
        f.remedy = SEEDBED_TEXT("a new run with the usual value; resuming with the current one fails again");
        return f;
    }
    f.remedy = SEEDBED_TEXT(
        "a new run with a tenth of the learning rate; resuming with the current one fails again");
    if (const double rate = setting(run, "algo.learning_rate", 0); rate > 0)
        suggest(f, run, "algo.learning_rate", rate / 10);
    if (setting(run, "optimiser.max_grad_norm", 0.5) == 0) f.settings["optimiser.max_grad_norm"] = 0.5;
    return f;
}

std::optional<Finding> failed(const RunView& run, const Outcome&, const std::vector<Suspect>&) {
    if (run.status != RunStatus::failed || failedNotFinite(run)) return std::nullopt;
    Finding f = found("failed", Severity::problem, SEEDBED_TEXT("The run failed."));
    f.evidence = {"%1", {run.status_text}};
    f.cause = SEEDBED_TEXT("an error outside the learning algorithm");
    f.remedy = SEEDBED_TEXT("remove the cause, then resume the run");
    f.resume = true;
    return f;
}

bool happened(const RunView& run, std::initializer_list<std::string_view> kinds, double from, double until) {
    return std::any_of(run.events.begin(), run.events.end(), [&](const EventRecord& event) {
        return event.time >= from && event.time < until &&
               std::find(kinds.begin(), kinds.end(), event.kind) != kinds.end();
    });
}

// Number of the most recent consecutive processes that began at the same step with the same settings and
// ended without a stop request and without a later checkpoint.
int processesThatEnded(const RunView& run) {
    int ended = 0;
    double until = std::numeric_limits<double>::infinity();
    for (auto segment = run.segments.rbegin(); segment != run.segments.rend(); ++segment) {
        if (segment->begin_step != run.segments.back().begin_step || segment->begin_step < run.saved_step ||
            happened(run, {"stopped", "failed"}, segment->started, until))
            break;
        if (segment != run.segments.rbegin() || !isLive(run.status)) ++ended;
        if (happened(run, {"settings", "rolled_back"}, segment->started, until)) break;
        until = segment->started;
    }
    return ended;
}

std::optional<Finding> processEnds(const RunView& run, const Outcome&, const std::vector<Suspect>&) {
    if (run.status == RunStatus::failed || run.status == RunStatus::finished) return std::nullopt;
    const int ended = processesThatEnded(run);
    if (ended < kManyEnds) return std::nullopt;
    Finding f =
        found("process_ends", Severity::problem, SEEDBED_TEXT("The process of this run exits repeatedly."));
    f.evidence = {SEEDBED_TEXT("%1 consecutive processes began at step %2; each ended without a stop request "
                               "or a later checkpoint"),
                  {std::to_string(ended), std::to_string(run.segments.back().begin_step)}};
    f.cause =
        SEEDBED_TEXT("the system killed it because memory ran out, or an environment or a driver crashed");
    f.remedy = SEEDBED_TEXT(
        "find the cause at the end of the run's log and of the system's log ('journalctl -k'), remove it, "
        "then resume the run; fewer environments need less memory");
    f.resume = true;
    return f;
}

std::optional<Finding> notTrained(const RunView& run, const Outcome&, const std::vector<Suspect>&) {
    if (run.steps > 0 || run.saved_step > 0 ||
        (run.status != RunStatus::queued && run.status != RunStatus::interrupted) ||
        processesThatEnded(run) >= kManyEnds)
        return std::nullopt;
    const bool started = !run.segments.empty();
    Finding f = found("not_trained", Severity::note,
                      started ? SEEDBED_TEXT("The run ended before its first update.")
                              : SEEDBED_TEXT("The run has not started training yet."));
    f.evidence = {SEEDBED_TEXT("it has trained for 0 steps"), {}};
    if (run.status == RunStatus::queued) {
        f.cause = SEEDBED_TEXT("the run is queued");
        f.remedy = SEEDBED_TEXT("start the queue with 'seedbed queue start'");
        return f;
    }
    f.cause = SEEDBED_TEXT("it was removed from the queue, or its process was stopped or killed");
    f.remedy = SEEDBED_TEXT("resume the run");
    f.resume = true;
    return f;
}

// The step from which the learning rate stays practically 0, if there is one.
std::optional<double> scheduleEnd(const RunView& run) {
    const auto at = run.metrics.find("optimiser/learning_rate");
    if (at == run.metrics.end() || at->second.size() < 2) return std::nullopt;
    const std::vector<double>& rate = at->second.y;
    const double highest = *std::max_element(rate.begin(), rate.end());
    if (!(highest > 0)) return std::nullopt;
    std::size_t end = rate.size();
    while (end > 0 && rate[end - 1] <= kRateOver * highest) --end;
    // A row contains the rate of the update that ends at its step, so the steps without effect begin one row
    // earlier.
    return end < rate.size() ? std::optional(at->second.x[end - 1]) : std::nullopt;
}

std::optional<Finding> scheduleOver(const RunView& run, const Outcome& outcome, const std::vector<Suspect>&) {
    if (settingOf(run.config, "algo.lr_schedule") == "kl_adaptive") return std::nullopt;
    const auto end = scheduleEnd(run);
    const double steps = static_cast<double>(run.steps);
    if (!end || steps <= 0 || steps - *end < kWasted * steps) return std::nullopt;
    Finding f = found("schedule_over", Severity::warning,
                      SEEDBED_TEXT("The learning rate reached 0 long before the end."));
    f.evidence = {SEEDBED_TEXT("it reached 0 at step %1 of %2: %3 % of the steps had no effect"),
                  {stepText(*end), stepText(steps), percent((steps - *end) / steps)}};
    f.cause = SEEDBED_TEXT("the schedule is shorter than the run");
    f.blames = {"algo.lr_horizon"};
    const bool resumed = std::any_of(run.events.begin(), run.events.end(),
                                     [](const EventRecord& event) { return event.kind == "resumed"; });
    const double planned = setting(run, "run.steps", 0) > 0 ? setting(run, "run.steps", 0) : steps;
    if (resumed && !failedNotFinite(run)) {
        f.resume = true;
        f.remedy = SEEDBED_TEXT("continue training with a schedule for the new total");
        f.settings = {{"run.steps", std::llround(2 * planned)},
                      {"algo.lr_horizon", std::llround(2 * planned)}};
    } else {
        f.remedy = SEEDBED_TEXT("a schedule as long as the run");
        f.settings = {{"algo.lr_horizon", std::llround(planned)}};
    }
    // Steps without effect are harmless once the goal is reached.
    if (outcome.good && !resumed) f.severity = Severity::note;
    return f;
}

std::optional<Finding> throughputFall(const RunView& run, const Outcome&, const std::vector<Suspect>&) {
    const std::vector<double> speed = valuesOf(run, "speed/env_steps_per_s");
    if (speed.size() < 4 * kMinPoints) return std::nullopt;
    const double before = medianOf(speed, 0.25, 0.5), now = medianOf(speed, 0.75, 1);
    if (now > 0.5 * before) return std::nullopt;
    Finding f = found("throughput_fall", Severity::note, SEEDBED_TEXT("Training became slower."));
    f.evidence = {SEEDBED_TEXT("%1 steps/s earlier, %2 steps/s now"),
                  {shortNumber(before), shortNumber(now)}};
    f.cause = SEEDBED_TEXT(
        "another program is using the CPU, the CPU is too hot, or episodes have become more costly to "
        "simulate");
    f.remedy = SEEDBED_TEXT("check what else is running; 'seedbed show' names the busiest part of the run");
    return f;
}

}  // namespace

std::vector<Finding> stateFindings(const RunView& run, const Outcome& outcome,
                                   const std::vector<Suspect>& suspects) {
    static constexpr std::array kRules{notANumber, failed,       processEnds,
                                       notTrained, scheduleOver, throughputFall};
    std::vector<Finding> findings;
    for (const auto& rule : kRules)
        if (auto finding = rule(run, outcome, suspects)) findings.push_back(std::move(*finding));
    return findings;
}

}  // namespace seedbed::doctor
