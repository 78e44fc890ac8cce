// SPDX-License-Identifier: Apache-2.0
// seedbed queue: trains queued runs, such as grids of settings and seeds, with a scheduler process in the
// background.
#include <algorithm>
#include <cstdio>
#include <set>

#include "app/changed_settings.hpp"
#include "app/command.hpp"
#include "app/configuration.hpp"
#include "app/grid_values.hpp"
#include "app/interrupt.hpp"
#include "app/policy_options.hpp"
#include "app/run_names.hpp"
#include "core/analysis/comparison.hpp"
#include "core/analysis/config_difference.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/checkpoint_name.hpp"
#include "core/control/launch.hpp"
#include "core/jobs/queue.hpp"
#include "core/run/weights/init_weights.hpp"
#include "core/session/session.hpp"
#include "core/store/database.hpp"
#include "core/store/store.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed::app {
namespace {

constexpr std::size_t kMaxJobs = 10'000;
constexpr std::size_t kMaxJobsUnconfirmed = 100;
constexpr int kStartTimeoutMs = 10'000;
constexpr const char* kEmpty =
    "The queue is empty. Add runs, for example with 'seedbed queue add cartpole --seeds 1..5'.";

struct AddOptions {
    ConfigurationRequest configuration;
    std::string name, seeds, run, init_from;
    std::vector<std::string> grid, tags;
    bool start = false, yes = false;
};

using Setting = std::pair<std::string, std::string>;

constexpr const char* kNextSeed = "next";

// Returns the smallest seed >= 1 that is used neither by a stored run with these settings nor by `adding`.
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

// The values of one setting of a grid.
struct GridAxis {
    std::string key;
    std::vector<std::string> values;
};

// Reads KEY=V1,V2 of --grid. error: config.
Result<GridAxis> gridAxis(const std::string& text) {
    GridAxis axis;
    const auto equals = text.find('=');
    axis.key = text.substr(0, equals);
    if (equals != std::string::npos) axis.values = splitValues(text.substr(equals + 1));
    const char* example = "; use KEY=VALUE,VALUE, for example algo.learning_rate=1e-4,3e-4";
    if (axis.values.empty()) return fail(ErrorCode::config, "invalid --grid '" + text + "'" + example);
    if (axis.key.find('.') == std::string::npos)
        return fail(ErrorCode::config, "unknown setting '" + axis.key + "' in --grid" + example);
    return axis;
}

// Returns all combinations of --grid KEY=V1,V2 and --seeds. The seed varies fastest.
Result<std::vector<std::vector<Setting>>> combinations(const AddOptions& options) {
    std::vector<std::vector<Setting>> all{{}};
    // Checked first, because the product may not fit into memory.
    const auto multiply = [&](const std::string& key, const std::vector<std::string>& values) -> Result<> {
        if (all.size() * values.size() > kMaxJobs)
            return fail(ErrorCode::config, "more than 10,000 runs; use a smaller grid");
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
    for (const std::string& text : options.grid) {
        SEEDBED_ASSIGN(const GridAxis axis, gridAxis(text));
        if (!keys.insert(axis.key).second)
            return fail(ErrorCode::config, "setting '" + axis.key + "' is in --grid twice");
        SEEDBED_TRY(multiply(axis.key, axis.values));
    }
    if (!options.seeds.empty() && !keys.insert("run.seed").second)
        return fail(ErrorCode::usage, "'run.seed' is in --grid, so --seeds cannot be used");
    for (const auto& [key, value] : options.configuration.settings) {
        if (!keys.contains(key)) continue;
        return fail(ErrorCode::usage, key == "run.seed"
                                          ? "--seed cannot be combined with --seeds; list all seeds in "
                                            "--seeds, for example --seeds 1..3," +
                                                value
                                          : "setting '" + key + "' is in --grid and also set to " + value);
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

// Reminds the user to start the scheduler, which exits when the queue is empty.
void hintToStart(const Context& context) {
    if (!context.quiet && !context.json && !isQueueRunning(context.data_folder))
        std::fprintf(stderr, "Start the queue with 'seedbed queue start'.\n");
}

std::filesystem::path queueLog(const Context& context) { return context.data_folder / "logs" / "queue.log"; }

// Starts a scheduler in the background, which continues after this process exits. Returns its process id.
Result<pid_t> startScheduler(const Context& context) {
    SEEDBED_ASSIGN(const auto program, ownProgram());
    SEEDBED_ASSIGN(ChildProcess scheduler, launchInBackground({program.string(), "queue", "work", "--data",
                                                               context.data_folder.string()},
                                                              queueLog(context)));
    // The scheduler acquires the queue's lock almost immediately; if it does not, its log contains the
    // reason.
    const Deadline deadline = deadlineIn(kStartTimeoutMs);
    while (!isQueueRunning(context.data_folder)) {
        SEEDBED_ASSIGN(const auto ended, scheduler.wait({}, deadlineIn(20)));
        if (ended && isQueueRunning(context.data_folder))
            break;  // another scheduler was started at the same time
        if (ended && !ended->ok()) return fail("cannot start the queue: " + lastLine(queueLog(context)));
        if (ended || deadlineIn(0) > deadline)
            break;  // if the queue is empty, the scheduler exits
                    // immediately
    }
    const pid_t id = scheduler.id();
    scheduler.release();
    return id;
}

// Reports the added jobs and starts the queue if requested. The jobs stay queued if the start fails.
Result<int> reportAdded(Store& store, const std::vector<RunId>& ids, const std::vector<std::uint64_t>& seeds,
                        bool start, const Context& context) {
    if (!context.json)
        for (const RunId id : ids) std::printf("%lld\n", static_cast<long long>(id));
    Result<> started;
    if (start) started = store.setQueue(std::nullopt, false);
    if (start && started && !isQueueRunning(context.data_folder))
        if (auto worker = startScheduler(context); !worker)
            started = tl::unexpected<Error>(std::move(worker).error());
    if (context.json) {
        Json added{{"ids", ids}};
        if (!seeds.empty()) added["seeds"] = seeds;
        if (!started) added["error"] = started.error().text();
        printJson(added);
    }
    if (!started) {
        std::fprintf(stderr, "seedbed: %s; try again with 'seedbed queue start'\n",
                     started.error().text().c_str());
        return exitCode(started.error().code);
    }
    if (!start) hintToStart(context);
    return kOk;
}

Result<int> addAgain(const std::string& name, bool start, const Context& context) {
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    SEEDBED_ASSIGN(const RunId run, reader.resolveRun(name));
    SEEDBED_ASSIGN(const RunRecord record, reader.run(run));
    if (record.status == RunStatus::finished)
        return fail(ErrorCode::config, "run " + std::to_string(run) + " is finished after " +
                                           formatCount(record.progress.steps) +
                                           " steps; train it for longer with 'seedbed resume " +
                                           std::to_string(run) + " --steps N'");
    if (RunLock::isHeld(context.data_folder, run))
        return fail(ErrorCode::config, "run " + std::to_string(run) + " is already running");
    SEEDBED_ASSIGN(Store store, Store::open(context.data_folder));
    SEEDBED_TRY(store.requeue(run));
    return reportAdded(store, {run}, {}, start, context);
}

// Creates the job for `settings`, one of `count` combinations. `adding`: the jobs created so far.
Result<NewRun> makeJob(const AddOptions& options, const std::vector<Setting>& settings, std::size_t count,
                       const std::vector<NewRun>& adding, const std::optional<LoadedPolicy>& initial,
                       const Context& context) {
    ConfigurationRequest request = options.configuration;
    request.settings.insert(request.settings.end(), settings.begin(), settings.end());
    SEEDBED_ASSIGN(const Configuration made, makeConfiguration(request));
    // Reports errors now instead of at the start of the run.
    SEEDBED_ASSIGN(const SessionPlan plan, Session::plan(made.config));
    if (initial) SEEDBED_TRY(checkInitWeights(*initial, options.init_from, plan.net));
    SEEDBED_TRY(checkRivals(plan, context));
    if (adding.empty()) printNotes(made, context);
    NewRun run;
    run.env = made.config.env_id;
    run.algo = made.config.algo_id;
    run.engine = plan.engine.id;
    run.seed = static_cast<std::uint64_t>(made.config.run.seed);
    run.config = made.config.document;
    run.devices = Json::array({made.config.run.device});
    run.auto_settings = {{"preset", made.preset}};
    run.init_from = options.init_from;
    run.tags = options.tags;
    if (!options.name.empty()) {
        run.name = options.name;
        for (const auto& [key, value] : settings)
            run.name += count == 1 ? ""
                                   : " " + (key == "run.seed" ? "seed" : key.substr(key.rfind('.') + 1)) +
                                         "=" + value;
        SEEDBED_TRY(checkRunName(run.name));
    }
    if (options.seeds == kNextSeed) {
        SEEDBED_ASSIGN(run.seed, nextSeed(run, adding, context));
        run.config["run"]["seed"] = run.seed;
    }
    return run;
}

// The queued jobs that have not started.
Result<std::vector<RunDetails>> waitingJobs(const Context& context) {
    std::vector<RunDetails> waiting;
    if (!std::filesystem::exists(context.data_folder / kDatabaseName)) return waiting;
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    SEEDBED_ASSIGN(const QueueState queue, reader.queue());
    for (const QueueEntry& entry : queue.entries) {
        SEEDBED_ASSIGN(const RunRecord run, reader.run(entry.run));
        if (run.status != RunStatus::queued) continue;
        SEEDBED_ASSIGN(RunDetails details, reader.details(entry.run));
        waiting.push_back(std::move(details));
    }
    return waiting;
}

// Removes and reports jobs that repeat an earlier job of this command or a queued job, since they would give
// the same results.
Result<> removeRepeated(std::vector<NewRun>& runs, const Context& context) {
    SEEDBED_ASSIGN(const auto waiting, waitingJobs(context));
    std::vector<NewRun> kept;
    std::vector<std::string> there;
    for (NewRun& run : runs) {
        const auto queued = std::find_if(waiting.begin(), waiting.end(), [&](const RunDetails& known) {
            return known.config == run.config && known.init_from == run.init_from;
        });
        const bool again = std::any_of(kept.begin(), kept.end(),
                                       [&](const NewRun& known) { return known.config == run.config; });
        if (queued != waiting.end()) there.push_back("run " + std::to_string(queued->run.id));
        else if (again) there.emplace_back("a job of this command");
        else kept.push_back(std::move(run));
    }
    if (!there.empty())
        std::fprintf(stderr, "%s not added: the same settings and seed as %s\n",
                     countText(static_cast<std::int64_t>(there.size()), "job").c_str(),
                     join(there, ", ").c_str());
    runs = std::move(kept);
    return {};
}

Result<int> add(AddOptions& options, const Context& context) {
    if (!options.run.empty()) return addAgain(options.run, options.start, context);
    if (options.configuration.env.empty() && !options.configuration.preset)
        return fail(ErrorCode::usage, "name an environment to train on, or a run to continue with --run RUN");
    options.configuration.settings.insert(options.configuration.settings.end(), context.settings.begin(),
                                          context.settings.end());
    std::optional<LoadedPolicy> initial;
    if (!options.init_from.empty()) {
        // The queue trains in another folder.
        std::error_code error;
        if (std::filesystem::exists(options.init_from, error))
            options.init_from = std::filesystem::absolute(options.init_from, error).string();
        RealFileSystem files;
        SEEDBED_ASSIGN(initial,
                       loadPolicy(files, context.data_folder, options.init_from, runResolver(context)));
    }
    SEEDBED_ASSIGN(const auto all, combinations(options));
    if (all.size() > kMaxJobsUnconfirmed && !options.yes)
        return fail(ErrorCode::usage, "this would add " + formatCount(static_cast<std::int64_t>(all.size())) +
                                          " jobs; confirm more than " + std::to_string(kMaxJobsUnconfirmed) +
                                          " with --yes");
    std::vector<NewRun> runs;
    for (const auto& settings : all) {
        SEEDBED_ASSIGN(NewRun run, makeJob(options, settings, all.size(), runs, initial, context));
        runs.push_back(std::move(run));
    }
    SEEDBED_TRY(removeRepeated(runs, context));
    std::vector<std::uint64_t> seeds;
    for (const NewRun& run : runs) seeds.push_back(run.seed);
    SEEDBED_ASSIGN(Store store, Store::open(context.data_folder));
    SEEDBED_ASSIGN(const std::vector<RunId> ids, store.enqueue(runs));
    if (ids.size() > 1 && !context.quiet && !context.json)
        std::fprintf(stderr, "Added %zu jobs%s; see 'seedbed queue list'\n", ids.size(),
                     gridText(options).c_str());
    return reportAdded(store, ids, seeds, options.start, context);
}

Result<int> list(const Context& context) {
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    SEEDBED_ASSIGN(const QueueState queue, reader.queue());
    const bool working = isQueueRunning(context.data_folder);
    Json entries = Json::array();
    std::vector<std::vector<std::string>> rows{
        {"PLACE", "ID", "NAME", "ENV", "ALGO", "SEED", "STATUS", "STEPS", "SETTINGS"}};
    PresetDifference difference;
    std::vector<std::pair<std::string, ChangedSettings>> settings;
    std::int64_t place = 0;
    for (const QueueEntry& entry : queue.entries) {
        SEEDBED_ASSIGN(const RunRecord run, reader.run(entry.run));
        const bool waits = entry.begun && working && !RunLock::isHeld(context.data_folder, entry.run);
        std::string status = entry.paused && !entry.begun ? "queued, paused"
                             : waits                      ? "waiting to resume"
                                                          : nameOf(run.status);
        if (isLive(run.status) && !run.status_text.empty()) status += ": " + run.status_text;
        entries.push_back({{"place", ++place},
                           {"id", run.id},
                           {"name", run.name},
                           {"env", run.env},
                           {"algo", run.algo},
                           {"seed", run.seed},
                           {"status", nameOf(run.status)},
                           {"status_text", run.status_text},
                           {"steps", run.progress.steps},
                           {"paused", entry.paused},
                           {"begun", entry.begun}});
        rows.push_back({std::to_string(place), std::to_string(run.id), run.name, run.env, run.algo,
                        std::to_string(run.seed), status, formatCount(run.progress.steps), ""});
        SEEDBED_ASSIGN(const auto config, reader.configOf(run.id));
        settings.emplace_back(run.env + " " + run.algo, difference.of(config.first, presetOf(config.second)));
    }
    const std::vector<std::string> distinct = distinguishingTexts(settings, true);
    for (std::size_t i = 0; i < distinct.size(); ++i) {
        rows[i + 1].back() = distinct[i];
        entries[i]["settings"] = distinct[i];
    }
    if (context.json) {
        printJson({{"at_a_time", queue.at_a_time},
                   {"paused", queue.paused},
                   {"working", working},
                   {"entries", entries}});
        return kOk;
    }
    if (queue.entries.empty()) std::fprintf(stderr, "%s\n", kEmpty);
    else printTable(rows);
    if (!context.quiet)
        std::fprintf(stderr, "%d at a time, %s\n", queue.at_a_time,
                     queue.paused ? "paused; resume with 'seedbed queue start'"
                     : working    ? "running"
                                  : "not running; start it with 'seedbed queue start'");
    return kOk;
}

Result<int> work(const Context& context) {
    SEEDBED_ASSIGN(const auto program, ownProgram());
    Interrupt interrupt(context.quiet ? "" : "the queue stops; running jobs continue");
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
    if (isQueueRunning(context.data_folder)) {
        if (!context.quiet) std::fprintf(stderr, "the queue is running\n");
        return kOk;
    }
    if (foreground) return work(context);
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    SEEDBED_ASSIGN(const QueueState queue, reader.queue());
    if (queue.entries.empty()) {
        if (context.json) printJson({{"pid", nullptr}, {"log", queueLog(context).string()}});
        else if (!context.quiet) std::fprintf(stderr, "%s\n", kEmpty);
        return kOk;
    }
    SEEDBED_ASSIGN(const pid_t id, startScheduler(context));
    if (context.json) printJson({{"pid", id}, {"log", queueLog(context).string()}});
    else if (!context.quiet)
        std::fprintf(stderr, "queue started as process %d; its log is %s\n", id, queueLog(context).c_str());
    return kOk;
}

Result<int> move(const std::string& name, const std::string& to, const Context& context) {
    SEEDBED_ASSIGN(const RunId run, resolveRun(name, context));
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
                    "invalid position '" + to + "'; use first, last, up, down or a number from 1");
    SEEDBED_ASSIGN(Store store, Store::open(context.data_folder));
    SEEDBED_TRY(store.moveInQueue(run, place));
    return kOk;
}

Result<int> pause(const std::string& name, bool undo, const Context& context) {
    SEEDBED_ASSIGN(Store store, Store::open(context.data_folder));
    if (name.empty()) {
        SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
        SEEDBED_ASSIGN(const QueueState before, reader.queue());
        SEEDBED_TRY(store.setQueue(std::nullopt, !undo));
        if (context.quiet || context.json) return kOk;
        if (undo && !before.paused) std::fprintf(stderr, "The queue was not paused.\n");
        else if (!undo)
            std::fprintf(stderr, "Queue paused. Running jobs continue; resume with 'seedbed queue start'.\n");
        else if (isQueueRunning(context.data_folder)) std::fprintf(stderr, "Queue resumed.\n");
        else std::fprintf(stderr, "The queue is no longer paused; start it with 'seedbed queue start'.\n");
        return kOk;
    }
    SEEDBED_ASSIGN(const RunId run, resolveRun(name, context));
    SEEDBED_TRY(store.pauseInQueue(run, !undo));
    if (!context.quiet && !context.json)
        std::fprintf(
            stderr,
            undo ? "run %lld will start when its turn comes\n" : "run %lld is paused and will not start\n",
            static_cast<long long>(run));
    if (undo) hintToStart(context);
    return kOk;
}

Result<> removeOne(Store& store, RunId run, const Context& context) {
    if (RunLock::isHeld(context.data_folder, run))
        return fail(ErrorCode::config, "run " + std::to_string(run) +
                                           " is running; stop it first with 'seedbed stop " +
                                           std::to_string(run) + "'");
    return store.removeFromQueue(run);
}

// Removes the runs that can be removed and reports the others.
Result<int> remove(const std::vector<std::string>& names, const Context& context) {
    SEEDBED_ASSIGN(Store store, Store::open(context.data_folder));
    Json removed = Json::array(), failed = Json::array();
    std::vector<std::string> ids;
    int code = kOk;
    const auto refuse = [&](const std::string& name, const Error& error) {
        failed.push_back({{"run", name}, {"error", error.text()}});
        std::fprintf(stderr, "seedbed: %s\n", error.text().c_str());
        if (code == kOk) code = exitCode(error.code);
    };
    for (const std::string& name : names) {
        const auto runs = resolveRuns({name}, context);
        if (!runs) {
            refuse(name, runs.error());
            continue;
        }
        for (const RunId run : *runs) {
            if (const auto done = removeOne(store, run, context)) {
                removed.push_back(run);
                ids.push_back(std::to_string(run));
            } else {
                refuse(std::to_string(run), done.error());
            }
        }
    }
    if (context.json) printJson({{"removed", removed}, {"failed", failed}});
    else if (!context.quiet && !ids.empty())
        std::fprintf(stderr, "Removed from the queue: %s %s\n", ids.size() == 1 ? "run" : "runs",
                     join(ids, ", ").c_str());
    return code;
}

SEEDBED_REGISTER_COMMAND(
    queue_add,
    {.id = "queue add",
     .summary = "Add runs to the queue",
     .examples = {"seedbed queue add cartpole --seeds 1..5",
                  "seedbed queue add pendulum --grid algo.learning_rate=1e-4,3e-4 --seeds 1..3",
                  "seedbed queue add --run 7"},
     .takes_settings = true,
     .define = [](CLI::App& cli) -> Action {
         auto options = std::make_shared<AddOptions>();
         defineConfigurationOptions(cli, options->configuration);
         cli.add_option("--seeds", options->seeds,
                        "One run per seed: 1..5 or 1,2,7; 'next' is the first seed that no run with the same "
                        "settings uses")
             ->type_name("SEEDS")
             ->check(notEmpty());
         cli.add_option("--grid", options->grid,
                        "A setting and its values as KEY=VALUE,VALUE (lists in brackets): one run per value; "
                        "if repeated, one run per combination")
             ->type_name("KEY=VALUES");
         cli.add_option("--name", options->name, "Name of the runs; differing settings are appended")
             ->type_name("NAME")
             ->check(notEmpty());
         cli.add_option("--tag", options->tags, "Tag the runs (repeatable)")->type_name("TAG");
         cli.add_option("--init-from", options->init_from,
                        "Start from the weights of RUN, RUN:best, RUN:STEP, an imported policy or a folder")
             ->type_name("POLICY")
             ->check(notEmpty());
         cli.add_option("--run", options->run, "Continue this run instead of creating new ones")
             ->type_name("RUN")
             ->check(notEmpty());
         cli.add_flag("--start", options->start, "Also start the queue in the background");
         cli.add_flag("--yes", options->yes, "Confirm adding more than 100 jobs");
         return [options](const Context& context) { return add(*options, context); };
     }});

SEEDBED_REGISTER_COMMAND(queue_list, {.id = "queue list",
                                      .summary = "List the queued and running jobs",
                                      .examples = {"seedbed queue list --json"},
                                      .define = [](CLI::App&) -> Action { return list; }});

SEEDBED_REGISTER_COMMAND(
    queue_start,
    {.id = "queue start",
     .summary = "Start or resume the queue in the background; it continues when the terminal is closed",
     .examples = {"seedbed queue start", "seedbed queue start --jobs 2"},
     .define = [](CLI::App& cli) -> Action {
         auto jobs = std::make_shared<int>(0);
         auto foreground = std::make_shared<bool>(false);
         cli.add_option("--jobs,-j", *jobs, "Runs to train at the same time; stored for later starts")
             ->check(CLI::Range(1, 1000));
         cli.add_flag("--foreground", *foreground,
                      "Run in the foreground and return when the queue is empty");
         return [jobs, foreground](const Context& context) { return start(*jobs, *foreground, context); };
     }});

SEEDBED_REGISTER_COMMAND(
    queue_jobs, {.id = "queue jobs",
                 .summary = "Set how many runs train at the same time",
                 .examples = {"seedbed queue jobs 3"},
                 .define = [](CLI::App& cli) -> Action {
                     auto jobs = std::make_shared<int>(0);
                     cli.add_option("N", *jobs, "Number of runs")->required()->check(CLI::Range(1, 1000));
                     return [jobs](const Context& context) -> Result<int> {
                         SEEDBED_ASSIGN(Store store, Store::open(context.data_folder));
                         SEEDBED_TRY(store.setQueue(*jobs, std::nullopt));
                         return kOk;
                     };
                 }});

SEEDBED_REGISTER_COMMAND(queue_work,
                         {.id = "queue work",
                          .summary = "Run the scheduler that 'queue start' starts in the background",
                          .examples = {"seedbed queue work"},
                          .hidden = true,
                          .define = [](CLI::App&) -> Action { return work; }});

SEEDBED_REGISTER_COMMAND(
    queue_move,
    {.id = "queue move",
     .summary = "Move a run to another position in the queue",
     .examples = {"seedbed queue move 7 first", "seedbed queue move 7 down", "seedbed queue move 7 3"},
     .define = [](CLI::App& cli) -> Action {
         auto run = std::make_shared<std::string>();
         auto place = std::make_shared<std::string>();
         addRunArgument(cli, *run);
         cli.add_option("PLACE", *place, "first, last, up, down or a number from 1")->required();
         return [run, place](const Context& context) { return move(*run, *place, context); };
     }});

SEEDBED_REGISTER_COMMAND(
    queue_pause,
    {.id = "queue pause",
     .summary = "Pause the queue or one queued run",
     .examples = {"seedbed queue pause", "seedbed queue pause 7", "seedbed queue pause 7 --undo"},
     .define = [](CLI::App& cli) -> Action {
         auto run = std::make_shared<std::string>();
         auto undo = std::make_shared<bool>(false);
         cli.add_option("RUN", *run, "Id or name of a queued run (default: the whole queue)");
         cli.add_flag("--undo", *undo, "Resume the queue or the run");
         return [run, undo](const Context& context) { return pause(*run, *undo, context); };
     }});

SEEDBED_REGISTER_COMMAND(queue_remove, {.id = "queue remove",
                                        .aliases = {"queue rm"},
                                        .summary = "Remove runs from the queue unless they are running",
                                        .examples = {"seedbed queue remove 7", "seedbed queue remove 7..9"},
                                        .define = [](CLI::App& cli) -> Action {
                                            auto runs = std::make_shared<std::vector<std::string>>();
                                            addRunsArgument(cli, *runs);
                                            return [runs](const Context& context) {
                                                return remove(*runs, context);
                                            };
                                        }});

}  // namespace
}  // namespace seedbed::app
