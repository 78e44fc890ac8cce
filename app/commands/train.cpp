// SPDX-License-Identifier: Apache-2.0
// seedbed train: puts the configuration together from defaults, preset, file and command line, and trains.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include <sys/ioctl.h>
#include <unistd.h>

#include "app/command.hpp"
#include "app/configuration.hpp"
#include "app/interrupt.hpp"
#include "core/base/text.hpp"
#include "core/policy/checkpoint.hpp"
#include "core/run/run.hpp"
#include "core/store/store.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed::app {
namespace {

struct TrainOptions {
    ConfigurationRequest configuration;
    std::string name, init_from;
    std::optional<double> fail_below;
    bool dry_run = false;
};

// A longer line would wrap, and could not be refreshed.
std::size_t terminalColumns() {
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 200;
}

// How a run is shown: one line that refreshes on a terminal, plain lines elsewhere, JSON lines with --json.
class ConsoleObserver final : public RunObserver {
public:
    ConsoleObserver(const Context& context, const Clock& clock)
        : json_(context.json), quiet_(context.quiet), terminal_(isatty(STDERR_FILENO) != 0), clock_(clock) {}

    void started(std::int64_t id, const SessionPlan& plan) override {
        if (json_) {
            printJson({{"id", id}});
        } else {
            std::printf("%lld\n", static_cast<long long>(id));
            std::fflush(stdout);
        }
        if (quiet_) return;
        std::fprintf(stderr, "run %lld: %s with %s, %s parameters, engine %s, %d threads, about %s of memory\n", static_cast<long long>(id),
                     plan.config.env_id.c_str(), plan.config.algo_id.c_str(),
                     formatCount(static_cast<std::int64_t>(plan.parameters)).c_str(), plan.engine.id.c_str(), plan.threads,
                     formatBytes(plan.memory.total()).c_str());
    }

    void progress(const ProgressReport& p) override {
        const double now = static_cast<double>(clock_.monotonicNs()) * 1e-9;
        const bool done = p.goal_steps > 0 && p.steps >= p.goal_steps;
        if (now - last_ < (terminal_ && !json_ ? 0.1 : 2.0) && !done) return;
        last_ = now;
        if (json_) {
            printJson({{"steps", p.steps},
                       {"updates", p.updates},
                       {"steps_per_s", p.steps_per_s},
                       {"return", p.mean_return ? Json(*p.mean_return) : Json()},
                       {"elapsed_s", p.elapsed_s},
                       {"eta_s", p.eta_s ? Json{p.eta_s->first, p.eta_s->second} : Json()}});
            return;
        }
        if (quiet_) return;
        std::string line = formatCount(static_cast<std::int64_t>(p.steps));
        if (p.goal_steps > 0) line += " of " + formatCount(static_cast<std::int64_t>(p.goal_steps));
        line += " steps, " + formatCount(std::llround(p.steps_per_s)) + "/s";
        if (p.mean_return) line += ", return " + formatNumber(std::round(*p.mean_return * 100) / 100);
        if (p.last_evaluation) line += ", evaluation " + formatNumber(std::round(*p.last_evaluation * 100) / 100);
        line += ", " + formatDuration(p.elapsed_s);
        if (p.eta_s) line += ", " + formatDuration(p.eta_s->first) + " to " + formatDuration(p.eta_s->second) + " left";
        line += ", next checkpoint in " + formatDuration(p.next_checkpoint_s);
        if (terminal_) line.resize(std::min<std::size_t>(line.size(), terminalColumns() - 1));
        std::fprintf(stderr, terminal_ ? "\r\x1b[K%s" : "%s\n", line.c_str());
        std::fflush(stderr);
        open_line_ = terminal_;
    }

    void evaluated(std::uint64_t steps, const EvaluationResult& result) override {
        const Summary& s = result.summary;
        if (json_) {
            printJson(
                {{"evaluation",
                  {{"steps", steps}, {"n", s.n}, {"mean", s.mean}, {"std", s.std}, {"iqm", s.iqm}, {"ci95", {s.ci_low, s.ci_high}}}}});
            return;
        }
        if (terminal_ || quiet_) return;  // a terminal shows it in the line
        std::fprintf(stderr, "evaluation at %s steps: %.4g over %zu episodes\n", formatCount(static_cast<std::int64_t>(steps)).c_str(),
                     s.mean, s.n);
    }

    void message(const std::string& text) override {
        closeLine();
        std::fprintf(stderr, "%s\n", text.c_str());
    }

