// SPDX-License-Identifier: Apache-2.0
// seedbed queue: several runs one after the other, over seeds and grids of settings, worked on by a process
// in the background.
#include <algorithm>
#include <cstdio>
#include <set>

#include "app/changed_settings.hpp"
#include "app/command.hpp"
#include "app/configuration.hpp"
#include "app/interrupt.hpp"
#include "core/analysis/comparison.hpp"
#include "core/base/text.hpp"
#include "core/control/launch.hpp"
#include "core/jobs/queue.hpp"
#include "core/session/session.hpp"
#include "core/store/database.hpp"
#include "core/store/store.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed::app {
namespace {

constexpr std::size_t kMaxJobs = 10'000;

struct AddOptions {
    ConfigurationRequest configuration;
    std::string name, seeds, run;
    std::vector<std::string> grid, tags;
    bool start = false;
};

using Setting = std::pair<std::string, std::string>;

constexpr const char* kNextSeed = "next";

// The least seed from 1 on that no run with these settings has, and that is not among those that are being
// added.
Result<std::uint64_t> nextSeed(const NewRun& run, const std::vector<NewRun>& adding, const Context& context) {
    const Json settings = withoutSeed(run.config);
    std::set<std::uint64_t> taken;
    for (const NewRun& other : adding)
        if (withoutSeed(other.config) == settings) taken.insert(other.seed);
    if (std::filesystem::exists(context.data_folder / kDatabaseName)) {
        SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
        SEEDBED_ASSIGN(const auto known, reader.seededConfigs(run.env, run.algo));
        for (const auto& [seed, config] : known)
            if (!taken.contains(seed) && withoutSeed(config) == settings) taken.insert(seed);
    }
    std::uint64_t seed = 1;
    while (taken.contains(seed)) ++seed;
    return seed;
}

// "1..5" or "1,2,7", mixed as well.
Result<std::vector<std::string>> parseSeeds(const std::string& text) {
    std::vector<std::string> seeds;
    for (const std::string& part : split(text, ',')) {
        const auto dots = part.find("..");
        const auto first = parseInteger(part.substr(0, dots));
        const auto last = dots == std::string::npos ? first : parseInteger(part.substr(dots + 2));
        if (!first || !last || *first < 0 || *last < *first ||
            *last - *first >= static_cast<std::int64_t>(kMaxJobs))
            return fail(ErrorCode::config, "'" + part + "' are no seeds; say 1..5 or 1,2,7");
        for (std::int64_t seed = *first; seed <= *last; ++seed) seeds.push_back(std::to_string(seed));
    }
    if (seeds.empty()) return fail(ErrorCode::config, "'" + text + "' are no seeds; say 1..5 or 1,2,7");
    return seeds;
}

// All combinations of --grid KEY=V1,V2 and --seeds, the seeds changing fastest.
Result<std::vector<std::vector<Setting>>> combinations(const AddOptions& options) {
    std::vector<std::vector<Setting>> all{{}};
    // Asked before the product is made: it may be larger than the memory.
    const auto multiply = [&](const std::string& key, const std::vector<std::string>& values) -> Result<> {
        if (all.size() * values.size() > kMaxJobs)
            return fail(ErrorCode::config, "more than 10,000 runs; make the grid smaller");
        std::vector<std::vector<Setting>> next;
        for (const auto& settings : all)
            for (const std::string& value : values) {
                next.push_back(settings);
                next.back().emplace_back(key, value);
            }
        all = std::move(next);
        return {};
    };
    std::set<std::string> keys;
    for (const std::string& axis : options.grid) {
        const auto equals = axis.find('=');
        const std::string key = axis.substr(0, equals);
        const auto values =
            equals == std::string::npos ? std::vector<std::string>() : split(axis.substr(equals + 1), ',');
        if (key.find('.') == std::string::npos || values.empty())
            return fail(
                ErrorCode::config,
                "'" + axis +
                    "' is no axis of a grid; say KEY=VALUE,VALUE, for example algo.learning_rate=1e-4,3e-4");
        if (!keys.insert(key).second) return fail(ErrorCode::config, "'" + key + "' is on the grid twice");
        SEEDBED_TRY(multiply(key, values));
    }
    if (!options.seeds.empty() && options.seeds != kNextSeed) {
        SEEDBED_ASSIGN(const auto seeds, parseSeeds(options.seeds));
        SEEDBED_TRY(multiply("run.seed", seeds));
    }
    return all;
}

// ": algo.learning_rate=1e-4,3e-4, seeds 1..3"
std::string gridText(const AddOptions& options) {
    std::vector<std::string> axes = options.grid;
    if (!options.seeds.empty()) axes.push_back("seeds " + options.seeds);
    return axes.empty() ? "" : ": " + join(axes, ", ");
}

// A scheduler ends when there is nothing that it may start.
void hint(const Context& context) {
    if (!context.quiet && !context.json && !queueIsRun(context.data_folder))
        std::fprintf(stderr, "'seedbed queue start' works on the queue\n");
}

std::filesystem::path queueLog(const Context& context) { return context.data_folder / "logs" / "queue.log"; }

// A scheduler in the background, which outlives this process.
Result<pid_t> startWorker(const Context& context) {
    SEEDBED_ASSIGN(const auto program, ownProgram());
    SEEDBED_ASSIGN(ChildProcess scheduler, launchInBackground({program.string(), "queue", "work", "--data",
                                                               context.data_folder.string()},
                                                              queueLog(context)));
    // It takes its lock within its first moments, or says in its log why it could not.
    const Deadline deadline = deadlineIn(10'000);
    while (!queueIsRun(context.data_folder)) {
        SEEDBED_ASSIGN(const auto ended, scheduler.wait({}, deadlineIn(20)));
        if (ended && queueIsRun(context.data_folder))
            break;  // by another one that was started at the same time
        if (ended && !ended->ok())
            return fail("the queue could not be started: " + lastLine(queueLog(context)));
        if (ended || deadlineIn(0) > deadline) break;  // an empty queue is done at once
    }
    const pid_t id = scheduler.id();
    scheduler.letGo();
    return id;
}

// The jobs are in the queue, whatever comes of the start.
Result<int> tellAdded(Store& store, const std::vector<RunId>& ids, const std::vector<std::uint64_t>& seeds,
                      bool start, const Context& context) {
    if (!context.json)
        for (const RunId id : ids) std::printf("%lld\n", static_cast<long long>(id));
    Result<> started;
    if (start) started = store.setQueue(std::nullopt, false);
    if (start && started && !queueIsRun(context.data_folder))
        if (auto worker = startWorker(context); !worker)
            started = tl::unexpected<Error>(std::move(worker).error());
    if (context.json) {
        Json added{{"ids", ids}};
        if (!seeds.empty()) added["seeds"] = seeds;
        if (!started) added["error"] = started.error().text();
        printJson(added);
    }
    if (!started) {
        std::fprintf(stderr, "seedbed: %s; 'seedbed queue start' tries again\n",
                     started.error().text().c_str());
        return exitCode(started.error().code);
    }
    if (!start) hint(context);
    return kOk;
}

Result<int> addAgain(const std::string& name, bool start, const Context& context) {
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    SEEDBED_ASSIGN(const RunId run, reader.resolveRun(name));
    if (RunLock::isHeld(context.data_folder, run))
        return fail(ErrorCode::config, "run " + std::to_string(run) + " is going already");
    SEEDBED_ASSIGN(Store store, Store::open(context.data_folder));
    SEEDBED_TRY(store.requeue(run));
    return tellAdded(store, {run}, {}, start, context);
}

Result<int> add(AddOptions& options, const Context& context) {
    if (!options.run.empty()) return addAgain(options.run, options.start, context);
    if (options.configuration.env.empty())
        return fail(ErrorCode::usage, "say which environment to train on, or --run RUN to go on with a run");
    options.configuration.settings.insert(options.configuration.settings.end(), context.settings.begin(),
                                          context.settings.end());
    SEEDBED_ASSIGN(const auto all, combinations(options));
    std::vector<NewRun> runs;
    std::vector<std::uint64_t> seeds;
    for (const auto& settings : all) {
        ConfigurationRequest request = options.configuration;
        request.settings.insert(request.settings.end(), settings.begin(), settings.end());
        SEEDBED_ASSIGN(const Configuration made, makeConfiguration(request));
        // Whatever would fail at the start of the run is said now.
        SEEDBED_ASSIGN(const SessionPlan plan, Session::plan(made.config));
        NewRun run;
        run.env = made.config.env_id, run.algo = made.config.algo_id, run.engine = plan.engine.id;
        run.seed = static_cast<std::uint64_t>(made.config.run.seed), run.config = made.config.document;
        run.devices = Json::array({made.config.run.device}), run.auto_settings = {{"preset", made.preset}};
        run.tags = options.tags;
        if (!options.name.empty()) {
            run.name = options.name;
            for (const auto& [key, value] : settings)
                run.name +=
                    all.size() == 1
                        ? ""
                        : " " + (key == "run.seed" ? "seed" : key.substr(key.rfind('.') + 1)) + "=" + value;
            SEEDBED_TRY(checkRunName(run.name));
        }
        if (options.seeds == kNextSeed) {
            SEEDBED_ASSIGN(run.seed, nextSeed(run, runs, context));
            run.config["run"]["seed"] = run.seed;
        }
        seeds.push_back(run.seed);
        runs.push_back(std::move(run));
    }
    SEEDBED_ASSIGN(Store store, Store::open(context.data_folder));
    SEEDBED_ASSIGN(const std::vector<RunId> ids, store.enqueue(runs));
    if (ids.size() > 1 && !context.quiet && !context.json)
        std::fprintf(stderr, "%zu jobs%s; 'seedbed queue list' tells them apart\n", ids.size(),
                     gridText(options).c_str());
    return tellAdded(store, ids, seeds, options.start, context);
}

Result<int> list(const Context& context) {
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    SEEDBED_ASSIGN(const QueueState queue, reader.queue());
    const bool works = queueIsRun(context.data_folder);
    Json entries = Json::array();
    std::vector<std::vector<std::string>> rows{
        {"PLACE", "ID", "NAME", "ENV", "ALGO", "SEED", "STATUS", "STEPS", "SETTINGS"}};
    PresetDifference difference;
    std::vector<std::pair<std::string, ChangedSettings>> settings;
    std::int64_t place = 0;
    for (const QueueEntry& entry : queue.entries) {
        SEEDBED_ASSIGN(const RunRecord run, reader.run(entry.run));
        const std::string status = entry.paused && !entry.begun ? "queued, paused" : nameOf(run.status);
        entries.push_back({{"place", ++place},
                           {"id", run.id},
                           {"name", run.name},
                           {"env", run.env},
                           {"algo", run.algo},
                           {"seed", run.seed},
                           {"status", nameOf(run.status)},
                           {"steps", run.progress.steps},
                           {"paused", entry.paused},
                           {"begun", entry.begun}});
        rows.push_back({std::to_string(place), std::to_string(run.id), run.name, run.env, run.algo,
                        std::to_string(run.seed), status, formatCount(run.progress.steps), ""});
        SEEDBED_ASSIGN(const auto config, reader.configOf(run.id));
        settings.emplace_back(run.env + " " + run.algo, difference.of(config.first, presetOf(config.second)));
    }
    // Jobs of a grid are told apart by their settings.
    const std::vector<std::string> telling = distinguishingTexts(settings, true);
    for (std::size_t i = 0; i < telling.size(); ++i) rows[i + 1].back() = telling[i];
    if (context.json) {
        printJson({{"at_a_time", queue.at_a_time},
                   {"paused", queue.paused},
                   {"working", works},
                   {"entries", entries}});
        return kOk;
    }
    if (queue.entries.empty())
        std::fprintf(
            stderr,
            "The queue is empty. 'seedbed queue add cartpole --seeds 1..5' puts five runs into it.\n");
    else printTable(rows);
    if (!context.quiet)
        std::fprintf(stderr, "%d at a time, %s\n", queue.at_a_time,
                     queue.paused ? "paused"
                     : works      ? "being worked on"
                                  : "nobody works on it ('seedbed queue start')");
    return kOk;
}

Result<int> work(const Context& context) {
    SEEDBED_ASSIGN(const auto program, ownProgram());
    Interrupt interrupt(context.quiet ? "" : "the scheduler stops; runs go on");
    SEEDBED_TRY(runQueue(
        context.data_folder, program,
        [&](const std::string& line) {
            if (!context.quiet) std::fprintf(stderr, "%s\n", line.c_str());
        },
        interrupt.token()));
    return interrupt.token().stop_requested() ? kInterrupted : kOk;
}

Result<int> start(int at_a_time, bool foreground, const Context& context) {
    SEEDBED_ASSIGN(Store store, Store::open(context.data_folder));
    SEEDBED_TRY(store.setQueue(at_a_time > 0 ? std::optional<int>(at_a_time) : std::nullopt, false));
    if (queueIsRun(context.data_folder)) {
        if (!context.quiet) std::fprintf(stderr, "the queue is being worked on\n");
        return kOk;
    }
    if (foreground) return work(context);
    SEEDBED_ASSIGN(const pid_t id, startWorker(context));
    if (context.json) printJson({{"pid", id}, {"log", queueLog(context).string()}});
    else if (!context.quiet)
        std::fprintf(stderr, "the queue is worked on by process %d; its log is %s\n", id,
                     queueLog(context).c_str());
    return kOk;
}

Result<RunId> resolve(const std::string& name, const Context& context) {
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    return reader.resolveRun(name);
}

Result<int> move(const std::string& name, const std::string& to, const Context& context) {
    SEEDBED_ASSIGN(const RunId run, resolve(name, context));
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    SEEDBED_ASSIGN(const QueueState queue, reader.queue());
    std::int64_t now = 0;
    for (std::size_t i = 0; i < queue.entries.size(); ++i)
        if (queue.entries[i].run == run) now = static_cast<std::int64_t>(i) + 1;
    const auto number = parseInteger(to);
    std::int64_t place = 0;
    if (to == "first") place = 1;
    else if (to == "last") place = static_cast<std::int64_t>(queue.entries.size());
    else if (to == "up") place = now - 1;
    else if (to == "down") place = now + 1;
    else if (number && *number >= 1) place = *number;
    else
        return fail(ErrorCode::config,
                    "'" + to + "' is no place: say first, last, up, down or a number from 1");
    SEEDBED_ASSIGN(Store store, Store::open(context.data_folder));
    SEEDBED_TRY(store.moveInQueue(run, place));
    return kOk;
}

Result<int> pause(const std::string& name, bool undo, const Context& context) {
    SEEDBED_ASSIGN(Store store, Store::open(context.data_folder));
    if (name.empty()) {
        SEEDBED_TRY(store.setQueue(std::nullopt, !undo));
        if (!context.quiet && !context.json)
            std::fprintf(stderr, undo ? "the queue goes on\n"
                                      : "no further run is started; those that are going go on ('seedbed "
                                        "queue start' goes on)\n");
        if (undo) hint(context);
        return kOk;
    }
    SEEDBED_ASSIGN(const RunId run, resolve(name, context));
    SEEDBED_TRY(store.pauseInQueue(run, !undo));
    if (!context.quiet && !context.json)
        std::fprintf(stderr, undo ? "run %lld is started when its turn comes\n" : "run %lld is not started\n",
                     static_cast<long long>(run));
    if (undo) hint(context);
    return kOk;
}

Result<int> remove(const std::vector<std::string>& names, const Context& context) {
    SEEDBED_ASSIGN(Store store, Store::open(context.data_folder));
    for (const std::string& name : names) {
        SEEDBED_ASSIGN(const RunId run, resolve(name, context));
        if (RunLock::isHeld(context.data_folder, run))
            return fail(ErrorCode::config, "run " + std::to_string(run) + " is going; 'seedbed stop " +
                                               std::to_string(run) + "' stops it");
        SEEDBED_TRY(store.removeFromQueue(run));
    }
    return kOk;
}

SEEDBED_REGISTER_COMMAND(
    queue_add, {.id = "queue add",
                .summary = "Put runs into the queue",
                .examples = {"seedbed queue add cartpole --seeds 1..5",
                             "seedbed queue add pendulum --grid algo.learning_rate=1e-4,3e-4 --seeds 1..3",
                             "seedbed queue add --run 7"},
                .takes_settings = true,
                .define = [](CLI::App& cli) -> Action {
                    auto options = std::make_shared<AddOptions>();
                    defineConfigurationOptions(cli, options->configuration);
                    cli.get_option("ENV")->required(false);
                    cli.add_option("--seeds", options->seeds,
                                   "One run for each of these seeds: 1..5 or 1,2,7; next: the first that no "
                                   "run of the same settings has")
                        ->check(notEmpty());
                    cli.add_option(
                        "--grid", options->grid,
                        "KEY=VALUE,VALUE: one run for each value, and each combination of several grids");
                    cli.add_option("--name", options->name, "Name of the runs; what differs is added to it")
                        ->check(notEmpty());
                    cli.add_option("--tag", options->tags, "A tag of the runs; may be given several times");
                    cli.add_option("--run", options->run, "Go on with this run instead of making new ones")
                        ->check(notEmpty());
                    cli.add_flag("--start", options->start, "Work on the queue as well, in the background");
                    return [options](const Context& context) { return add(*options, context); };
                }});

SEEDBED_REGISTER_COMMAND(queue_list, {.id = "queue list",
                                      .summary = "What waits and what goes",
                                      .examples = {"seedbed queue list --json"},
                                      .define = [](CLI::App&) -> Action { return list; }});

SEEDBED_REGISTER_COMMAND(
    queue_start,
    {.id = "queue start",
     .summary = "Work on the queue in the background; goes on when the terminal is closed",
     .examples = {"seedbed queue start", "seedbed queue start --jobs 2"},
     .define = [](CLI::App& cli) -> Action {
         auto jobs = std::make_shared<int>(0);
         auto foreground = std::make_shared<bool>(false);
         cli.add_option("--jobs,-j", *jobs, "Runs at a time (kept for later)")->check(CLI::Range(1, 1000));
         cli.add_flag("--foreground", *foreground, "Work here and return when the queue is done");
         return [jobs, foreground](const Context& context) { return start(*jobs, *foreground, context); };
     }});

SEEDBED_REGISTER_COMMAND(
    queue_jobs, {.id = "queue jobs",
                 .summary = "How many runs train at a time, from now on",
                 .examples = {"seedbed queue jobs 3"},
                 .define = [](CLI::App& cli) -> Action {
                     auto jobs = std::make_shared<int>(0);
                     cli.add_option("N", *jobs, "Runs at a time")->required()->check(CLI::Range(1, 1000));
                     return [jobs](const Context& context) -> Result<int> {
                         SEEDBED_ASSIGN(Store store, Store::open(context.data_folder));
                         SEEDBED_TRY(store.setQueue(*jobs, std::nullopt));
                         return kOk;
                     };
                 }});

SEEDBED_REGISTER_COMMAND(queue_work, {.id = "queue work",
                                      .summary = "What 'queue start' runs in the background",
                                      .examples = {"seedbed queue work"},
                                      .define = [](CLI::App&) -> Action { return work; }});

SEEDBED_REGISTER_COMMAND(
    queue_move,
    {.id = "queue move",
     .summary = "Give a run another place in the queue",
     .examples = {"seedbed queue move 7 first", "seedbed queue move 7 down", "seedbed queue move 7 3"},
     .define = [](CLI::App& cli) -> Action {
         auto run = std::make_shared<std::string>();
         auto place = std::make_shared<std::string>();
         cli.add_option("RUN", *run, "Id or name of the run")->required();
         cli.add_option("PLACE", *place, "first, last, up, down or a number")->required();
         return [run, place](const Context& context) { return move(*run, *place, context); };
     }});

SEEDBED_REGISTER_COMMAND(
    queue_pause,
    {.id = "queue pause",
     .summary = "Start no further run, or not this one",
     .examples = {"seedbed queue pause", "seedbed queue pause 7", "seedbed queue pause 7 --undo"},
     .define = [](CLI::App& cli) -> Action {
         auto run = std::make_shared<std::string>();
         auto undo = std::make_shared<bool>(false);
         cli.add_option("RUN", *run, "Id or name of a run that waits (default: the whole queue)");
         cli.add_flag("--undo", *undo, "Take the pause back");
         return [run, undo](const Context& context) { return pause(*run, *undo, context); };
     }});

SEEDBED_REGISTER_COMMAND(queue_remove, {.id = "queue remove",
                                        .aliases = {"queue rm"},
                                        .summary = "Take runs that are not going out of the queue",
                                        .examples = {"seedbed queue remove 7"},
                                        .define = [](CLI::App& cli) -> Action {
                                            auto runs = std::make_shared<std::vector<std::string>>();
                                            cli.add_option("RUN", *runs, "Ids or names of runs")->required();
                                            return [runs](const Context& context) {
                                                return remove(*runs, context);
                                            };
                                        }});

}  // namespace
}  // namespace seedbed::app
