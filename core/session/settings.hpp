// SPDX-License-Identifier: Apache-2.0
// The settings that every run has, and the schema of a whole configuration, with the settings of all
// registered environments and algorithms.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/describe.hpp"
#include "core/config/config_schema.hpp"
#include "core/config/run_config.hpp"
#include "core/nn/net_spec.hpp"
#include "core/nn/optimiser.hpp"
#include "core/session/policies/policy_plan.hpp"
#include "core/session/self_play/past_selves.hpp"

namespace seedbed {

class RemoteEnvs;

// Section run: stop conditions, hardware and schedule.
struct RunSettings {
    std::int64_t seed = 1;
    std::int64_t steps = 0;
    std::int64_t horizon = 0;
    double minutes = 0;
    double target_return = kNoTarget;
    int threads = 0;
    std::string device = "cpu";
    std::string on_device_failure = "cpu";
    std::string engine = "auto";
    std::string schedule = "sync";
    std::string inference = "auto";
    bool keep_awake = true;
    std::string tensorboard;  // absolute, or ""
    int forced_lag = 0;

    static constexpr double kNoTarget = -1e30;
    static const Description<RunSettings>& describe();
};

// Section actor: how environments are stepped.
struct ActorSettings {
    int num_envs = 8;
    int groups = 0;
    int threads = 0;
    int open_windows = 3;
    int restarts = 10;
    double stall_s = 10;
    std::string fleet;
    std::string fleet_form = "actions";

    // The setting, or the result of a fixed rule if it is 0. Does not depend on the machine, since the number
    // of groups affects results.
    int groupCount() const;
    static const Description<ActorSettings>& describe();
};

// Section infer: how central inference forms batches.
struct InferenceSettings {
    int batch_rows = 0;
    double deadline_ms = 2;
    std::string devices;

    static const Description<InferenceSettings>& describe();
};

// Section learner: how the learner divides its work.
struct LearnerSettings {
    int chunk_rows = 128;
    int columns = 0;
    int max_policy_lag = 20;
    int echo = 1;  // 0: automatic
    int shards = 1;

    static const Description<LearnerSettings>& describe();
};

// Section eval: evaluation during training, with separate environments and random streams.
struct EvalSettings {
    std::int64_t every_steps = 0;
    int episodes = 20;
    int final_episodes = 100;
    bool greedy = true;
    std::string opponent;
    int opening = 0;
    std::int64_t max_steps = 100'000;
    std::int64_t max_total_steps = 10'000'000;
    double max_seconds = 1800;

    static const Description<EvalSettings>& describe();
};

// Section checkpoint.
struct CheckpointSettings {
    double every_s = 60;
    double time_share = 0.01;
    std::int64_t milestone_steps = 0;
    std::string replay = "none";

    static const Description<CheckpointSettings>& describe();
};

// A complete, checked configuration as typed values. The sections env and algo remain JSON; the environment
// and the algorithm parse them.
struct TrainingConfig {
    Json document;
    std::string env_id, algo_id;
    Json env_params, algo_params;  // without "id"
    NetworkParams network;
    OptimiserParams optimiser;
    RunSettings run;
    ActorSettings actor;
    InferenceSettings infer;
    LearnerSettings learner;
    SelfPlaySettings self_play;
    PolicySettings policies;
    EvalSettings eval;
    CheckpointSettings checkpoint;
    // These are not settings: the folder for the measurements of run.inference=auto (empty: none), and
    // its result when the run started (null: not resolved yet).
    std::filesystem::path cache_folder;
    Json recorded_auto;
    std::shared_ptr<RemoteEnvs> remote;  // used if actor.fleet is set
};

// Sections: env (variant), algo (variant), network, optimiser, actor, infer, learner, self_play,
// policies, eval, checkpoint, run.
const ConfigSchema& runConfigSchema();

// The algorithm that `document` or, with precedence, the last of `settings` chooses: its id, or the name as
// given if it is unknown. "": neither chooses one.
std::string chosenAlgorithm(const Json& document,
                            const std::vector<std::pair<std::string, std::string>>& settings = {});
// AlgorithmDefaults::settings of an algorithm; an empty object if it is unknown.
Json algorithmSettings(const std::string& algo);
// The settings of a document made for one algorithm that also apply to others: environment and wrappers,
// evaluation, the encoder of the observations, when the run stops, and what does not affect results.
Json taskSettings(const Json& document);
// Whether a run with these settings ends by itself.
bool hasStopCondition(const RunSettings& run);
// Only the environment's id is required in `document`; the rest is filled with defaults. error: config.
Result<TrainingConfig> parseTrainingConfig(const Json& document);

}  // namespace seedbed
