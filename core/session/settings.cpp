// SPDX-License-Identifier: Apache-2.0
#include "core/session/settings.hpp"

#include <algorithm>

#include "core/algo/algorithm.hpp"
#include "core/env/env_registry.hpp"

namespace seedbed {

const Description<RunSettings>& RunSettings::describe() {
    static const auto description =
        Description<RunSettings>("run", "When to stop, and which hardware to use.")
            .field(&RunSettings::seed, "seed",
                   "Seed for all of the run's random numbers: a whole number from 0 to "
                   "9,223,372,036,854,775,807.",
                   {.min = 0, .level = Level::goal})
            .field(&RunSettings::steps, "steps",
                   "Stop after the first update that reaches this many agent decisions; 0: no limit.",
                   {.unit = "steps", .min = 0, .level = Level::goal, .live = true})
            .field(&RunSettings::horizon, "horizon",
                   "Agent decisions over which ten evaluations are spread, no matter how early the run "
                   "stops; 0: run.steps as set when the run started.",
                   {.unit = "steps", .min = 0})
            .field(&RunSettings::minutes, "minutes", "Stop after this much training time; 0: no limit.",
                   {.unit = "min", .min = 0, .level = Level::goal, .live = true})
            .field(&RunSettings::target_return, "target_return",
                   "Stop when an evaluation reaches this mean return; -1e30: never.",
                   {.unit = "return", .level = Level::goal, .live = true})
            .field(&RunSettings::threads, "threads",
                   "Threads for rollouts and learning; does not change the result in the sync schedule; 0: "
                   "one per core.",
                   {.min = 0, .max = 1024, .level = Level::recipe})
            .field(&RunSettings::device, "device",
                   "Device that runs the networks: cpu, vulkan:N, vulkan (the first that is not software), "
                   "or cuda:N if LibTorch has CUDA.",
                   {.level = Level::recipe})
            .field(&RunSettings::on_device_failure, "on_device_failure",
                   "If a Vulkan device fails or its memory is full: cpu: the run continues on the CPU; stop: "
                   "the "
                   "run ends with an error and can be resumed.",
                   {.choices = {"cpu", "stop"}})
            .field(
                &RunSettings::engine, "engine",
                "Engine that runs the networks: auto, native, torch, vulkan, reference, or check:NAME, which "
                "compares NAME with reference.",
                {.level = Level::recipe})
            .field(&RunSettings::schedule, "schedule",
                   "sync: all threads collect experience, then all threads learn; async: actors never wait "
                   "for the learner.",
                   {.choices = {"sync", "async"}, .level = Level::recipe})
            .field(&RunSettings::inference, "inference",
                   "inline: each thread that steps environments runs the network; central: one thread per "
                   "device runs it for all groups; auto: the faster one, measured on this machine.",
                   {.choices = {"inline", "central", "auto"}, .level = Level::recipe})
            .field(&RunSettings::keep_awake, "keep_awake",
                   "Prevent the computer from suspending automatically during training, if the system "
                   "supports it.",
                   {.live = true})
            .field(&RunSettings::tensorboard, "tensorboard",
                   "Folder for TensorBoard event files, written during training; empty: none.")
            .field(&RunSettings::forced_lag, "forced_lag",
                   "Actors use parameters that are this many updates old, to test how an algorithm copes "
                   "with old data. Affects the result.",
                   {.unit = "updates", .min = 0, .max = 200});
    return description;
}

const Description<ActorSettings>& ActorSettings::describe() {
    static const auto description =
        Description<ActorSettings>("actor", "How environments are stepped.")
            .field(&ActorSettings::num_envs, "num_envs",
                   "Number of environments that are stepped in parallel.",
                   {.min = 1, .max = 1048576, .level = Level::recipe})
            .field(&ActorSettings::groups, "groups",
                   "Number of groups that the environments are split into; one thread at a time steps a "
                   "group. Affects the result; 0: chosen from num_envs.",
                   {.min = 0, .max = 4096})
            .field(&ActorSettings::threads, "threads",
                   "Threads that step environments in the async schedule; 0: same as run.threads, but at "
                   "least one per group for environments in other processes.",
                   {.min = 0, .max = 1024})
            .field(&ActorSettings::open_windows, "open_windows",
                   "Async schedule: maximum number of open rollouts of a group (being filled, queued or "
                   "used for learning); a group with this many waits.",
                   {.min = 2, .max = 64})
            .field(&ActorSettings::restarts, "restarts",
                   "Async schedule: how often the run restarts a group whose environment failed before it "
                   "stops with an error.",
                   {.min = 0, .max = 1000000})
            .field(&ActorSettings::stall_s, "stall_s",
                   "A step of environments that takes longer than this counts as hung. Async schedule: the "
                   "group is skipped until it returns. Sync schedule: the run saves its state and stops. "
                   "Evaluations end without these environments.",
                   {.unit = "s", .min = 0.01, .max = 86400})
            .field(&ActorSettings::fleet, "fleet",
                   "Address and port at which actors on other machines connect, such as 0.0.0.0:7450; "
                   "'seedbed fleet start' sets it. Requires run.schedule=async; empty: the environments run "
                   "on this machine.")
            .field(
                &ActorSettings::fleet_form, "fleet_form",
                "Choice of the actions in a fleet. actions: by the learner, in a round trip per step; "
                "windows: by the actors, with copies of the parameters that are a few updates old (IMPALA), "
                "for slow links; auto: measured when an actor connects.",
                {.choices = {"actions", "windows", "auto"}});
    return description;
}

int ActorSettings::groupCount() const {
    if (groups > 0) return std::min(groups, num_envs);
    // Two groups keep two cores busy. More groups are created only if the batches remain large enough for
    // efficient network calls.
    return std::min(num_envs, std::max(2, std::min(16, num_envs / 32)));
}

const Description<InferenceSettings>& InferenceSettings::describe() {
    static const auto description =
        Description<InferenceSettings>("infer",
                                       "How central inference forms batches. Does not change results on "
                                       "engines that compute each row independently.")
            .field(&InferenceSettings::batch_rows, "batch_rows",
                   "A batch closes when this many rows are waiting; 0: half of all rows, so that the other "
                   "half is stepped in the meantime.",
                   {.unit = "rows", .min = 0, .max = 1048576})
            .field(
                &InferenceSettings::deadline_ms, "deadline_ms",
                "A batch closes this long after its first group arrived; 0: immediately; -1: only when it is "
                "full or all groups have arrived.",
                {.unit = "ms", .min = -1, .max = 60000})
            .field(&InferenceSettings::devices, "devices",
                   "Devices that share the groups, separated by commas, one thread each; empty: run.device, "
                   "twice unless it is the CPU, so that it computes one batch while another is transferred.");
    return description;
}

const Description<LearnerSettings>& LearnerSettings::describe() {
    static const auto description =
        Description<LearnerSettings>("learner", "How the learner splits its work.")
            .field(
                &LearnerSettings::chunk_rows, "chunk_rows",
                "Rows per network call while learning; from a replay, at most half of a batch, but at least "
                "16. Affects the result.",
                {.unit = "rows", .min = 1, .max = 1048576})
            .field(&LearnerSettings::columns, "columns",
                   "Async schedule: an update starts when rollouts of this many columns are full; 0: all "
                   "columns.",
                   {.min = 0, .max = 1048576})
            .field(&LearnerSettings::max_policy_lag, "max_policy_lag",
                   "Async schedule: rows whose actions came from parameters older than this many updates are "
                   "not used for learning.",
                   {.unit = "updates", .min = 0, .max = 200})
            .field(&LearnerSettings::echo, "echo",
                   "Passes over each rollout in one update, for environments that are slower than learning "
                   "(data echoing, Choi et al. 2019); 0: automatic, in the async schedule: as many as fit in "
                   "the time in which the environments deliver the next rollout.",
                   {.min = 0, .max = 64, .level = Level::recipe})
            .field(
                &LearnerSettings::shards, "shards",
                "Blocks of neighbouring environments that every minibatch takes an equal share of, so that "
                "up to as many processes can train together (--ranks); a power of two that divides "
                "actor.num_envs. Affects the result.",
                {.min = 1, .max = 1024});
    return description;
}

const Description<EvalSettings>& EvalSettings::describe() {
    static const auto description =
        Description<EvalSettings>("eval", "Evaluation during training, on separate environments.")
            .field(&EvalSettings::every_steps, "every_steps",
                   "Agent decisions between evaluations; 0: a tenth of run.horizon.",
                   {.unit = "steps", .min = 0, .level = Level::recipe, .live = true})
            .field(&EvalSettings::episodes, "episodes", "Episodes per evaluation.",
                   {.min = 1, .max = 100000, .level = Level::recipe, .live = true})
            .field(&EvalSettings::final_episodes, "final_episodes",
                   "Episodes in the final evaluation; 0: none.",
                   {.min = 0, .max = 100000, .level = Level::recipe, .live = true})
            .field(&EvalSettings::greedy, "greedy", "Take the most probable action instead of sampling.",
                   {.level = Level::recipe, .live = true})
            .field(&EvalSettings::opponent, "opponent",
                   "Scripted player of the other seats, which swap with those of the agent from episode to "
                   "episode; returns are those of the agent's seat. Empty: the agent plays all seats.")
            .field(&EvalSettings::opening, "opening",
                   "Decisions at the beginning of an episode that are random for all seats.",
                   {.unit = "steps", .min = 0, .max = 10000})
            .field(&EvalSettings::max_steps, "max_steps",
                   "Agent decisions after which an episode of an evaluation is cut short. Episodes that were "
                   "cut short are reported and do not count.",
                   {.unit = "steps", .min = 1, .max = 1e9, .live = true})
            .field(&EvalSettings::max_total_steps, "max_total_steps",
                   "Agent decisions in a whole evaluation, shared equally by its environments.",
                   {.unit = "steps", .min = 1, .max = 1e12, .live = true})
            .field(&EvalSettings::max_seconds, "max_seconds",
                   "Time after which an evaluation ends with the episodes that are complete.",
                   {.unit = "s", .min = 0.01, .max = 1e6, .live = true});
    return description;
}

const Description<CheckpointSettings>& CheckpointSettings::describe() {
    static const auto description =
        Description<CheckpointSettings>("checkpoint", "When the run is saved.")
            .field(&CheckpointSettings::every_s, "every_s", "Maximum time between checkpoints.",
                   {.unit = "s", .min = 0.1, .max = 86400, .live = true})
            .field(&CheckpointSettings::time_share, "time_share",
                   "Share of training time that checkpoints may use; the cheaper they are, the more often "
                   "they are saved; 0: only every_s counts.",
                   {.min = 0, .max = 1, .live = true})
            .field(
                &CheckpointSettings::milestone_steps, "milestone_steps",
                "Agent decisions between checkpoints that are never removed (in the async schedule, without "
                "experience not yet used for learning); 0: none.",
                {.unit = "steps", .min = 0, .live = true})
            .field(&CheckpointSettings::replay, "replay",
                   "What checkpoints contain of the replay of algorithms that have one: none, so that a "
                   "resumed run collects new experience before it learns; full, for an exact resume.",
                   {.choices = {"none", "full"}});
    return description;
}

const ConfigSchema& runConfigSchema() {
    static const ConfigSchema schema = [] {
        ConfigSchema s;
        std::map<std::string, ConfigSchema::Variant> envs, algos;
        for (const std::string& id : envRegistry().ids())
            envs[id] = {envRegistry().find(id)->params, envRegistry().find(id)->aliases};
        for (const std::string& id : algorithmRegistry().ids())
            algos[id] = {algorithmRegistry().find(id)->params, algorithmRegistry().find(id)->aliases};
        s.addVariants("env", "The environment and its parameters.", envs, "",
                      [](const std::string& name) -> std::optional<Result<ConfigSchema::Unlisted>> {
                          if (name.find(':') == std::string::npos) return std::nullopt;
                          return findEnv(name).map([](const EnvEntry* entry) {
                              return ConfigSchema::Unlisted{entry->id, entry->params};
                          });
                      });
        s.addVariants("algo", "The algorithm and its parameters.", algos, "ppo");
        s.addSection("network", "The network of the agent.", &NetworkParams::describe().schema());
        s.addSection("optimiser", "How gradients change parameters.", &OptimiserParams::describe().schema());
        s.addSection("actor", "How environments are stepped.", &ActorSettings::describe().schema());
        s.addSection("infer", "How central inference forms batches.",
                     &InferenceSettings::describe().schema());
        s.addSection("learner", "How the learner splits its work.", &LearnerSettings::describe().schema());
        s.addSection("self_play", "Opponents of the learner in environments with several seats.",
                     &SelfPlaySettings::describe().schema());
        s.addSection("policies", "Several policies in one run.", &PolicySettings::describe().schema());
        s.addSection("eval", "Evaluation during training.", &EvalSettings::describe().schema());
        s.addSection("checkpoint", "When the run is saved.", &CheckpointSettings::describe().schema());
        s.addSection("run", "When to stop, and which hardware to use.", &RunSettings::describe().schema());
        return s;
    }();
    return schema;
}

std::string chosenAlgorithm(const Json& document,
                            const std::vector<std::pair<std::string, std::string>>& settings) {
    std::string name;
    if (document.is_object() && document.contains("algo")) {
        const Json& algo = document.at("algo");
        const Json& id = algo.is_object() && algo.contains("id") ? algo.at("id") : algo;
        if (id.is_string()) name = id.get<std::string>();
    }
    for (const auto& [key, value] : settings)
        if (key == "algo.id" || key == "algo") name = value;
    const AlgorithmEntry* known = algorithmRegistry().find(name);
    return known != nullptr ? known->id : name;
}

Json algorithmSettings(const std::string& algo) {
    const AlgorithmEntry* known = algorithmRegistry().find(algo);
    return known != nullptr ? known->defaults.settings : Json::object();
}

Json taskSettings(const Json& document) {
    Json task = Json::object();
    for (const char* section : {"env", "eval", "checkpoint", "run"})
        if (document.contains(section)) task[section] = document.at(section);
    const std::pair<const char*, const char*> others[] = {{"run", "steps"},      {"run", "horizon"},
                                                          {"run", "schedule"},   {"run", "inference"},
                                                          {"run", "forced_lag"}, {"checkpoint", "replay"}};
    for (const auto& [section, key] : others)
        if (task.contains(section) && task[section].is_object()) task[section].erase(key);
    const Json::json_pointer encoder("/network/encoder");
    if (document.contains(encoder)) task["network"] = {{"encoder", document.at(encoder)}};
    return task;
}

bool hasStopCondition(const RunSettings& run) {
    return run.steps > 0 || run.minutes > 0 || run.target_return > RunSettings::kNoTarget;
}

namespace {

Json withoutId(Json variant) {
    variant.erase("id");
    return variant;
}

}  // namespace

Result<TrainingConfig> parseTrainingConfig(const Json& document) {
    TrainingConfig config;
    SEEDBED_ASSIGN(config.document, runConfigSchema().complete(document));
    const Json& d = config.document;
    config.env_id = d.at("env").at("id");
    config.algo_id = d.at("algo").at("id");
    config.env_params = withoutId(d.at("env"));
    config.algo_params = withoutId(d.at("algo"));
    config.network = NetworkParams::describe().read(d.at("network"));
    if (const auto* algorithm = algorithmRegistry().find(config.algo_id); algorithm->require != nullptr)
        algorithm->require(config.network);
    config.optimiser = OptimiserParams::describe().read(d.at("optimiser"));
    config.run = RunSettings::describe().read(d.at("run"));
    config.actor = ActorSettings::describe().read(d.at("actor"));
    config.infer = InferenceSettings::describe().read(d.at("infer"));
    config.learner = LearnerSettings::describe().read(d.at("learner"));
    config.self_play = SelfPlaySettings::describe().read(d.at("self_play"));
    config.policies = PolicySettings::describe().read(d.at("policies"));
    config.eval = EvalSettings::describe().read(d.at("eval"));
    config.checkpoint = CheckpointSettings::describe().read(d.at("checkpoint"));
    return config;
}

}  // namespace seedbed
