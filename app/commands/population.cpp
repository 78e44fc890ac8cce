// SPDX-License-Identifier: Apache-2.0
// seedbed population: population-based training, its members and their lineage.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <functional>
#include <map>
#include <thread>
#include <utility>

#include "app/command.hpp"
#include "app/configuration.hpp"
#include "app/interrupt.hpp"
#include "app/policy_options.hpp"
#include "core/base/text.hpp"
#include "core/control/launch.hpp"
#include "core/jobs/population.hpp"
#include "core/jobs/population_member.hpp"
#include "core/jobs/population_rules.hpp"
#include "core/session/session.hpp"
#include "core/store/population/population_store.hpp"

namespace seedbed::app::population {
namespace {

constexpr std::int64_t kDefaultRounds = 10;
constexpr std::int64_t kMaxSeed = INT64_MAX - 1000;  // the seeds of members follow that of the population

// --- show and list
// -------------------------------------------------------------------------------------------

// A population as stored.
struct View {
    PopulationRecord record;
    PopulationRules rules;
    std::vector<PopulationRound> rows, newest;  // of all rounds, and of the newest one
    std::int64_t round = 0;
    // By member, once the population has ended and if all that are done have one.
    std::map<int, double> evaluations{};

    bool isComplete() const {
        return round >= rules.rounds() && std::all_of(newest.begin(), newest.end(), [](const auto& row) {
                   return row.state == RoundState::done || row.state == RoundState::failed;
               });
    }
    RunId runOf(int member) const { return record.runs[static_cast<std::size_t>(member) - 1]; }
    // The members with a score in the newest round that has ended for all, the best first: by score, and at
    // the end by evaluation if all have one, because the score of a round has few episodes.
    std::vector<PopulationRound> standings() const {
        const bool has_ended = std::all_of(newest.begin(), newest.end(), [](const auto& row) {
            return row.state == RoundState::done || row.state == RoundState::failed;
        });
        std::vector<PopulationRound> ended;
        for (const PopulationRound& row : rows)
            if (row.round == (has_ended ? round : round - 1)) ended.push_back(row);
        std::vector<PopulationRound> order = ranked(rules, ended);
        if (!evaluations.empty())
            std::ranges::stable_sort(order, std::ranges::greater(),
                                     [&](const auto& row) { return evaluations.at(row.member); });
        return order;
    }
};

Result<> readEvaluations(View& view, const Path& data_folder) {
    if (!view.isComplete() || view.rules.objective != "episode/return" || view.rules.lower_is_better)
        return {};
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(data_folder));
    for (const PopulationRound& row : view.newest) {
        if (row.state != RoundState::done) continue;
        SEEDBED_ASSIGN(const RunRecord run, reader.run(view.runOf(row.member)));
        if (!run.last_return || run.return_source != "evaluation") {
            view.evaluations.clear();
            return {};
        }
        view.evaluations[row.member] = *run.last_return;
    }
    return {};
}

Result<View> viewOf(PopulationStore& store, PopulationRecord record, const Path& data_folder) {
    View view;
    view.rules = rulesFromJson(record.settings);
    SEEDBED_ASSIGN(view.rows, store.rounds(record.id));
    if (!view.rows.empty()) view.round = view.rows.back().round;
    for (const PopulationRound& row : view.rows)
        if (row.round == view.round) view.newest.push_back(row);
    view.record = std::move(record);
    SEEDBED_TRY(readEvaluations(view, data_folder));
    return view;
}

Json scoreJson(const std::optional<double>& score) { return score ? Json(*score) : Json(); }

Json evaluationJson(const View& view, int member) {
    const auto found = view.evaluations.find(member);
    return found != view.evaluations.end() ? Json(found->second) : Json();
}

Json roundJson(const PopulationRound& row) {
    return {{"round", row.round},
            {"member", row.member},
            {"parent", row.parent},
            {"parent_step", row.parent_step},
            {"settings", row.settings},
            {"state", nameOf(row.state)},
            {"end_step", row.state == RoundState::done ? Json(row.end_step) : Json()},
            {"score", scoreJson(row.score)},
            {"error", row.error}};
}

Json lineageJson(const View& view) {
    Json nodes = Json::array();
    for (const LineageNode& node : lineageOf(view.rows))
        nodes.push_back({{"member", node.member},
                         {"parent", node.parent < 0 ? Json() : Json(node.parent)},
                         {"first_round", node.first_round},
                         {"last_round", node.last_round},
                         {"begin_step", node.begin_step},
                         {"end_step", node.end_step},
                         {"settings", node.settings},
                         {"score", scoreJson(node.score)},
                         {"error", node.error}});
    return nodes;
}

bool isRunning(const View& view, const Context& context) {
    return RunLock::isHeld(context.data_folder, populationLock(view.record.id, 0));
}

Json viewJson(const View& view, bool is_running) {
    Json members = Json::array(), rounds = Json::array();
    for (std::size_t i = 0; i < view.newest.size() && i < view.record.runs.size(); ++i) {
        Json member = roundJson(view.newest[i]);
        member["run"] = view.record.runs[i];
        member["evaluation"] = evaluationJson(view, view.newest[i].member);
        members.push_back(std::move(member));
    }
    for (const PopulationRound& row : view.rows) rounds.push_back(roundJson(row));
    const auto standings = view.standings();
    Json best;
    if (!standings.empty())
        best = {{"member", standings.front().member},
                {"run", view.runOf(standings.front().member)},
                {"score", *standings.front().score},
                {"evaluation", evaluationJson(view, standings.front().member)},
                {"settings", standings.front().settings}};
    return {{"id", view.record.id},
            {"name", view.record.name},
            {"settings", view.record.settings},
            {"round", view.round},
            {"rounds_total", view.rules.rounds()},
            {"complete", view.isComplete()},
            {"running", is_running},
            {"best", std::move(best)},
            {"members", std::move(members)},
            {"rounds", std::move(rounds)},
            {"lineage", lineageJson(view)}};
}

std::string scoreText(const std::optional<double>& score) {
    if (!score) return "-";
    char text[32];
    std::snprintf(text, sizeof text, "%.5g", *score);
    return text;
}

void printMembers(const View& view) {
    std::vector<std::vector<std::string>> rows{
        {"member", "run", "state", "step", "score", "evaluation", "settings"}};
    const auto add = [&](const PopulationRound& row) {
        const auto now = std::find_if(view.newest.begin(), view.newest.end(),
                                      [&](const auto& other) { return other.member == row.member; });
        const auto evaluated = view.evaluations.find(row.member);
        rows.push_back({std::to_string(row.member), std::to_string(view.runOf(row.member)),
                        nameOf(now == view.newest.end() ? row.state : now->state), formatCount(row.end_step),
                        scoreText(row.score),
                        evaluated == view.evaluations.end() ? "-" : scoreText(evaluated->second),
                        settingsText(row.settings)});
    };
    const auto standings = view.standings();
    for (const PopulationRound& row : standings) add(row);
    for (const PopulationRound& row : view.newest)
        if (std::none_of(standings.begin(), standings.end(),
                         [&](const auto& other) { return other.member == row.member; }))
            add(row);
    printTable(rows);
}

std::string nodeText(const LineageNode& node) {
    std::string text = "member " + std::to_string(node.member) + ", ";
    text += node.first_round == node.last_round
                ? "round " + std::to_string(node.first_round)
                : "rounds " + std::to_string(node.first_round) + " to " + std::to_string(node.last_round);
    text += ", steps " + formatCount(node.begin_step) + " to " + formatCount(node.end_step) + ": " +
            settingsText(node.settings) + "; score " + scoreText(node.score);
    return node.error.empty() ? text : text + "; failed: " + node.error;
}

void printTree(const std::vector<LineageNode>& nodes, int parent, const std::string& indent) {
    std::vector<int> children;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (nodes[i].parent == parent) children.push_back(static_cast<int>(i));
    for (const int child : children) {
        const bool is_root = parent < 0, is_last = child == children.back();
        std::printf("%s%s%s\n", indent.c_str(),
                    is_root   ? ""
                    : is_last ? "└─ "
                              : "├─ ",
                    nodeText(nodes[static_cast<std::size_t>(child)]).c_str());
        printTree(nodes, child, indent + (is_root ? "" : is_last ? "   " : "│  "));
    }
}

Result<int> show(const std::string& name, const Context& context) {
    SEEDBED_ASSIGN(PopulationStore store, PopulationStore::open(context.data_folder));
    SEEDBED_ASSIGN(PopulationRecord record, store.population(name));
    SEEDBED_ASSIGN(const View view, viewOf(store, std::move(record), context.data_folder));
    if (context.json) {
        printJson(viewJson(view, isRunning(view, context)));
        return kOk;
    }
    std::printf("%s: %s on %s, round %lld of %lld%s; objective %s%s\n", view.record.name.c_str(),
                view.record.settings.value("algo", "").c_str(), view.record.settings.value("env", "").c_str(),
                static_cast<long long>(view.round), static_cast<long long>(view.rules.rounds()),
                view.isComplete() ? ", complete" : "", view.rules.objective.c_str(),
                view.rules.lower_is_better ? " (lower is better)" : "");
    if (!view.isComplete() && !isRunning(view, context))
        std::printf("It is stopped; continue with 'seedbed population resume %s'.\n",
                    view.record.name.c_str());
    printMembers(view);
    std::printf("\nLineage (a branch is a copy of weights and optimiser):\n");
    printTree(lineageOf(view.rows), -1, "");
    return kOk;
}

Result<int> list(const Context& context) {
    SEEDBED_ASSIGN(PopulationStore store, PopulationStore::open(context.data_folder));
    SEEDBED_ASSIGN(auto populations, store.populations());
    Json json = Json::array();
    std::vector<std::vector<std::string>> rows{
        {"id", "population", "environment", "members", "round", "best"}};
    for (PopulationRecord& record : populations) {
        SEEDBED_ASSIGN(const View view, viewOf(store, std::move(record), context.data_folder));
        const auto standings = view.standings();
        Json best;
        if (!standings.empty()) best = evaluationJson(view, standings.front().member);
        if (best.is_null() && !standings.empty()) best = scoreJson(standings.front().score);
        const std::string env = view.record.settings.value("env", "");
        json.push_back({{"id", view.record.id},
                        {"name", view.record.name},
                        {"env", env},
                        {"members", view.record.runs.size()},
                        {"round", view.round},
                        {"rounds_total", view.rules.rounds()},
                        {"complete", view.isComplete()},
                        {"best", best}});
        rows.push_back({std::to_string(view.record.id), view.record.name, env,
                        std::to_string(view.record.runs.size()),
                        std::to_string(view.round) + " of " + std::to_string(view.rules.rounds()),
                        scoreText(best.is_null() ? std::nullopt : std::optional(best.get<double>()))});
    }
    if (context.json) printJson(json);
    else if (populations.empty())
        std::printf(
            "No populations. Start one with 'seedbed population start ENV --mutate KEY=LOW..HIGH'.\n");
    else printTable(rows);
    return kOk;
}

// The controller lets its members save their runs; the command does not wait for this.
Result<int> stop(const std::string& name, const Context& context) {
    SEEDBED_ASSIGN(PopulationStore store, PopulationStore::open(context.data_folder));
    SEEDBED_ASSIGN(const PopulationRecord record, store.population(name));
    const int controller = RunLock::owner(context.data_folder, populationLock(record.id, 0));
    if (controller == 0) return fail("population '" + record.name + "' is not being trained");
    if (::kill(controller, SIGTERM) != 0)
        return tl::unexpected<Error>(systemError(errno, "stopping process " + std::to_string(controller)));
    if (context.json) printJson({{"id", record.id}, {"process", controller}});
    else if (!context.quiet)
        std::printf("Population '%s' is stopping: its members that train save a checkpoint.\n",
                    record.name.c_str());
    return kOk;
}

// --- start and resume
// ----------------------------------------------------------------------------------------

// Trains the rest of a population and prints its result.
Result<int> work(std::int64_t population, int jobs, const Context& context) {
    SEEDBED_ASSIGN(const auto program, ownProgram());
    Interrupt interrupt(stoppingText(context.quiet), savingText(context.quiet));
    interrupt.giveTime();
    const PopulationRun request{.data_folder = context.data_folder,
                                .program = program,
                                .population = population,
                                .jobs = jobs,
                                .report = [&](const std::string& line) {
                                    if (!context.quiet) std::fprintf(stderr, "%s\n", line.c_str());
                                }};
    SEEDBED_TRY(runPopulation(request, interrupt.token()));
    SEEDBED_TRY(show(std::to_string(population), context));
    SEEDBED_ASSIGN(PopulationStore store, PopulationStore::open(context.data_folder));
    SEEDBED_ASSIGN(PopulationRecord record, store.population(std::to_string(population)));
    SEEDBED_ASSIGN(const View view, viewOf(store, std::move(record), context.data_folder));
    const auto failed = std::count_if(view.newest.begin(), view.newest.end(),
                                      [](const auto& row) { return row.state == RoundState::failed; });
    if (failed == 0) return kOk;
    std::fprintf(stderr, "%s failed in the last round\n", countText(failed, "member").c_str());
    return exitCode(ErrorCode::failure);
}

struct StartOptions {
    ConfigurationRequest configuration;
    std::string name;
    std::vector<std::string> mutate;
    PopulationRules rules;
    int jobs = 1;
};

int threadsPerMember(int jobs) {
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / std::max(1, jobs));
}

