// SPDX-License-Identifier: Apache-2.0
#include "core/embed/configuration.hpp"

#include <string>

#include "core/config/json_text.hpp"
#include "core/config/run_config.hpp"
#include "core/env/env_registry.hpp"

namespace seedbed {
namespace {

// Few threads, no effects outside of the program, and one group for the host's environment.
Json hostDefaults(const TrainerRequest& request, const std::string& env) {
    Json defaults{{"env", {{"id", env}}},
                  {"run", {{"inference", "inline"}, {"threads", request.threads}, {"keep_awake", false}}}};
    if (request.host != nullptr) defaults["actor"] = {{"num_envs", request.host->columns()}, {"groups", 1}};
    return defaults;
}

Result<> checkForHost(const TrainingConfig& config, const TrainerRequest& request, const std::string& env) {
    if (config.env_id != env)
        return fail(ErrorCode::config, "the settings select environment '" + config.env_id +
                                           "', but the trainer's environment is '" + env + "'");
    if (config.run.schedule != "sync" || config.run.inference == "central")
        return fail(ErrorCode::config,
                    "a program that contains the trainer needs run.schedule=sync and run.inference=inline");
    if (request.host == nullptr) return {};
    if (config.actor.num_envs != request.host->columns() || config.actor.groups != 1)
        return fail(ErrorCode::config, "actor.num_envs is the number of columns of the host's environment (" +
                                           std::to_string(request.host->columns()) +
                                           "), and actor.groups is 1");
    return {};
}

}  // namespace

Result<TrainingConfig> trainerConfig(const TrainerRequest& request) {
    SEEDBED_ASSIGN(const EnvEntry* env,
                   findEnv(request.host != nullptr ? "host:" + request.env : request.env));
    Json document = Json::object();
    if (!request.config.empty()) {
        SEEDBED_ASSIGN(document, parseJsonText(request.config, "config"));
    }
    const std::string of_document = chosenAlgorithm(document),
                      algo = chosenAlgorithm(document, request.settings);
    ConfigLayers layers(runConfigSchema());
    // The host's defaults come later: they contain the number of its columns.
    SEEDBED_TRY(layers.addDocument("the algorithm's defaults", algorithmSettings(algo)));
    SEEDBED_TRY(layers.addDocument("host program", hostDefaults(request, env->id)));
    // A document, usually that of a preset, describes only the task of another algorithm.
    if (!of_document.empty() && of_document != algo) document = taskSettings(document);
    SEEDBED_TRY(layers.addDocument("config", document));
    SEEDBED_TRY(layers.addSettings("settings", request.settings));
    SEEDBED_ASSIGN(const RunConfig resolved, layers.resolve());
    SEEDBED_ASSIGN(TrainingConfig config, parseTrainingConfig(resolved.document()));
    SEEDBED_TRY(checkForHost(config, request, env->id));
    if (config.run.inference == "auto") config.run.inference = "inline";
    return config;
}

}  // namespace seedbed
