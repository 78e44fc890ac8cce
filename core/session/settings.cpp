// SPDX-License-Identifier: Apache-2.0
// Descriptions of the settings every run has, and the schema of a whole configuration.
#include "core/session/settings.hpp"

#include <algorithm>

#include "core/algo/algorithm.hpp"
#include "core/env/env_registry.hpp"

namespace seedbed {

const Description<RunSettings>& RunSettings::describe() {
    static const auto description =
        Description<RunSettings>("run", "When to stop, and what to run on.")
            .field(&RunSettings::seed, "seed", "Seed of every random number of the run.",
                   {.min = 0, .level = Level::goal})
            .field(&RunSettings::steps, "steps",
                   "Stop at the first update boundary after this many agent decisions; 0: no limit.",
                   {.unit = "steps", .min = 0, .level = Level::goal, .live = true})
            .field(&RunSettings::horizon, "horizon",
                   "Agent decisions that evaluations are spread over, whenever the run is stopped; 0: same "
                   "as run.steps, as it was at the "
                   "start.",
                   {.unit = "steps", .min = 0})
            .field(&RunSettings::minutes, "minutes", "Stop after this much training time; 0: no limit.",
                   {.unit = "min", .min = 0, .level = Level::goal, .live = true})
            .field(&RunSettings::target_return, "target_return",
                   "Stop when an evaluation reaches this mean return; -1e30: never.",
                   {.unit = "return", .level = Level::goal, .live = true})
            .field(&RunSettings::threads, "threads",
                   "Threads for rollouts and learning; 0: one per core. Does not change the result in sync "
                   "mode.",
                   {.min = 0, .max = 1024, .level = Level::recipe})
            .field(&RunSettings::device, "device",
                   "Where networks run: cpu, or cuda:N where LibTorch has CUDA.", {.level = Level::recipe})
            .field(&RunSettings::engine, "engine",
                   "What runs networks: auto, native, torch, reference, or check:NAME, which compares NAME "
                   "with reference.",
                   {.level = Level::recipe})
            .field(&RunSettings::schedule, "schedule",
                   "sync: all threads roll out, then all threads learn; async: actors never wait for the "
                   "learner.",
                   {.choices = {"sync", "async"}, .level = Level::recipe})
            .field(&RunSettings::inference, "inference",
                   "inline: the thread that steps environments runs the network; central: one thread per "
                   "device runs it for all groups; auto: "
                   "chosen for the machine.",
                   {.choices = {"inline", "central", "auto"}, .level = Level::recipe})
            .field(&RunSettings::keep_awake, "keep_awake",
                   "The computer does not suspend by itself while the run is going, where it can be asked.",
                   {.live = true})
            .field(&RunSettings::forced_lag, "forced_lag",
                   "Actors use the parameters of this many updates before the newest: how an algorithm bears "
                   "old data. Part of the result.",
                   {.unit = "updates", .min = 0, .max = 200});
    return description;
}

const Description<ActorSettings>& ActorSettings::describe() {
    static const auto description =
        Description<ActorSettings>("actor", "How environments are stepped.")
            .field(&ActorSettings::num_envs, "num_envs", "Environments that are stepped side by side.",
                   {.min = 1, .max = 1048576, .level = Level::recipe})
            .field(&ActorSettings::groups, "groups",
                   "Groups the environments are split into; a group is stepped by one thread at a time. Part "
                   "of the result; 0: by a fixed "
                   "rule.",
                   {.min = 0, .max = 4096})
            .field(&ActorSettings::threads, "threads",
                   "Threads that step environments in the async schedule; 0: as run.threads.",
                   {.min = 0, .max = 1024})
            .field(&ActorSettings::open_windows, "open_windows",
                   "Async schedule: rollouts of a group that may be filled, waiting or learned from at once; "
                   "then the group waits.",
                   {.min = 2, .max = 64})
            .field(&ActorSettings::restarts, "restarts",
                   "Async schedule: how often the run starts a group's environments anew after one of them "
                   "failed, before it gives up.",
                   {.min = 0, .max = 1000000})
            .field(&ActorSettings::stall_s, "stall_s",
                   "Async schedule: a group whose environments take longer than this for a step is reported "
                   "and no longer waited for.",
                   {.unit = "s", .min = 0.01, .max = 86400});
    return description;
}

int ActorSettings::groupCount() const {
    if (groups > 0) return std::min(groups, num_envs);
    // Two groups keep two cores busy; more of them only where each still has a batch worth a network call.
    return std::min(num_envs, std::max(2, std::min(16, num_envs / 32)));
}

const Description<InferenceSettings>& InferenceSettings::describe() {
    static const auto description =
        Description<InferenceSettings>("infer",
                                       "How central inference makes its batches. Never changes what a row "
                                       "computes on engines whose rows "
                                       "stand alone.")
            .field(&InferenceSettings::batch_rows, "batch_rows",
                   "A batch closes when groups with this many rows wait; 0: half of the rows, so that one "
                   "half is stepped meanwhile.",
                   {.unit = "rows", .min = 0, .max = 1048576})
            .field(&InferenceSettings::deadline_ms, "deadline_ms",
                   "A batch closes this long after its first group arrived; 0: at once; -1: never, only by "
                   "size or when all have arrived.",
                   {.unit = "ms", .min = -1, .max = 60000})
            .field(&InferenceSettings::devices, "devices",
                   "Devices that groups are dealt out to, separated by commas, one thread each; empty: "
                   "run.device.");
    return description;
}

const Description<LearnerSettings>& LearnerSettings::describe() {
    static const auto description =
        Description<LearnerSettings>("learner", "How the learner cuts its work.")
            .field(&LearnerSettings::chunk_rows, "chunk_rows",
                   "Rows that are run through the network at once while learning. Part of the result.",
                   {.unit = "rows", .min = 1, .max = 1048576})
            .field(
                &LearnerSettings::columns, "columns",
                "Async schedule: an update begins when rollouts of this many columns are full; 0: as many as "
                "columns are stepped.",
                {.min = 0, .max = 1048576})
            .field(&LearnerSettings::max_policy_lag, "max_policy_lag",
                   "Async schedule: rows that parameters of more than this many updates ago acted on are not "
                   "learned from.",
                   {.unit = "updates", .min = 0, .max = 200});
    return description;
}

const Description<EvalSettings>& EvalSettings::describe() {
    static const auto description =
        Description<EvalSettings>("eval", "Evaluation during training, on environments of its own.")
            .field(&EvalSettings::every_steps, "every_steps",
                   "Agent decisions between evaluations; 0: ten in run.horizon.",
                   {.unit = "steps", .min = 0, .level = Level::recipe, .live = true})
            .field(&EvalSettings::episodes, "episodes", "Episodes of each evaluation.",
                   {.min = 1, .max = 100000, .level = Level::recipe, .live = true})
            .field(&EvalSettings::final_episodes, "final_episodes",
                   "Episodes of the evaluation at the end of the run; 0: none.",
                   {.min = 0, .max = 100000, .level = Level::recipe, .live = true})
            .field(&EvalSettings::greedy, "greedy", "Play the most probable action instead of sampling.",
                   {.level = Level::recipe, .live = true});
    return description;
}

const Description<CheckpointSettings>& CheckpointSettings::describe() {
    static const auto description =
        Description<CheckpointSettings>("checkpoint", "When the run is saved.")
            .field(&CheckpointSettings::every_s, "every_s", "Longest time between checkpoints.",
                   {.unit = "s", .min = 0.1, .max = 86400, .live = true})
            .field(&CheckpointSettings::time_share, "time_share",
                   "Share of the time that checkpoints may take: the cheaper they are, the more often; 0: "
                   "only every_s counts.",
                   {.min = 0, .max = 1, .live = true})
            .field(&CheckpointSettings::milestone_steps, "milestone_steps",
                   "Agent decisions between checkpoints that are kept for good, older ones without open "
                   "windows (async); 0: none.",
                   {.unit = "steps", .min = 0, .live = true});
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
        s.addVariants("env", "The environment and its parameters.", envs);
        s.addVariants("algo", "The algorithm and its parameters.", algos, "ppo");
        s.addSection("network", "The network of the agent.", &NetworkParams::describe().schema());
        s.addSection("optimiser", "How gradients change parameters.", &OptimiserParams::describe().schema());
        s.addSection("actor", "How environments are stepped.", &ActorSettings::describe().schema());
        s.addSection("infer", "How central inference makes its batches.",
                     &InferenceSettings::describe().schema());
        s.addSection("learner", "How the learner cuts its work.", &LearnerSettings::describe().schema());
        s.addSection("eval", "Evaluation during training.", &EvalSettings::describe().schema());
        s.addSection("checkpoint", "When the run is saved.", &CheckpointSettings::describe().schema());
        s.addSection("run", "When to stop, and what to run on.", &RunSettings::describe().schema());
        return s;
    }();
    return schema;
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
    config.optimiser = OptimiserParams::describe().read(d.at("optimiser"));
    config.run = RunSettings::describe().read(d.at("run"));
    config.actor = ActorSettings::describe().read(d.at("actor"));
    config.infer = InferenceSettings::describe().read(d.at("infer"));
    config.learner = LearnerSettings::describe().read(d.at("learner"));
    config.eval = EvalSettings::describe().read(d.at("eval"));
    config.checkpoint = CheckpointSettings::describe().read(d.at("checkpoint"));
    return config;
}

}  // namespace seedbed