// Sets the rules that depend on the configuration of the members, and checks all.
Result<> completeRules(PopulationRules& rules, const std::vector<std::string>& mutate,
                       const TrainingConfig& config) {
    if (config.run.seed > kMaxSeed)
        return fail(ErrorCode::config, "the seed of a population is at most " + formatCount(kMaxSeed) +
                                           ", because the seeds of its members follow it");
    rules.seed = static_cast<std::uint64_t>(config.run.seed);
    rules.steps = config.run.steps;
    SEEDBED_ASSIGN(const SessionPlan plan, Session::plan(config));
    const std::int64_t update = std::int64_t{plan.learn.rollout_length} * config.actor.num_envs;
    if (rules.every == 0)
        rules.every = std::clamp(rules.steps / kDefaultRounds, std::min(update, rules.steps), rules.steps);
    for (const std::string& text : mutate) {
        SEEDBED_ASSIGN(Mutation mutation, parseMutation(text, config.document));
        rules.mutations.push_back(std::move(mutation));
    }
    SEEDBED_TRY(checkRules(rules));
    if (rules.every >= std::min(update, rules.steps)) return {};
    return fail(ErrorCode::config, "--every " + std::to_string(rules.every) +
                                       " is shorter than an update, which has " + countText(update, "step"));
}

