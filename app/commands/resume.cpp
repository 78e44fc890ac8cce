// SPDX-License-Identifier: Apache-2.0
// seedbed resume: continues a stopped, interrupted or paused run.
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "app/command.hpp"
#include "app/configuration.hpp"
#include "app/console_observer.hpp"
#include "app/fleet/fleet_run.hpp"
#include "app/interrupt.hpp"
#include "app/ranks/rank_processes.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/checkpoint/checkpoint_name.hpp"
#include "core/control/control_client.hpp"
#include "core/control/protocol.hpp"
#include "core/run/run.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed::app {
namespace {

struct ResumeOptions {
    std::string run;
    std::vector<std::pair<std::string, std::string>> settings;
    std::optional<double> fail_below;
    RankOptions ranks;
};

// Continues a paused run whose process is still running.
Result<int> unpause(std::int64_t run, ControlClient& process, bool settings, const Context& context) {
    const std::string id = std::to_string(run);
    SEEDBED_ASSIGN(const Json status, process.ask("status"));
    if (status.value("status", Json::object()).value("state", Json()) != "paused")
        return fail("run " + id +
                    " is already being trained by another process; follow it with 'seedbed attach " + id +
                    "'");
    if (settings)
        return fail(ErrorCode::usage, "run " + id + " is paused: change its settings with 'seedbed set " +
                                          id + " ...', then continue it with 'seedbed resume " + id + "'");
    SEEDBED_ASSIGN([[maybe_unused]] const Json reply, process.ask("resume"));
    if (context.json) printJson({{"id", run}, {"resumed", true}});
    else if (!context.quiet) std::fprintf(stderr, "run %s continues\n", id.c_str());
    return kOk;
}

Result<int> resume(ResumeOptions& options, const Context& context) {
    if (options.ranks.isFollower()) return runFollower(options.ranks);
    RealFileSystem files;
    SEEDBED_ASSIGN(const CheckpointName name, parseCheckpointName(files, options.run));
    if (!name.folder.empty())
        return fail(
            ErrorCode::config,
            "'" + options.run +
                "' is a folder; resume a run by its id or name, or start a new run from these weights with "
                "'seedbed train ENV --init-from " +
                options.run + "'");
    ResumeRequest request{.data_folder = context.data_folder,
                          .cache_folder = {},
                          .selector = name.selector,
                          .settings = options.settings};
    {
        SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
        SEEDBED_ASSIGN(request.run, reader.resolveRun(name.run));
    }
    if (const auto folders = userFolders(std::nullopt)) request.cache_folder = folders->cache;
    request.settings.insert(request.settings.end(), context.settings.begin(), context.settings.end());
    for (auto& [key, value] : request.settings)
        if (key == "run.tensorboard") value = absoluteFolder(value);
    // If the run's owner does not accept requests, resumeRun() waits for it.
    if (auto process = ControlClient::connect(controlSocket(context.data_folder, request.run)))
        return unpause(request.run, *process, !request.settings.empty(), context);
    RealClock clock;
    Interrupt interrupt(stoppingText(context.quiet), savingText(context.quiet));
    FleetRun fleet(files, context.data_folder);
    ConsoleObserver observer(context, clock, [&](std::int64_t id) {
        interrupt.giveTime();
        fleet.started(id);
    });
    SEEDBED_ASSIGN(const auto ranks, RankProcesses::start(options.ranks, interrupt.token()));
    request.ranks = ranks->link();
    request.remote = fleet.server();
    auto result = resumeRun(request, observer, interrupt.token(), files, clock);
    ranks->end();
    observer.closeLine();
    fleet.ended(result);
    if (!result) return tl::unexpected<Error>(std::move(result).error());
    return reportEnd(*result, options.fail_below, context);
}

SEEDBED_REGISTER_COMMAND(
    resume, {.id = "resume",
             .summary = "Continue a stopped, interrupted or paused run",
             .examples = {"seedbed resume 3", "seedbed resume 3 --steps 2000000",
                          "seedbed resume my-run --algo.learning_rate 1e-4"},
             .takes_settings = true,
             .define = [](CLI::App& cli) -> Action {
                 auto options = std::make_shared<ResumeOptions>();
                 cli.add_option("RUN", options->run,
                                "Id or name of the run; RUN:best or RUN:STEP reverts to that checkpoint")
                     ->required();
                 defineShortOptions(
                     cli, options->settings,
                     {"--steps", "--minutes", "--target-return", "--threads", "--device", "--engine"});
                 defineRankOptions(cli, options->ranks);
                 cli.add_option("--fail-below", options->fail_below,
                                "Exit with code 6 if the mean return of the last evaluation is below this");
                 return [options](const Context& context) { return resume(*options, context); };
             }});

}  // namespace
}  // namespace seedbed::app
