// SPDX-License-Identifier: Apache-2.0
// seedbed fleet start, add, actor, list, show, stop: runs whose environments are on other machines.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/command.hpp"
#include "app/configuration.hpp"
#include "app/console_observer.hpp"
#include "app/fleet/fleet_run.hpp"
#include "app/interrupt.hpp"
#include "core/base/strict_json.hpp"
#include "core/base/text.hpp"
#include "core/control/control_client.hpp"
#include "core/control/protocol.hpp"
#include "core/fleet/actor.hpp"
#include "core/fleet/launcher.hpp"
#include "core/ipc/descriptor.hpp"
#include "core/run/run.hpp"
#include "core/store/run_lock.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed::app {
namespace {

constexpr std::size_t kCredentialsFile = 1 << 16, kMachinesFile = 1 << 24;
constexpr int kAskLimitS = 10;  // for the state of jobs

struct FleetStartOptions {
    ConfigurationRequest configuration;
    FleetLaunch launch;
    std::string name, listen;
    int envs = 16;
    bool dry_run = false;
};

void defineLaunchOptions(CLI::App& cli, FleetLaunch& launch) {
    cli.add_option("--on", launch.on, "Where the actors run: " + join(launchers().ids(), ", "))
        ->check(CLI::IsMember(launchers().ids()));
    cli.add_option("--actors", launch.actors, "Number of actors, one group of environments each")
        ->check(CLI::Range(0, 4096));
    cli.add_option("--address", launch.address,
                   "The learner's HOST:PORT as the actors reach it; default: this machine's name");
    cli.add_option("--hosts", launch.hosts, "Machines for --on ssh, separated by commas");
    cli.add_option("--program", launch.program,
                   "Path of seedbed on the actors' machines; default: that of this program");
    cli.add_option("--image", launch.image, "Container image with seedbed, for --on kubernetes");
    cli.add_option("--options", launch.options,
                   "More options for sbatch, ssh, kubectl or ray, such as \"--partition=cpu\"");
    cli.add_option("--valid-days", launch.valid_days, "Days until the actors' credentials expire")
        ->check(CLI::Range(0.0, 365.0));
}

std::string hostName() {
    char name[256] = "localhost";
    gethostname(name, sizeof name - 1);
    return name;
}

// A port that no program uses at the moment. The run stores it, so that actors find a resumed learner.
int freePort() {
    const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    socklen_t size = sizeof address;
    if (bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
        getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
        return 0;
    return ntohs(address.sin_port);
}

// The learner's address for actors: `given`, with the port of `listen` if it has none.
std::string addressFor(const std::string& given, const std::string& listen, const Launcher& launcher) {
    std::string address = given;
    if (address.empty()) address = launcher.is_local ? "127.0.0.1" : hostName();
    if (address.find(':') == std::string::npos)
        address += listen.substr(std::min(listen.rfind(':'), listen.size()));
    return address;
}

// The address to listen at and, for actors, that of the learner.
std::pair<std::string, std::string> addressesOf(const FleetStartOptions& options, const Launcher& launcher) {
    std::string listen = options.listen;
    if (listen.empty()) listen = launcher.is_local ? "127.0.0.1:0" : "0.0.0.0:7450";
    if (listen.ends_with(":0")) listen = listen.substr(0, listen.size() - 1) + std::to_string(freePort());
    return {listen, addressFor(options.launch.address, listen, launcher)};
}

Result<int> printPlan(const FleetStartOptions& options, const Launcher& launcher, const std::string& address,
                      const Context& context) {
    const LaunchRequest request = launchRequest(options.launch, context.data_folder, 0, address);
    SEEDBED_ASSIGN(const LaunchPlan plan, launcher.plan(request));
    Json files = Json::object();
    for (const auto& [name, text] : plan.files) files[name] = text;
    if (context.json) {
        printJson({{"launcher", launcher.id},
                   {"address", address},
                   {"files", files},
                   {"start", plan.start},
                   {"stop", plan.stop}});
        return kOk;
    }
    for (const auto& [name, text] : plan.files) std::printf("# file %s\n%s\n", name.c_str(), text.c_str());
    for (const std::string& line : plan.start) std::printf("%s\n", line.c_str());
    std::fprintf(stderr,
                 "Dry run: nothing was started. The number of the run replaces run-0, and the id of "
                 "the data folder 00000000.\n");
    return kOk;
}

// The first argument may also be the name of a preset.
Result<> resolvePreset(ConfigurationRequest& request) {
    if (request.preset || findEnv(request.env)) return {};
    SEEDBED_ASSIGN(const PresetLibrary library, presetLibrary());
    const auto preset = library.get(request.env);
    if (!preset) return {};
    request.preset = (*preset)->name;
    request.env = (*preset)->env;
    return {};
}

Result<int> startFleet(FleetStartOptions& options, const Context& context) {
    SEEDBED_ASSIGN(const Launcher* launcher, launchers().get(options.launch.on, "launcher"));
    if (options.launch.actors == 0) return fail(ErrorCode::usage, "--actors is at least 1");
    SEEDBED_TRY(resolvePreset(options.configuration));
    const auto [listen, address] = addressesOf(options, *launcher);
    auto& settings = options.configuration.settings;
    // The user's settings take precedence, except for those that --actors and --envs determine.
    settings.emplace(settings.begin(), "run.schedule", "async");
    settings.insert(settings.end(), context.settings.begin(), context.settings.end());
    settings.insert(settings.end(), {{"actor.fleet", listen},
                                     {"actor.num_envs", std::to_string(options.launch.actors * options.envs)},
                                     {"actor.groups", std::to_string(options.launch.actors)}});
    SEEDBED_ASSIGN(Configuration configuration, makeConfiguration(options.configuration));
    // One batch for many groups, unless the user decides, or the learner chooses no actions.
    const bool is_chosen =
        std::ranges::any_of(settings, [](const auto& setting) { return setting.first == "run.inference"; });
    const TrainingConfig& chosen = configuration.config;
    if (!is_chosen && chosen.run.inference == "auto" && chosen.actor.fleet_form != "windows") {
        settings.emplace(settings.begin(), "run.inference", "central");
        SEEDBED_ASSIGN(configuration, makeConfiguration(options.configuration));
    }
    if (options.dry_run) return printPlan(options, *launcher, address, context);
    SEEDBED_TRY(launcher->plan(launchRequest(options.launch, context.data_folder, 0, address)));

    RealFileSystem files;
    RealClock clock;
    Interrupt interrupt(stoppingText(context.quiet), savingText(context.quiet));
    FleetRun fleet(files, context.data_folder);
    fleet.launchOnStart(options.launch, address);
    ConsoleObserver observer(context, clock, [&](std::int64_t id) {
        printNotes(configuration, context);
        interrupt.giveTime();
        fleet.started(id);
    });
    RunRequest request{configuration.config, options.name, configuration.preset, context.data_folder, {}};
    request.config.remote = fleet.server();
    auto result = trainRun(request, observer, interrupt.token(), files, clock);
    observer.closeLine();
    fleet.ended(result);
    if (!result) return tl::unexpected<Error>(std::move(result).error());
    return reportEnd(*result, std::nullopt, context);
}

Result<std::int64_t> fleetRunOf(const std::string& text, const Context& context) {
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    SEEDBED_ASSIGN(const std::int64_t run, reader.resolveRun(text));
    SEEDBED_ASSIGN(const auto config, reader.configOf(run));
    if (!config.first.value("actor", Json::object()).value("fleet", "").empty()) return run;
    return fail(ErrorCode::config,
                "run " + std::to_string(run) + " has no fleet; start one with 'seedbed fleet start PRESET'");
}

// "-" is the standard input.
Result<ActorCredentials> readCredentials(const std::filesystem::path& path) {
    if (path == "-") {
        std::string text(kCredentialsFile, '\0');
        text.resize(std::fread(text.data(), 1, text.size(), stdin));
        return ActorCredentials::parse(text);
    }
    RealFileSystem files;
    SEEDBED_ASSIGN(const std::string text, readFile(files, path, kCredentialsFile));
    return ActorCredentials::parse(text);
}

Result<int> addActors(const FleetLaunch& launch, const std::string& run_text, const Context& context) {
    SEEDBED_ASSIGN(const std::int64_t run, fleetRunOf(run_text, context));
    RealFileSystem files;
    // A process that was killed may have recorded the run without credentials.
    const std::filesystem::path credentials = fleetFolder(context.data_folder, run) / "actor.json";
    SEEDBED_ASSIGN(const auto known, files.info(credentials));
    std::string address;
    if (launch.address.empty() && known) {
        SEEDBED_ASSIGN(const ActorCredentials stored, readCredentials(credentials));
        address = stored.address;
    } else {
        SEEDBED_ASSIGN(const Launcher* launcher, launchers().get(launch.on, "launcher"));
        SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
        SEEDBED_ASSIGN(const auto config, reader.configOf(run));
        address = addressFor(launch.address, config.first["actor"]["fleet"].get<std::string>(), *launcher);
    }
    SEEDBED_TRY(launchActors(files, launch, context.data_folder, run, address));
    if (context.json) printJson({{"run", run}, {"actors", launch.actors}, {"address", address}});
    else if (!context.quiet)
        std::fprintf(stderr, "run %lld: %s started\n", static_cast<long long>(run),
                     countText(launch.actors, "actor").c_str());
    return kOk;
}

// --- actor

struct ActorCommandOptions {
    std::string credentials, learner;
    int groups = 1;
    double give_up_min = 10;
};

Result<int> actor(const ActorCommandOptions& options, const Context& context) {
    ActorOptions actor;
    SEEDBED_ASSIGN(actor.credentials, readCredentials(options.credentials));
    if (!options.learner.empty()) actor.credentials.address = options.learner;
    actor.give_up_s = 60 * options.give_up_min;
    SEEDBED_ASSIGN(LinkTransport * transport, loadLinkTransport());
    Interrupt interrupt("");
    interrupt.giveTime();
    std::vector<Result<>> ends(static_cast<std::size_t>(options.groups));
    std::vector<std::thread> threads;
    for (std::size_t g = 0; g < ends.size(); ++g)
        threads.emplace_back([&, g] {
            ActorOptions own = actor;
            own.name = hostName() + ":" + std::to_string(getpid()) +
                       (ends.size() > 1 ? "." + std::to_string(g) : "");
            if (!context.quiet)
                own.message = [name = own.name](const std::string& text) {
                    std::fprintf(stderr, "actor %s: %s\n", name.c_str(), text.c_str());
                };
            ends[g] = runActor(own, *transport, interrupt.token());
        });
    for (std::thread& thread : threads) thread.join();
    for (Result<>& end : ends) SEEDBED_TRY(std::move(end));
    return kOk;
}

// --- list, show, stop

Result<Json> machinesOf(const std::filesystem::path& folder) {
    RealFileSystem files;
    SEEDBED_ASSIGN(const auto exists, files.info(folder / "machines.json"));
    if (!exists) return fail("the actors of this run are not known yet; they are listed while it trains");
    SEEDBED_ASSIGN(const std::string text, readFile(files, folder / "machines.json", kMachinesFile));
    Json json = parseStrictJson(text);
    if (!json.is_object()) return fail("'" + (folder / "machines.json").string() + "' is damaged");
    // The list is written by the learner and stays when it ends.
    const bool running = RunLock::isHeld(folder.parent_path().parent_path(), json.value("run", 0));
    json["running"] = running;
    for (Json& group : json["groups"]) {
        const Json answered = group.value("answered_s", Json());
        group.erase("answered_s");
        group["answer_age_s"] =
            running && answered.is_number_integer()
                ? Json(std::max<std::int64_t>(0, std::time(nullptr) - answered.get<std::int64_t>()))
                : Json();
        if (running) continue;
        group["actor"] = "";
        for (const char* member : {"rows_per_s", "form", "lag", "bytes_per_s"}) group[member] = Json();
        group["waiting"] = false;
    }
    return json;
}

Json jsonOf(const Launched& launched) {
    const auto& running = launched.state.running;
    return {{"number", launched.number},
            {"on", launched.on},
            {"actors", launched.actors},
            {"options", launched.options},
            {"job", launched.state.job},
            {"state", stateName(launched.state.kind)},
            {"running", running ? Json(*running) : Json()},
            {"detail", launched.state.detail},
            {"text", launched.text()}};
}

// The next step if groups have no actor, or "".
std::string waitingText(std::int64_t run, std::int64_t waiting, const std::vector<Launched>& launches) {
    if (waiting == 0) return "";
    const std::string groups = countText(waiting, "group") + (waiting == 1 ? " waits" : " wait");
    const auto is = [](LaunchState::Kind kind) {
        return [kind](const Launched& launched) { return launched.state.kind == kind; };
    };
    if (std::ranges::any_of(launches, is(LaunchState::Kind::pending)))
        return groups + " for an actor, which the pending job will start.";
    std::string add = "seedbed fleet add " + std::to_string(run) + " --actors " + std::to_string(waiting);
    if (!launches.empty())
        for (const std::string& word : launches.back().options)
            add += " " +
                   (word.starts_with("--") && word.find(' ') == std::string::npos ? word : shellWord(word));
    if (std::ranges::any_of(launches, is(LaunchState::Kind::running)))
        return groups +
               " for an actor. If actors that are running do not connect, their log contains the "
               "reason. This starts more: " +
               add;
    return groups + " for an actor. Start more: " + add;
}

Result<int> listFleets(const Context& context) {
    RealFileSystem files;
    Json list = Json::array();
    std::vector<std::vector<std::string>> rows{{"RUN", "STATE", "ACTORS", "GROUPS", "ROWS"}};
    if (const auto entries = files.list(context.data_folder / "fleet"))
        for (const FileInfo& entry : *entries) {
            const auto machines = machinesOf(context.data_folder / "fleet" / entry.name);
            if (!machines) continue;
            std::int64_t actors = 0, received = 0;
            for (const Json& group : machines->at("groups")) {
                actors += group.value("actor", "").empty() ? 0 : 1;
                received += group.value("rows", std::int64_t{0});
            }
            const bool running = machines->at("running");
            const auto run = machines->value("run", std::int64_t{0});
            const auto groups = static_cast<std::int64_t>(machines->at("groups").size());
            list.push_back({{"run", run},
                            {"running", running},
                            {"actors", actors},
                            {"groups", groups},
                            {"rows", received}});
            rows.push_back({std::to_string(run), running ? "running" : "stopped", std::to_string(actors),
                            std::to_string(groups), formatCount(received)});
        }
    if (context.json) printJson(list);
    else if (rows.size() > 1) printTable(rows);
    else std::fprintf(stderr, "There are no fleets; start one with 'seedbed fleet start PRESET'.\n");
    return kOk;
}

std::string secondsText(std::int64_t seconds) {
    return seconds < 60 ? std::to_string(seconds) + " s" : formatDuration(static_cast<double>(seconds));
}

struct FleetShowOptions {
    std::string run;
    bool no_jobs = false;
};

Result<int> showFleet(const FleetShowOptions& options, const Context& context) {
    SEEDBED_ASSIGN(const std::int64_t run, fleetRunOf(options.run, context));
    const std::filesystem::path folder = fleetFolder(context.data_folder, run);
    SEEDBED_ASSIGN(Json machines, machinesOf(folder));
    std::vector<Launched> launches;
    if (!options.no_jobs) {
        RealFileSystem files;
        SEEDBED_ASSIGN(launches, askLaunched(files, folder, kAskLimitS));
    }
    if (context.json) {
        if (!options.no_jobs) machines["launches"] = Json::array();
        for (const Launched& launched : launches) machines["launches"].push_back(jsonOf(launched));
        printJson(machines);
        return kOk;
    }
    std::int64_t waiting = 0;
    std::vector<std::vector<std::string>> rows{
        {"GROUP", "ENVS", "ROWS", "ROWS/S", "FORM", "LAG", "ANSWERED", "LOST", "ACTOR"}};
    for (const Json& group : machines.at("groups")) {
        const auto number = [&](const char* member) { return group.value(member, Json()); };
        waiting += group.value("waiting", false) ? 1 : 0;
        rows.push_back(
            {group.at("group").dump(), group.at("environments").dump(),
             formatCount(group.value("rows", std::int64_t{0})),
             number("rows_per_s").is_number() ? formatCount(number("rows_per_s").get<std::int64_t>()) : "-",
             group.value("actor", "").empty() ? "-" : group.value("form", "actions"),
             number("lag").is_number() ? formatCount(number("lag").get<std::int64_t>()) : "-",
             number("answer_age_s").is_number()
                 ? secondsText(number("answer_age_s").get<std::int64_t>()) + " ago"
                 : "-",
             formatCount(group.value("losses", std::int64_t{0})),
             group.value("actor", "").empty() ? "none" : group.value("actor", "")});
    }
    printTable(rows);
    for (const Launched& launched : launches) std::printf("%s\n", launched.text().c_str());
    const std::string waits = waitingText(run, waiting, launches);
    if (!waits.empty()) std::printf("%s\n", waits.c_str());
    return kOk;
}

Result<int> stopFleet(const std::string& run_text, const Context& context) {
    SEEDBED_ASSIGN(const std::int64_t run, fleetRunOf(run_text, context));
    auto process = ControlClient::connect(controlSocket(context.data_folder, run));
    if (process) SEEDBED_TRY(process->ask("stop"));
    RealFileSystem files;
    SEEDBED_ASSIGN(const int launches, stopLaunched(files, fleetFolder(context.data_folder, run)));
    if (context.json) printJson({{"run", run}, {"was_running", process.has_value()}, {"launches", launches}});
    else if (!context.quiet)
        std::fprintf(stderr, "run %lld: %s and %s stopped\n", static_cast<long long>(run),
                     process ? "the learner" : "no learner", countText(launches, "launched job").c_str());
    return kOk;
}

// --- registration

SEEDBED_REGISTER_COMMAND(
    fleet_start,
    {.id = "fleet start",
     .summary = "Train an agent with environments on other machines",
     .examples = {"seedbed fleet start cartpole_vtrace --actors 2",
                  "seedbed fleet start minatar_breakout_vtrace --on slurm --actors 64 --options "
                  "\"--partition=cpu\"",
                  "seedbed fleet start cartpole_vtrace --on ssh --hosts alpha,beta --actors 8 --dry-run"},
     .takes_settings = true,
     .define = [](CLI::App& cli) -> Action {
         auto options = std::make_shared<FleetStartOptions>();
         defineConfigurationOptions(cli, options->configuration);
         defineLaunchOptions(cli, options->launch);
         cli.add_option("--envs", options->envs, "Environments of each actor")->check(CLI::Range(1, 65536));
         cli.add_option("--name", options->name, "Name of the run")->type_name("NAME")->check(notEmpty());
         cli.add_option("--listen", options->listen,
                        "Address and port of the learner; default: 0.0.0.0:7450, with --on local 127.0.0.1 "
                        "and a free port");
         cli.add_flag("--dry-run", options->dry_run, "Print what would be run");
         return [options](const Context& context) { return startFleet(*options, context); };
     }});

SEEDBED_REGISTER_COMMAND(
    fleet_add, {.id = "fleet add",
                .summary = "Start more actors for a run with a fleet, with new credentials",
                .examples = {"seedbed fleet add 3 --actors 2", "seedbed fleet add 3 --on slurm --actors 16"},
                .define = [](CLI::App& cli) -> Action {
                    auto launch = std::make_shared<FleetLaunch>();
                    auto run = std::make_shared<std::string>();
                    cli.add_option("RUN", *run, "Id or name of the run")->required();
                    defineLaunchOptions(cli, *launch);
                    return
                        [launch, run](const Context& context) { return addActors(*launch, *run, context); };
                }});

SEEDBED_REGISTER_COMMAND(
    fleet_actor,
    {.id = "fleet actor",
     .summary = "Step environments for a learner on another machine",
     .examples = {"seedbed fleet actor --credentials actor.json"},
     .define = [](CLI::App& cli) -> Action {
         auto options = std::make_shared<ActorCommandOptions>();
         cli.add_option("--credentials", options->credentials,
                        "The file actor.json of the run, from DATA/fleet/run-N on the learner's machine; "
                        "-: the standard input")
             ->required();
         cli.add_option("--learner", options->learner, "HOST:PORT; default: as in the credentials");
         cli.add_option("--groups", options->groups, "Groups of environments, one thread each")
             ->check(CLI::Range(1, 1024));
         cli.add_option("--give-up-after", options->give_up_min,
                        "Minutes without a learner after which the actor exits")
             ->check(CLI::Range(0.0, 1e6));
         return [options](const Context& context) { return actor(*options, context); };
     }});

SEEDBED_REGISTER_COMMAND(fleet_list, {.id = "fleet list",
                                      .summary = "List runs with a fleet",
                                      .examples = {"seedbed fleet list"},
                                      .define = [](CLI::App&) -> Action { return listFleets; }});

Action onRun(CLI::App& cli, Result<int> (*action)(const std::string&, const Context&)) {
    auto run = std::make_shared<std::string>();
    cli.add_option("RUN", *run, "Id or name of the run")->required();
    return [run, action](const Context& context) { return action(*run, context); };
}

SEEDBED_REGISTER_COMMAND(fleet_show,
                         {.id = "fleet show",
                          .summary = "Show the actors of a run, and the state of the jobs that start them",
                          .examples = {"seedbed fleet show 3"},
                          .define = [](CLI::App& cli) -> Action {
                              auto options = std::make_shared<FleetShowOptions>();
                              cli.add_option("RUN", options->run, "Id or name of the run")->required();
                              cli.add_flag("--no-jobs", options->no_jobs,
                                           "Do not ask Slurm, Ray, Kubernetes or the hosts about the jobs");
                              return
                                  [options](const Context& context) { return showFleet(*options, context); };
                          }});

SEEDBED_REGISTER_COMMAND(
    fleet_stop, {.id = "fleet stop",
                 .summary = "Stop a run and its actors; 'seedbed resume' and 'seedbed fleet add' continue it",
                 .examples = {"seedbed fleet stop 3"},
                 .define = [](CLI::App& cli) -> Action { return onRun(cli, stopFleet); }});

}  // namespace
}  // namespace seedbed::app