// The run of a member with its first settings.
Result<NewRun> memberRun(const Configuration& configuration, const PopulationRules& rules,
                         const PopulationRound& first, const Context& context) {
    Json document = configuration.config.document;
    document["run"]["seed"] = static_cast<std::int64_t>(rules.seed) + first.member - 1;
    for (const auto& [key, value] : first.settings.items())
        SEEDBED_TRY(runConfigSchema().set(document, key, value.dump()));
    SEEDBED_ASSIGN(const TrainingConfig config, parseTrainingConfig(document));
    SEEDBED_ASSIGN(const SessionPlan plan, Session::plan(config));
    SEEDBED_TRY(checkRivals(plan, context));
    NewRun run;
    run.env = config.env_id;
    run.algo = config.algo_id;
    run.engine = plan.engine.id;
    run.seed = static_cast<std::uint64_t>(config.run.seed);
    run.config = config.document;
    run.devices = Json::array({config.run.device});
    run.auto_settings = {{"preset", configuration.preset}};
    return run;
}

// A member resumes in every round, where it would otherwise begin with an empty replay.
Result<> saveReplay(const ConfigurationRequest& request, TrainingConfig& config) {
    SEEDBED_ASSIGN(const SessionPlan plan, Session::plan(config));
    const bool is_given =
        std::any_of(request.settings.begin(), request.settings.end(),
                    [](const auto& setting) { return setting.first == "checkpoint.replay"; });
    if (plan.learn.replay && !is_given) config.document["checkpoint"]["replay"] = "full";
    return {};
}

