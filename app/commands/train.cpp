// SPDX-License-Identifier: Apache-2.0
// seedbed train: builds the configuration from defaults, preset, file and command line, and trains.
#include <cmath>
#include <cstdio>
#include <optional>

#include "app/algorithm_choice.hpp"
#include "app/command.hpp"
#include "app/configuration.hpp"
#include "app/console_observer.hpp"
#include "app/fleet/fleet_run.hpp"
#include "app/interrupt.hpp"
#include "app/policy_options.hpp"
#include "app/ranks/rank_processes.hpp"
#include "app/run_names.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/checkpoint/checkpoint_name.hpp"
#include "core/run/run.hpp"
#include "core/store/store.hpp"

namespace seedbed::app {
namespace {

struct TrainOptions {
    ConfigurationRequest configuration;
    std::string name, init_from;
    std::vector<std::string> tags;
    std::optional<double> fail_below;
    bool dry_run = false;
    RankOptions ranks;
};

// Performs the checks of `train` and prints the result without starting a run.
Result<int> dryRun(const TrainOptions& options, const Configuration& configuration,
                   const std::optional<Recommendation>& chosen, const Context& context) {
    TrainingConfig config = configuration.config;
    RealFileSystem files;
    config.remote = std::make_shared<FleetServer>(files, context.data_folder);  // for its memory
    SEEDBED_ASSIGN(const SessionPlan plan, Session::plan(config, {0, options.ranks.ranks}));
    SEEDBED_TRY(Session::checkMemory(plan));
    printNotes(configuration, context);
    if (!options.name.empty()) SEEDBED_TRY(checkRunName(options.name));
    if (!options.init_from.empty()) {
        SEEDBED_ASSIGN([[maybe_unused]] const LoadedPolicy loaded,
                       loadPolicy(files, context.data_folder, options.init_from, runResolver(context)));
    }
    SEEDBED_TRY(checkRivals(plan, context));
    const MemoryNeed& memory = plan.memory;
    const std::pair<const char*, std::size_t> parts[] = {
        {"rings", memory.rings},         {"replay", memory.replay},
        {"learner", memory.learner},     {"networks", memory.networks},
        {"inference", memory.inference}, {"environments", memory.environments},
        {"fleet", memory.fleet},         {"evaluation", memory.evaluation},
        {"saving", memory.saving},       {"process", memory.process},
        {"device", memory.device}};
    Json need{{"total", memory.total()}};
    std::string list;
    for (const auto& [name, bytes] : parts) {
        need[name] = bytes;
        if (bytes > 0) list += (list.empty() ? "" : ", ") + std::string(name) + " " + formatBytes(bytes);
    }
    if (context.json) {
        printJson({{"config", plan.config.document},
                   {"changed", configuration.changed},
                   {"preset", configuration.preset},
                   {"recommendation", chosen ? recommendationJson(*chosen) : Json()},
                   {"notes", configuration.notes},
                   {"engine", plan.engine.id},
                   {"engine_why", plan.engine.why},
                   {"threads", plan.threads},
                   {"groups", plan.groups},
                   {"parameters", plan.parameters},
                   {"memory_bytes", need}});
        return kOk;
    }
    std::printf("%s\n", plan.config.document.dump(2).c_str());
    std::fprintf(stderr,
                 "%s parameters, engine %s (%s), %d threads, %d groups\npeak memory: %s (%s)\n"
                 "Dry run: no run was started.\n",
                 formatCount(static_cast<std::int64_t>(plan.parameters)).c_str(), plan.engine.id.c_str(),
                 plan.engine.why.c_str(), plan.threads, plan.groups, formatBytes(memory.total()).c_str(),
                 list.c_str());
    return kOk;
}

Result<int> train(TrainOptions& options, const Context& context) {
    if (options.ranks.isFollower()) return runFollower(options.ranks);
    options.configuration.settings.insert(options.configuration.settings.end(), context.settings.begin(),
                                          context.settings.end());
    std::optional<Recommendation> chosen;
    SEEDBED_ASSIGN(const Configuration configuration, makeConfiguration(options.configuration, chosen));
    if (chosen && !context.quiet && !context.json)
        std::fprintf(stderr, "Algorithm %s: %s\n", chosen->algo.c_str(), chosen->why.c_str());
    if (options.fail_below && !std::isfinite(*options.fail_below))
        return fail(ErrorCode::config, "--fail-below must be a finite number");
    if (options.dry_run) return dryRun(options, configuration, chosen, context);

    RealFileSystem files;
    RealClock clock;
    Interrupt interrupt(stoppingText(context.quiet), savingText(context.quiet));
    FleetRun fleet(files, context.data_folder);
    ConsoleObserver observer(context, clock, [&](std::int64_t id) {
        printNotes(configuration, context);
        interrupt.giveTime();
        fleet.started(id);
    });
    // Checked before other ranks are started; a single process checks it when it starts the run.
    if (options.ranks.ranks > 1)
        SEEDBED_TRY(Session::plan(configuration.config, {0, options.ranks.ranks}).map([](const auto&) {}));
    SEEDBED_ASSIGN(const auto ranks, RankProcesses::start(options.ranks, interrupt.token()));
    RunRequest request{configuration.config, options.name,      configuration.preset,
                       context.data_folder,  options.init_from, options.tags};
    request.ranks = ranks->link();
    request.config.remote = fleet.server();
    auto result = trainRun(request, observer, interrupt.token(), files, clock);
    ranks->end();
    observer.closeLine();
    fleet.ended(result);
    if (!result) return tl::unexpected<Error>(std::move(result).error());
    return reportEnd(*result, options.fail_below, context);
}

SEEDBED_REGISTER_COMMAND(
    train,
    {.id = "train",
     .summary = "Train an agent",
     .examples = {"seedbed train cartpole", "seedbed train pendulum --seed 3 --minutes 5",
                  "seedbed train cartpole --algo.gamma 0.98 --dry-run",
                  "seedbed train cartpole --init-from 1:best --steps 20000",
                  "seedbed train deep_sea --algo auto",
                  "seedbed train cartpole --learner.shards 4 --ranks 2"},
     .takes_settings = true,
     .define = [](CLI::App& cli) -> Action {
         auto options = std::make_shared<TrainOptions>();
         defineConfigurationOptions(cli, options->configuration);
         cli.add_option("--name", options->name, "Name of the run")->type_name("NAME")->check(notEmpty());
         cli.add_option("--tag", options->tags, "Tag the run (repeatable)")
             ->type_name("TAG")
             ->check(notEmpty());
         cli.add_option("--init-from", options->init_from,
                        "Start from the weights of RUN, RUN:best, RUN:STEP, an imported policy or a folder")
             ->type_name("POLICY")
             ->check(notEmpty());
         cli.add_option("--fail-below", options->fail_below,
                        "Exit with code 6 if the mean return of the last evaluation is below this");
         defineRankOptions(cli, options->ranks);
         cli.add_flag("--dry-run", options->dry_run,
                      "Check and print the configuration and its memory use without starting a run");
         return [options](const Context& context) { return train(*options, context); };
     }});

}  // namespace
}  // namespace seedbed::app
