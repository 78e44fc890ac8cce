// SPDX-License-Identifier: Apache-2.0
#include "app/algorithm_choice.hpp"

#include <algorithm>

#include "core/config/run_config.hpp"
#include "core/env/random_policy.hpp"
#include "core/env/task_traits.hpp"
#include "core/session/engine_choice.hpp"

namespace seedbed::app {
namespace {

constexpr const char* kAuto = "auto";
// Environments that are stepped to measure their speed.
constexpr int kMeasuredEnvs = 8;

bool isAlgorithmKey(const std::string& key) { return key == "algo.id" || key == "algo"; }

// The last algorithm on the command line, which wins over that of the file.
std::string* askedAlgorithm(ConfigurationRequest& request) {
    for (auto at = request.settings.rbegin(); at != request.settings.rend(); ++at)
        if (isAlgorithmKey(at->first)) return &at->second;
    return nullptr;
}

bool fileAsks(const Json& file) {
    const Json::json_pointer at("/algo/id");
    return file.is_object() && file.contains(at) && file.at(at) == kAuto;
}

// The configuration of the task: environment and threads as requested, starting from `preset` if it is not
// null.
Result<RunConfig> taskConfig(const ConfigurationRequest& request, const Json& file, const std::string& env,
                             const Preset* preset) {
    ConfigLayers layers(runConfigSchema());
    SEEDBED_TRY(layers.addDocument("command line", {{"env", {{"id", env}}}}));
    if (preset != nullptr) SEEDBED_TRY(layers.addDocument("preset " + preset->name, preset->config));
    Json task = Json::object();
    for (const char* section : {"env", "run"})
        if (file.is_object() && file.contains(section)) task[section] = file[section];
    SEEDBED_TRY(layers.addDocument(request.file, task));
    std::vector<std::pair<std::string, std::string>> settings;
    for (const auto& setting : request.settings)
        if (setting.first.starts_with("env.") || setting.first == "run.threads" || setting.first == "threads")
            settings.push_back(setting);
    SEEDBED_TRY(layers.addSettings("command line", settings));
    return layers.resolve();
}

// Wrappers such as a reward scale belong to the tuned settings, not to the task.
Json taskOf(const RunConfig& config) {
    Json task = config.section("env");
    task.erase("wrap");
    return task;
}

// Whether the task stays the requested one if the run starts from `preset`: that of the defaults or of the
// environment's default preset, as far as the request does not set its parameters.
Result<bool> keepsTask(const ConfigurationRequest& request, const Json& file, const std::string& env,
                       const PresetLibrary& library, const Preset* preset) {
    SEEDBED_ASSIGN(const RunConfig asked, taskConfig(request, file, env, preset));
    for (const Preset* start : {static_cast<const Preset*>(nullptr), library.defaultFor(env)}) {
        SEEDBED_ASSIGN(const RunConfig usual, taskConfig(request, file, env, start));
        if (taskOf(asked) == taskOf(usual)) return true;
    }
    return false;
}

// The presets for the requested task.
Result<std::vector<TaskPreset>> taskPresets(const ConfigurationRequest& request, const Json& file,
                                            const std::string& env, const PresetLibrary& library) {
    std::vector<TaskPreset> presets;
    for (const Preset* preset : library.all()) {
        if (preset->env != env) continue;
        SEEDBED_ASSIGN(const RunConfig tuned, taskConfig({}, Json(), env, preset));
        SEEDBED_ASSIGN(const RunConfig asked, taskConfig(request, file, env, preset));
        SEEDBED_ASSIGN(const bool kept, keepsTask(request, file, env, library, preset));
        if (!kept || taskOf(tuned) != taskOf(asked)) continue;
        presets.push_back({.name = preset->name,
                           .algo = preset->algo(),
                           .is_solved = preset->isSolved(),
                           .is_default = library.defaultFor(env) == preset,
                           .is_recurrent = tuned.get<NetworkParams>("network").core != "none",
                           .steps = preset->budget_steps});
    }
    return presets;
}

Result<TaskFacts> factsOf(const ConfigurationRequest& request, const Json& file, const EnvEntry& env,
                          const PresetLibrary& library) {
    SEEDBED_ASSIGN(const RunConfig config, taskConfig(request, file, env.id, nullptr));
    Json params = config.section("env");
    params.erase("id");
    SEEDBED_ASSIGN(const EnvSpec spec, env.spec(params));
    const TaskTraits traits = taskTraits(env.id, params);
    TaskFacts task{.spaces = spec.spaces,
                   .agents = spec.agents,
                   .has_goals = spec.goal.has_value(),
                   .needs_memory = traits.needs_memory,
                   .sparse_reward = traits.sparse_reward,
                   .cores = threadCount(config.get<RunSettings>("run").threads)};
    SEEDBED_ASSIGN(task.presets, taskPresets(request, file, env.id, library));
    if (request.preset == "none") task.presets.clear();
    SEEDBED_ASSIGN(auto batch, env.make(params, kMeasuredEnvs));
    SEEDBED_ASSIGN(const WrapperParams wrappers, env.wrapperParams(params));
    SEEDBED_ASSIGN(task.decision_s, secondsPerDecision(std::move(batch), vectorOptions(spec, wrappers)));
    return task;
}

Result<Recommendation> recommend(const ConfigurationRequest& request, const Json& file, const EnvEntry& env) {
    SEEDBED_ASSIGN(const PresetLibrary library, presetLibrary());
    if (request.preset && *request.preset != "none") {
        SEEDBED_ASSIGN(const Preset* preset, library.get(*request.preset));
        return Recommendation{
            .algo = preset->algo(),
            .preset = preset->name,
            .why = "The preset '" + preset->name + "' was tuned for " + preset->algo() + ".",
            .settings = {}};
    }
    SEEDBED_ASSIGN(const TaskFacts task, factsOf(request, file, env, library));
    Recommendation chosen = recommendAlgorithm(task);
    // A preset of the algorithm that is not solved yet, or for other parameters, is still a better start than
    // the defaults.
    const Preset* tuned = library.defaultFor(env.id, chosen.algo);
    if (chosen.preset.empty() && !request.preset && tuned != nullptr) {
        SEEDBED_ASSIGN(const bool kept, keepsTask(request, file, env.id, library, tuned));
        if (kept) {
            chosen.preset = tuned->name;
            chosen.settings.clear();
        }
    }
    return chosen;
}

}  // namespace

Result<std::optional<Recommendation>> resolveAlgorithm(ConfigurationRequest& request, Json& file,
                                                       const EnvEntry& env) {
    std::string* asked = askedAlgorithm(request);
    const bool asks = asked != nullptr ? *asked == kAuto : fileAsks(file);
    if (asks) {
        SEEDBED_ASSIGN(Recommendation chosen, recommend(request, file, env));
        for (auto& [key, value] : request.settings)
            if (isAlgorithmKey(key) && value == kAuto) value = chosen.algo;
        if (fileAsks(file)) file["algo"]["id"] = chosen.algo;
        // Without a preset of the algorithm, the environment's default preset still describes the task.
        if (!chosen.preset.empty()) request.preset = chosen.preset;
        return std::optional(std::move(chosen));
    }
    // An overridden choice needs no recommendation.
    if (fileAsks(file)) file["algo"]["id"] = *asked;
    for (auto& [key, value] : request.settings)
        if (isAlgorithmKey(key) && value == kAuto) value = *asked;
    return std::optional<Recommendation>();
}

Json recommendationJson(const Recommendation& recommendation) {
    Json settings = Json::object();
    for (const auto& [key, value] : recommendation.settings) settings[key] = value;
    return {{"algo", recommendation.algo},
            {"preset", recommendation.preset},
            {"why", recommendation.why},
            {"settings", settings}};
}

}  // namespace seedbed::app