// All members train for the same number of steps, so other goals do not apply.
Result<> checkGoal(const std::vector<std::pair<std::string, std::string>>& settings) {
    for (const auto& [key, value] : settings)
        if (key == "run.minutes" || key == "run.target_return")
            return fail(ErrorCode::usage,
                        "members of a population train for --steps; '" + key + "' does not apply");
    return {};
}

Result<int> start(StartOptions& options, const Context& context) {
    auto& settings = options.configuration.settings;
    settings.insert(settings.end(), context.settings.begin(), context.settings.end());
    SEEDBED_TRY(checkGoal(settings));
    SEEDBED_ASSIGN(Configuration configuration, makeConfiguration(options.configuration));
    Json& document = configuration.config.document;
    // A preset may have other goals.
    document["run"]["minutes"] = 0;
    document["run"]["target_return"] = RunSettings::kNoTarget;
    if (options.jobs > 1 && configuration.config.run.threads == 0)
        document["run"]["threads"] = threadsPerMember(options.jobs);

    SEEDBED_TRY(saveReplay(options.configuration, configuration.config));
    PopulationRules& rules = options.rules;
    SEEDBED_TRY(completeRules(rules, options.mutate, configuration.config));
    printNotes(configuration, context);
    const std::vector<PopulationRound> first = firstRound(rules);
    std::vector<NewRun> runs;
    for (const PopulationRound& row : first) {
        SEEDBED_ASSIGN(NewRun run, memberRun(configuration, rules, row, context));
        runs.push_back(std::move(run));
    }
    Json stored = toJson(rules);
    stored["env"] = configuration.config.env_id;
    stored["algo"] = configuration.config.algo_id;
    stored["preset"] = configuration.preset;
    SEEDBED_ASSIGN(PopulationStore store, PopulationStore::open(context.data_folder));
    SEEDBED_ASSIGN(const PopulationRecord made, store.create(options.name, stored, runs, first));
    if (!context.quiet)
        std::fprintf(stderr, "%s: %s, runs %lld to %lld\n", made.name.c_str(),
                     countText(rules.members, "member").c_str(), static_cast<long long>(made.runs.front()),
                     static_cast<long long>(made.runs.back()));
    return work(made.id, options.jobs, context);
}

