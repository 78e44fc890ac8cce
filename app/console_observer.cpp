// SPDX-License-Identifier: Apache-2.0
// Progress and result of a run as text and JSON lines.
#include "app/console_observer.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <sys/ioctl.h>
#include <unistd.h>

#include "app/terminal.hpp"
#include "core/base/text.hpp"

namespace seedbed::app {
namespace {

// The width of the terminal. A progress line must not wrap, because only a single line can be refreshed.
std::size_t terminalColumns() {
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 200;
}

// Shortens the line by omitting whole parts, less important ones first.
std::string progressLine(const ProgressReport& p, std::size_t room) {
    struct Part {
        int rank;  // parts with the highest rank are omitted first
        std::string text;
    };
    std::string steps = formatCount(static_cast<std::int64_t>(p.steps));
    if (p.goal_steps > 0) steps += " of " + formatCount(static_cast<std::int64_t>(p.goal_steps));
    std::vector<Part> parts{{0, steps + " steps"}};
    if (p.phase != RunPhase::ended)
        parts.insert(parts.begin(),
                     {3, nameOf(p.phase) + (p.reason.empty() ? "" : " (" + p.reason + ")") + ":"});
    // The speed is 0 until the first measurement.
    if (p.steps_per_s > 0) parts.push_back({2, formatCount(std::llround(p.steps_per_s)) + "/s"});
    if (p.mean_return) parts.push_back({1, "return " + formatNumber(std::round(*p.mean_return * 100) / 100)});
    if (p.last_evaluation)
        parts.push_back({5, "evaluation " + formatNumber(std::round(*p.last_evaluation * 100) / 100)});
    parts.push_back({6, formatDuration(p.elapsed_s)});
    if (p.eta_s) {
        const std::string soonest = formatDuration(p.eta_s->first), latest = formatDuration(p.eta_s->second);
        parts.push_back({4, (soonest == latest ? soonest : soonest + " to " + latest) + " left"});
    }
    parts.push_back({7, "next checkpoint in " + formatDuration(p.next_checkpoint_s)});
    while (true) {
        std::string line;
        for (const Part& part : parts)
            line += (line.empty() ? "" : line.back() == ':' ? " " : ", ") + part.text;
        if (line.size() <= room || parts.size() == 1) return line;
        parts.erase(std::max_element(parts.begin(), parts.end(),
                                     [](const Part& a, const Part& b) { return a.rank < b.rank; }));
    }
}

// Milliseconds for which each checkpoint blocked training.
Json stallsMs(const RunOutcome& outcome) {
    Json stalls = Json::array();
    for (const double seconds : outcome.checkpoint_stalls_s)
        stalls.push_back(std::round(seconds * 1e6) / 1e3);
    return stalls;
}

Json toJson(const std::vector<TaskScore>& tasks) {
    Json json = Json::array();
    for (const TaskScore& score : tasks)
        json.push_back({{"task", score.task},
                        {"episodes", score.episodes},
                        {"mean", score.mean},
                        {"human_normalised", score.human_normalised}});
    return json;
}

// Prints one line per task if there are several.
void printTasks(const std::vector<TaskScore>& tasks) {
    if (tasks.size() < 2) return;
    std::fprintf(stderr, "last evaluation by task: mean return, human-normalised score\n");
    for (const TaskScore& score : tasks)
        std::fprintf(stderr, "  %-40s %10.4g %8.1f %%  (%d episodes)\n", score.task.c_str(), score.mean,
                     score.human_normalised, score.episodes);
}

void printEnd(const RunOutcome& outcome, const Summary* last, const std::optional<double>& percent,
              const Context& context) {
    std::fprintf(stderr, "%s run %lld after %s steps in %s",
                 !outcome.interrupted         ? "finished"
                 : outcome.stopped_on_request ? "stopped"
                                              : "interrupted",
                 static_cast<long long>(outcome.id),
                 formatCount(static_cast<std::int64_t>(outcome.steps)).c_str(),
                 formatDuration(outcome.elapsed_s).c_str());
    if (last != nullptr)
        std::fprintf(stderr, "; last evaluation %.4g +- %.4g over %s", last->mean, last->std,
                     countText(static_cast<std::int64_t>(last->n), "episode").c_str());
    if (percent) std::fprintf(stderr, ", %.1f %% human-normalised", *percent);
    if (outcome.missed_target)
        std::fprintf(stderr, "; the target return of %s was not reached",
                     formatNumber(*outcome.missed_target).c_str());
    std::fprintf(stderr, "; saved in %s\n", context.data_folder.c_str());
}

}  // namespace

ConsoleObserver::ConsoleObserver(const Context& context, const Clock& clock,
                                 std::function<void(std::int64_t)> on_started)
    : json_(context.json),
      quiet_(context.quiet),
      terminal_(isatty(STDERR_FILENO) != 0),
      clock_(clock),
      on_started_(std::move(on_started)) {}

void ConsoleObserver::started(std::int64_t id, const SessionPlan& plan) {
    if (printed_id_) return;
    printed_id_ = true;
    on_started_(id);
    if (json_) {
        printJson({{"event", "started"}, {"id", id}});
    } else {
        std::printf("%lld\n", static_cast<long long>(id));
        std::fflush(stdout);
    }
    if (quiet_) return;
    std::fprintf(stderr, "run %lld: %s with %s, %s parameters, engine %s, %d threads, about %s of memory\n",
                 static_cast<long long>(id), plan.config.env_id.c_str(), plan.config.algo_id.c_str(),
                 formatCount(static_cast<std::int64_t>(plan.parameters)).c_str(), plan.engine.id.c_str(),
                 plan.threads, formatBytes(plan.memory.total()).c_str());
}

void ConsoleObserver::progress(const ProgressReport& p) {
    const double now = static_cast<double>(clock_.monotonicNs()) * 1e-9;
    const bool done = p.goal_steps > 0 && p.steps >= p.goal_steps;
    if (now - last_ < (terminal_ && !json_ ? 0.1 : 2.0) && !done) return;
    last_ = now;
    if (json_) {
        printStatus(p);
        return;
    }
    if (!quiet_) showLine(p);
}

// Prints the same JSON as 'seedbed attach --json'.
void ConsoleObserver::printStatus(const ProgressReport& p) {
    phase_ = p.phase;
    printJson({{"event", "status"},
               {"phase", nameOf(p.phase)},
               {"steps", p.steps},
               {"goal_steps", p.goal_steps},
               {"updates", p.updates},
               {"steps_per_s", p.steps_per_s},
               {"return", p.mean_return ? Json(*p.mean_return) : Json()},
               {"elapsed_s", p.elapsed_s},
               {"eta_s", p.eta_s ? Json{p.eta_s->first, p.eta_s->second} : Json()},
               {"reason", p.reason}});
}

// A new phase is shown immediately in the refreshed line and in JSON, but not in a log, where it would add
// two lines per evaluation.
void ConsoleObserver::phase(const ProgressReport& p) {
    if (p.phase == phase_ || (!open_line_ && p.phase == RunPhase::training)) return;
    if (json_) printStatus(p);
    else if (terminal_ && !quiet_) showLine(p);
}

void ConsoleObserver::showLine(const ProgressReport& p) {
    phase_ = p.phase;
    const std::string line = progressLine(p, terminal_ ? terminalColumns() - 1 : std::string::npos);
    if (terminal_) eraseLine();
    std::fprintf(stderr, terminal_ ? "%s" : "%s\n", line.c_str());
    std::fflush(stderr);
    open_line_ = terminal_;
}

void ConsoleObserver::evaluated(std::uint64_t steps, const EvaluationResult& result) {
    const Summary& s = result.summary;
    if (json_) {
        printJson({{"event", "evaluated"},
                   {"steps", steps},
                   {"n", s.n},
                   {"mean", s.mean},
                   {"evaluation",
                    {{"steps", steps},
                     {"n", s.n},
                     {"mean", s.mean},
                     {"std", s.std},
                     {"iqm", s.iqm},
                     {"ci95", {s.ci_low, s.ci_high}}}}});
        return;
    }
    if (terminal_ || quiet_) return;  // a terminal shows the result in the progress line
    std::fprintf(stderr, "evaluation at %s steps: %.4g over %s\n",
                 formatCount(static_cast<std::int64_t>(steps)).c_str(), s.mean,
                 countText(static_cast<std::int64_t>(s.n), "episode").c_str());
}

void ConsoleObserver::message(const std::string& text) {
    closeLine();
    std::fprintf(stderr, "%s\n", text.c_str());
}

void ConsoleObserver::info(const std::string& text) {
    if (!quiet_) message(text);
}

void ConsoleObserver::closeLine() {
    if (open_line_) std::fputc('\n', stderr);
    open_line_ = false;
}

int reportEnd(const RunOutcome& outcome, const std::optional<double>& fail_below, const Context& context) {
    const Summary* last = outcome.last_evaluation ? &outcome.last_evaluation->summary : nullptr;
    const std::vector<TaskScore> tasks =
        outcome.last_evaluation ? outcome.last_evaluation->tasks : std::vector<TaskScore>{};
    const std::optional<double> percent =
        outcome.last_evaluation ? humanNormalised(*outcome.last_evaluation) : std::nullopt;
    if (context.json)
        printJson({{"event", "ended"},
                   {"state", outcome.interrupted ? "interrupted" : "finished"},
                   {"done",
                    {{"id", outcome.id},
                     {"steps", outcome.steps},
                     {"interrupted", outcome.interrupted},
                     {"target_reached", outcome.target_reached},
                     {"target_missed", outcome.missed_target.has_value()},
                     {"elapsed_s", outcome.elapsed_s},
                     {"params_sha256", outcome.params_sha256},
                     {"checkpoint_stalls_ms", stallsMs(outcome)},
                     {"last_return", last ? Json(last->mean) : Json()},
                     {"human_normalised", percent ? Json(*percent) : Json()},
                     {"tasks", toJson(tasks)}}}});
    if (!context.quiet) {
        printTasks(tasks);
        printEnd(outcome, last, percent, context);
    }
    if (outcome.interrupted) return kInterrupted;
    if (fail_below && (last == nullptr || last->mean < *fail_below)) {
        std::fprintf(stderr, "goal not reached: %s %s\n",
                     last == nullptr ? "no evaluation to compare with" : "the last evaluation is below",
                     formatNumber(*fail_below).c_str());
        return kGoalNotReached;
    }
    if (outcome.missed_target) return kGoalNotReached;
    return kOk;
}

}  // namespace seedbed::app