    void closeLine() {
        if (open_line_) std::fputc('\n', stderr);
        open_line_ = false;
    }

private:
    bool json_, quiet_, terminal_, open_line_ = false;
    const Clock& clock_;
    double last_ = -1e9;
};

// All that `train` would check, without starting anything.
Result<int> dryRun(const TrainOptions& options, const Configuration& configuration, const Context& context) {
    SEEDBED_ASSIGN(const SessionPlan plan, Session::plan(configuration.config));
    SEEDBED_TRY(Session::checkMemory(plan));
    if (!options.name.empty()) SEEDBED_TRY(checkRunName(options.name));
    if (!options.init_from.empty()) {
        RealFileSystem files;
        const RunResolver resolve = [&](std::string_view run) -> Result<std::int64_t> {
            SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
            return reader.resolveRun(run);
        };
        SEEDBED_ASSIGN([[maybe_unused]] const LoadedPolicy loaded, loadPolicy(files, context.data_folder, options.init_from, resolve));
    }
    const MemoryNeed& memory = plan.memory;
    const Json need{{"rings", memory.rings}, {"learner", memory.learner}, {"networks", memory.networks}, {"total", memory.total()}};
    if (context.json) {
        printJson({{"config", plan.config.document},
                   {"changed", configuration.changed},
                   {"preset", configuration.preset},
                   {"engine", plan.engine.id},
                   {"engine_why", plan.engine.why},
                   {"threads", plan.threads},
                   {"groups", plan.groups},
                   {"parameters", plan.parameters},
                   {"memory_bytes", need}});
        return kOk;
    }
    std::printf("%s\n", plan.config.document.dump(2).c_str());
    std::fprintf(
        stderr,
        "%s parameters, engine %s (%s), %d threads, %d groups\nmemory: %s (rings %s, learner %s, networks %s)\nNothing was started.\n",
        formatCount(static_cast<std::int64_t>(plan.parameters)).c_str(), plan.engine.id.c_str(), plan.engine.why.c_str(), plan.threads,
        plan.groups, formatBytes(memory.total()).c_str(), formatBytes(memory.rings).c_str(), formatBytes(memory.learner).c_str(),
        formatBytes(memory.networks).c_str());
    return kOk;
}

void printEnd(const RunOutcome& outcome, const Summary* last, const Context& context) {
    std::fprintf(stderr, "%s run %lld after %s steps in %s", outcome.interrupted ? "stopped" : "finished",
                 static_cast<long long>(outcome.id), formatCount(static_cast<std::int64_t>(outcome.steps)).c_str(),
                 formatDuration(outcome.elapsed_s).c_str());
    if (last != nullptr) std::fprintf(stderr, "; last evaluation %.4g +- %.4g over %zu episodes", last->mean, last->std, last->n);
    std::fprintf(stderr, "; saved in %s\n", context.data_folder.c_str());
}

Result<int> train(TrainOptions& options, const Context& context) {
    options.configuration.settings.insert(options.configuration.settings.end(), context.settings.begin(), context.settings.end());
    SEEDBED_ASSIGN(const Configuration configuration, makeConfiguration(options.configuration));
    if (options.fail_below && !std::isfinite(*options.fail_below)) return fail(ErrorCode::config, "--fail-below must be a finite number");
    if (options.dry_run) return dryRun(options, configuration, context);

    RealFileSystem files;
    RealClock clock;
    Interrupt interrupt;
    ConsoleObserver observer(context, clock);
    const RunRequest request{configuration.config, options.name, configuration.preset, context.data_folder, options.init_from};
    auto result = trainRun(request, observer, interrupt.token(), files, clock);
    observer.closeLine();
    if (!result) return tl::unexpected<Error>(std::move(result).error());
    const RunOutcome& outcome = *result;
    const Summary* last = outcome.last_evaluation ? &outcome.last_evaluation->summary : nullptr;
    if (context.json)
        printJson({{"done",
                    {{"id", outcome.id},
                     {"steps", outcome.steps},
                     {"interrupted", outcome.interrupted},
                     {"target_reached", outcome.target_reached},
                     {"elapsed_s", outcome.elapsed_s},
                     {"params_sha256", outcome.params_sha256},
                     {"last_return", last ? Json(last->mean) : Json()}}}});
    if (!context.quiet) printEnd(outcome, last, context);
    if (outcome.interrupted) return kInterrupted;
    if (options.fail_below && (last == nullptr || last->mean < *options.fail_below)) {
        std::fprintf(stderr, "goal not reached: %s %s\n",
                     last == nullptr ? "there was no evaluation to compare with" : "the last evaluation is below",
                     formatNumber(*options.fail_below).c_str());
        return kGoalNotReached;
    }
    return kOk;
}

SEEDBED_REGISTER_COMMAND(
    train, {.id = "train",
            .summary = "Train an agent",
            .examples = {"seedbed train cartpole", "seedbed train pendulum --seed 3 --minutes 5",
                         "seedbed train cartpole --algo.gamma 0.98 --dry-run", "seedbed train cartpole --init-from 1:best --steps 20000"},
            .takes_settings = true,
            .define = [](CLI::App& cli) -> Action {
                auto options = std::make_shared<TrainOptions>();
                defineConfigurationOptions(cli, options->configuration);
                cli.add_option("--name", options->name, "Name of the run")->check(notEmpty());
                cli.add_option("--init-from", options->init_from, "Start from the weights of RUN, RUN:best, RUN:STEP or a folder")
                    ->check(notEmpty());
                cli.add_option("--fail-below", options->fail_below, "Exit with 6 when the mean of the last evaluation is below this");
                cli.add_flag("--dry-run", options->dry_run, "Check everything, print configuration and memory, start nothing");
                return [options](const Context& context) { return train(*options, context); };
            }});

}  // namespace
}  // namespace seedbed::app