Result<int> resume(const std::string& name, int jobs, const Context& context) {
    SEEDBED_ASSIGN(PopulationStore store, PopulationStore::open(context.data_folder));
    SEEDBED_ASSIGN(const PopulationRecord record, store.population(name));
    return work(record.id, jobs, context);
}

Result<int> member(const MemberTask& task, const Context& context) {
    std::filesystem::path cache;
    if (const auto folders = userFolders(std::nullopt)) cache = folders->cache;
    Interrupt interrupt("", "");
    interrupt.giveTime();
    SEEDBED_TRY(workOnMember(context.data_folder, task, cache, interrupt.token()));
    return kOk;
}

// --- commands
// ------------------------------------------------------------------------------------------------

void addJobsOption(CLI::App& cli, int& jobs) {
    cli.add_option("--jobs", jobs, "Number of members that train at the same time")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
}

void addRules(CLI::App& cli, StartOptions& options) {
    PopulationRules& rules = options.rules;
    cli.add_option("--members", rules.members, "Number of members, at least 2")->capture_default_str();
    cli.add_option("--mutate", options.mutate,
                   "Setting that differs between members, and its range: KEY=LOW..HIGH or KEY=LOW..HIGH:log "
                   "(repeatable)")
        ->type_name("KEY=RANGE");
    cli.add_option("--every", rules.every, "Steps between two decisions; default: a tenth of --steps")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 60));
    cli.add_option("--objective", rules.objective,
                   "Metric to maximise, for example eval/return; the mean over the last quarter of a round")
        ->check(notEmpty())
        ->capture_default_str();
    cli.add_flag("--lower-is-better", rules.lower_is_better, "Minimise the objective");
    cli.add_option("--fraction", rules.fraction,
                   "Part of the members that is replaced, by copies of the best part of the same size")
        ->check(CLI::Range(0.01, 0.5))
        ->capture_default_str();
    cli.add_option(
           "--resample", rules.resample,
           "Probability that a copy draws a new value of a setting instead of changing the copied one")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
}

CLI::Option* addPopulationArgument(CLI::App& cli, std::string& name) {
    return cli.add_option("POPULATION", name, "Id or name of a population")->required()->check(notEmpty());
}

SEEDBED_REGISTER_COMMAND(
    population_start,
    {.id = "population start",
     .summary = "Train a population whose members copy better ones and mutate settings",
     .examples = {"seedbed population start minatar_breakout --members 8 --mutate "
                  "algo.learning_rate=1e-5..1e-3:log",
                  "seedbed population start cartpole --members 4 --steps 50000 --every 5000 --mutate "
                  "algo.learning_rate=1e-5..1e-1:log --mutate algo.entropy_cost=0..0.05"},
     .takes_settings = true,
     .define = [](CLI::App& cli) -> Action {
         auto options = std::make_shared<StartOptions>();
         defineConfigurationOptions(cli, options->configuration);
         cli.add_option("--name", options->name, "Name of the population; its runs are NAME-1, NAME-2, ...")
             ->check(notEmpty());
         addRules(cli, *options);
         addJobsOption(cli, options->jobs);
         return [options](const Context& context) { return start(*options, context); };
     }});

SEEDBED_REGISTER_COMMAND(population_resume, {.id = "population resume",
                                             .summary = "Continue a population that was stopped or killed",
                                             .examples = {"seedbed population resume 1 --jobs 2"},
                                             .define = [](CLI::App& cli) -> Action {
                                                 auto name = std::make_shared<std::string>();
                                                 auto jobs = std::make_shared<int>(1);
                                                 addPopulationArgument(cli, *name);
                                                 addJobsOption(cli, *jobs);
                                                 return [name, jobs](const Context& context) {
                                                     return resume(*name, *jobs, context);
                                                 };
                                             }});

SEEDBED_REGISTER_COMMAND(population_stop,
                         {.id = "population stop",
                          .summary = "Stop a population; its members that train save a checkpoint",
                          .examples = {"seedbed population stop 1"},
                          .define = [](CLI::App& cli) -> Action {
                              auto name = std::make_shared<std::string>();
                              addPopulationArgument(cli, *name);
                              return [name](const Context& context) { return stop(*name, context); };
                          }});

SEEDBED_REGISTER_COMMAND(population_show,
                         {.id = "population show",
                          .summary = "Show the members of a population and the tree of their copies",
                          .examples = {"seedbed population show 1", "seedbed population show 1 --json"},
                          .define = [](CLI::App& cli) -> Action {
                              auto name = std::make_shared<std::string>();
                              addPopulationArgument(cli, *name);
                              return [name](const Context& context) { return show(*name, context); };
                          }});

SEEDBED_REGISTER_COMMAND(population_list, {.id = "population list",
                                           .summary = "List the populations",
                                           .examples = {"seedbed population list"},
                                           .define = [](CLI::App&) -> Action {
                                               return [](const Context& context) { return list(context); };
                                           }});

SEEDBED_REGISTER_COMMAND(
    population_member,
    {.id = "population member",
     .summary = "Do the next work of a member; 'population start' runs it",
     .examples = {"seedbed population member 1 2 4 training"},
     .hidden = true,
     .define = [](CLI::App& cli) -> Action {
         auto task = std::make_shared<MemberTask>();
         cli.add_option("POPULATION", task->population, "Id of a population")->required();
         cli.add_option("MEMBER", task->member, "Number of a member")->required();
         cli.add_option("ROUND", task->round, "Number of the round")->required();
         cli.add_option("STATE", task->state, "Work to do: copying or training")->required();
         return [task](const Context& context) { return member(*task, context); };
     }});

}  // namespace
}  // namespace seedbed::app::population
