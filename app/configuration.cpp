// SPDX-License-Identifier: Apache-2.0
// Configuration layers and the short options.
#include "app/configuration.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "app/algorithm_choice.hpp"
#include "app/command.hpp"
#include "core/algo/algorithm.hpp"
#include "core/analysis/run_settings.hpp"
#include "core/base/os/files.hpp"
#include "core/base/os/paths.hpp"
#include "core/base/text.hpp"
#include "core/config/json_text.hpp"
#include "core/config/resources.hpp"
#include "core/env/env_registry.hpp"
#include "core/nn/engine.hpp"

namespace seedbed::app {
namespace {

// The origin of settings that come from AlgorithmEntry::defaults.
constexpr const char* kOwnDefaults = "the algorithm's defaults";

// Short options and the settings that they set; their help texts come from the settings.
struct ShortOption {
    const char* option;
    const char* key;
    const char* type;
};
constexpr ShortOption kShortOptions[] = {
    {"--algo", "algo.id", "ALGORITHM"},       {"--steps", "run.steps", "N"},
    {"--minutes", "run.minutes", "X"},        {"--seed", "run.seed", "N"},
    {"--threads", "run.threads", "N"},        {"--device", "run.device", "DEVICE"},
    {"--engine", "run.engine", "ENGINE"},     {"--schedule", "run.schedule", "MODE"},
    {"--inference", "run.inference", "MODE"}, {"--target-return", "run.target_return", "X"},
};

Result<std::vector<Path>> presetFolders() {
    SEEDBED_ASSIGN(const auto resources, resourcesFolder());
    SEEDBED_ASSIGN(const UserFolders folders, userFolders({}));
    return std::vector<Path>{resources / "presets", folders.config / "presets"};
}

// Reads all presets only for the error, which names the most similar one.
Result<Preset> namedPreset(const std::string& name) {
    SEEDBED_ASSIGN(const std::vector<Path> folders, presetFolders());
    RealFileSystem files;
    SEEDBED_ASSIGN(std::optional<Preset> preset, PresetLibrary::read(files, folders, name));
    if (preset) return std::move(*preset);
    SEEDBED_ASSIGN(const PresetLibrary library, PresetLibrary::load(files, folders));
    return library.get(name).map([](const Preset* found) { return *found; });
}

// The environment's own parameters if the request starts from `preset` (null: from the defaults). Wrappers
// and worker processes are tuned settings and not part of the task.
Result<Json> taskFrom(const Preset* preset, const ConfigurationRequest& request, const Json& file,
                      const std::string& env) {
    ConfigLayers layers(runConfigSchema());
    SEEDBED_TRY(layers.addDocument("command line", {{"env", {{"id", env}}}}));
    if (preset != nullptr) {
        Json tuned = Json::object();
        if (preset->config.contains("env")) tuned["env"] = preset->config["env"];
        SEEDBED_TRY(layers.addDocument("preset " + preset->name, tuned));
    }
    if (file.is_object() && file.contains("env")) {
        Json part = Json::object();
        part["env"] = file["env"];
        SEEDBED_TRY(layers.addDocument(request.file, part));
    }
    std::vector<std::pair<std::string, std::string>> settings;
    for (const auto& setting : request.settings)
        if (setting.first.starts_with("env.") && setting.first != "env.id") settings.push_back(setting);
    SEEDBED_TRY(layers.addSettings("command line", settings));
    SEEDBED_ASSIGN(const RunConfig resolved, layers.resolve());
    Json task = resolved.section("env");
    task.erase("wrap");
    task.erase("worker");
    return task;
}

// A preset of `algo` that does not change the task: its parameters of the environment are the defaults, or
// those of the environment's default preset, unless the request sets them.
Result<std::optional<Preset>> presetOfAlgorithm(const PresetLibrary& library,
                                                const ConfigurationRequest& request, const Json& file,
                                                const std::string& env, const std::string& algo) {
    const Preset* const usual = library.defaultFor(env);
    std::vector<const Preset*> candidates = library.all();
    std::erase_if(candidates,
                  [&](const Preset* preset) { return preset->env != env || preset->algo() != algo; });
    if (candidates.empty()) return std::optional<Preset>();
    // The algorithm's default preset first, then the one with the environment's name, the others by name.
    const Preset* const first = library.defaultFor(env, algo);
    std::ranges::stable_sort(candidates, {}, [&](const Preset* preset) {
        return std::pair(preset != first, preset->name != env);
    });
    SEEDBED_ASSIGN(const Json plain, taskFrom(nullptr, request, file, env));
    SEEDBED_ASSIGN(const Json tuned, taskFrom(usual, request, file, env));
    for (const Preset* preset : candidates) {
        SEEDBED_ASSIGN(const Json task, taskFrom(preset, request, file, env));
        if (task == plain || task == tuned) return std::optional(*preset);
    }
    return std::optional<Preset>();
}

std::string algorithmOf(const Preset& preset) { return chosenAlgorithm({}, {{"algo", preset.algo()}}); }

struct Start {
    std::optional<Preset> preset{};
    bool is_named = true;  // the run belongs to the preset, even if it is for another algorithm
};

// `algo`: the algorithm that the request chooses, or "".
Result<Start> chooseStart(const ConfigurationRequest& request, const Json& file, const std::string& env,
                          const std::string& algo) {
    if (request.preset == "none") return Start();
    if (request.preset) {
        SEEDBED_ASSIGN(Preset preset, namedPreset(*request.preset));
        if (preset.env != env)
            return fail(ErrorCode::config, "preset '" + preset.name + "' is for environment '" + preset.env +
                                               "', not '" + env + "'");
        return Start{std::move(preset)};
    }
    SEEDBED_ASSIGN(const PresetLibrary library, presetLibrary());
    if (!algo.empty()) {
        SEEDBED_ASSIGN(std::optional<Preset> own, presetOfAlgorithm(library, request, file, env, algo));
        if (own) return Start{std::move(own)};
    }
    // Without a preset of the algorithm for this task, the default preset describes the task.
    const Preset* preset = library.defaultFor(env);
    if (preset == nullptr) return Start();
    return Start{*preset, algo.empty()};
}

// Several policies do not train against past selves, as the default preset of the environment may.
bool givesSeatsPolicies(const ConfigurationRequest& request, const Json& file) {
    bool gives = file.is_object() && file.contains("policies");
    for (const auto& [key, value] : request.settings)
        if (key == "policies.seats") gives = !value.empty();
    return gives;
}

// Adds the layers below the file and the command line. `algo`: the run's algorithm.
Result<> addStart(ConfigLayers& layers, const std::optional<Preset>& preset, const std::string& algo) {
    SEEDBED_TRY(layers.addDocument(kOwnDefaults, algorithmSettings(algo)));
    if (!preset) return {};
    const std::string origin = "preset " + preset->name;
    const bool is_tuned = algorithmOf(*preset) == algo;
    SEEDBED_TRY(layers.addDocument(origin, is_tuned ? preset->config : taskSettings(preset->config)));
    if (!is_tuned) return {};
    return layers.addDocument(
        origin, {{"run", {{"steps", preset->budget_steps}, {"horizon", preset->budget_steps}}}});
}

// Explains the settings that come from the algorithm's defaults, and the length of a run without a preset for
// its algorithm.
std::vector<std::string> notesAbout(const RunConfig& config, const std::optional<Preset>& preset) {
    const std::string algo = config.id("algo");
    const bool is_other = preset && algorithmOf(*preset) != algo;
    const AlgorithmDefaults& defaults = algorithmRegistry().find(algo)->defaults;
    std::vector<std::pair<std::string, Json>> own;
    flatten(defaults.settings, "", own);
    std::vector<std::string> used, notes;
    for (const auto& [key, value] : own)
        if (config.origin(key) == kOwnDefaults) used.push_back(key + "=" + settingText(value));
    std::string note;
    if (!used.empty()) note = algo + " uses " + join(used, ", ") + ": " + defaults.why;
    if (is_other)
        note += (note.empty() ? algo + " uses its own defaults" : "") + "; the preset '" + preset->name +
                "' is for " + preset->algo() + ", so only its environment and evaluation apply";
    if (!note.empty()) notes.push_back(note + ".");
    if (config.origin("run.steps") == kOwnDefaults)
        notes.push_back("Trains for " + formatCount(config.get<RunSettings>("run").steps) +
                        " steps, the default of " + algo + "; --steps N changes it.");
    const Json section = config.section("algo");
    const std::int64_t steps = config.get<RunSettings>("run").steps;
    if (const auto start = section.find("replay_start");
        start != section.end() && steps > 0 && steps <= start->get<std::int64_t>())
        notes.push_back("The run learns nothing: it ends after " + formatCount(steps) +
                        " steps, but learning starts after " + formatCount(start->get<std::int64_t>()) +
                        " (algo.replay_start). Choose more --steps, or a smaller --algo.replay_start.");
    return notes;
}

}  // namespace

std::string settingHelp(const std::string& key) {
    if (key == "algo.id")
        return "Algorithm: " + join(algorithmRegistry().ids(), ", ") +
               " (see 'seedbed algos'), or auto: one that suits the task";
    const FieldInfo* field = RunSettings::describe().schema().find(key.substr(key.find('.') + 1));
    SEEDBED_CHECK(field != nullptr && key.starts_with("run."), key);
    std::string help = field->help;
    if (help.ends_with('.')) help.pop_back();
    // Does not show the sentinel for an unset target.
    if (const auto sentinel = help.find("; -1e30: "); sentinel != std::string::npos) help.resize(sentinel);
    return help;
}

std::vector<std::string> shortOptionChoices(const std::string& option) {
    const auto at = std::find_if(std::begin(kShortOptions), std::end(kShortOptions),
                                 [&](const ShortOption& known) { return known.option == option; });
    if (at == std::end(kShortOptions)) return {};
    const std::string key = at->key;
    if (key == "algo.id" || key == "run.engine") {
        std::vector<std::string> ids = key == "algo.id" ? algorithmRegistry().ids() : engineRegistry().ids();
        ids.insert(ids.begin(), "auto");
        return ids;
    }
    const FieldInfo* field = RunSettings::describe().schema().find(key.substr(key.find('.') + 1));
    return field != nullptr ? field->choices : std::vector<std::string>();
}

void defineConfigurationOptions(CLI::App& cli, ConfigurationRequest& request) {
    cli.add_option("ENV", request.env,
                   "Environment (see 'seedbed env list'; default: the environment of --preset)");
    cli.add_option_function<std::string>(
           "--preset", [&request](const std::string& name) { request.preset = name; },
           "Preset to start from, or none for the defaults (default: the preset for ENV)")
        ->type_name("PRESET");
    cli.add_option("--config", request.file, "JSON file with settings")->type_name("FILE")->check(notEmpty());
    std::vector<std::string> names;
    for (const ShortOption& option : kShortOptions) names.emplace_back(option.option);
    defineShortOptions(cli, request.settings, names);
}

void defineShortOptions(CLI::App& cli, std::vector<std::pair<std::string, std::string>>& settings,
                        const std::vector<std::string>& names) {
    for (const ShortOption& option : kShortOptions) {
        if (std::find(names.begin(), names.end(), option.option) == names.end()) continue;
        const std::string key = option.key;
        cli.add_option_function<std::string>(
               option.option,
               [&settings, key](const std::string& value) { settings.emplace_back(key, value); },
               settingHelp(key))
            ->type_name(option.type);
    }
}

Result<PresetLibrary> presetLibrary() {
    SEEDBED_ASSIGN(const std::vector<Path> folders, presetFolders());
    RealFileSystem files;
    return PresetLibrary::load(files, folders);
}

namespace {

tl::unexpected<Error> idIsNoArgument() {
    return fail(ErrorCode::config,
                "'env.id' is the id of the environment; a constructor argument named 'id' "
                "cannot be set");
}

}  // namespace

Result<Json> environmentParams(const EnvEntry& env, const Context& context) {
    Json params = Json::object();
    for (const auto& [key, value] : context.settings) {
        if (!key.starts_with("env."))
            return fail(ErrorCode::usage, "'" + key + "' is not a setting of the environment");
        if (key == "env.id") return idIsNoArgument();
        SEEDBED_TRY(env.params->set(params, key.substr(4), value, "env"));
    }
    return env.params->complete(params, "env");
}

namespace {

// Adds a hint to the error of findEnv().
tl::unexpected<Error> unknownEnvironment(Error error, const std::string& name) {
    if (const auto presets = presetLibrary(); presets && presets->get(name))
        error.message = "'" + name + "' is not an environment but a preset; use '--preset " + name + "'";
    // 'seedbed env list' does not list ids with a prefix, such as files; their errors already contain a hint.
    else if (name.find(':') == std::string::npos && !name.ends_with(".py"))
        error.message += "; 'seedbed env list' lists all built-in environments";
    return tl::unexpected<Error>(std::move(error));
}

// The name given as ENV, or the environment of --preset.
Result<std::string> environmentName(const ConfigurationRequest& request) {
    if (!request.env.empty()) return request.env;
    if (!request.preset || *request.preset == "none")
        return fail(ErrorCode::usage, "ENV is required, unless --preset names a preset");
    return namedPreset(*request.preset).map([](const Preset& preset) { return preset.env; });
}

}  // namespace

namespace {

// As for absoluteFolder(), for the folders among the names in self_play.rivals.
void makeRivalsAbsolute(Json& document) {
    SelfPlaySettings settings;
    Json& rivals = document["self_play"]["rivals"];
    settings.rivals = rivals.get<std::string>();
    std::vector<std::string> names = settings.rivalNames();
    for (std::string& name : names) {
        std::error_code error;
        if (std::filesystem::is_directory(name, error)) name = absoluteFolder(name);
    }
    rivals = join(names, ",");
}

}  // namespace

void printNotes(const Configuration& configuration, const Context& context) {
    if (context.quiet || context.json) return;
    for (const std::string& note : configuration.notes) std::fprintf(stderr, "%s\n", note.c_str());
}

std::string absoluteFolder(const std::string& folder) {
    if (folder.empty()) return folder;
    std::error_code error;
    const Path path = std::filesystem::absolute(folder, error).lexically_normal();
    return error ? folder : path.string();
}

Result<Configuration> makeConfiguration(const ConfigurationRequest& request) {
    std::optional<Recommendation> recommendation;
    return makeConfiguration(request, recommendation);
}

Result<Configuration> makeConfiguration(const ConfigurationRequest& asked,
                                        std::optional<Recommendation>& recommendation) {
    ConfigurationRequest request = asked;
    const ConfigSchema& schema = runConfigSchema();
    SEEDBED_ASSIGN(const std::string name, environmentName(request));
    const auto found = findEnv(name);
    if (!found) return unknownEnvironment(Error(found.error()), name);
    const EnvEntry* env = *found;
    Json file;
    if (!request.file.empty()) {
        RealFileSystem files;
        SEEDBED_ASSIGN(file, readJsonFile(files, request.file));
    }
    SEEDBED_ASSIGN(recommendation, resolveAlgorithm(request, file, *env));
    const std::string asked_algo = chosenAlgorithm(file, request.settings);
    SEEDBED_ASSIGN(Start start, chooseStart(request, file, env->id, asked_algo));
    const bool drops_self_play = !request.preset && start.preset &&
                                 start.preset->config.contains("self_play") &&
                                 givesSeatsPolicies(request, file);
    if (drops_self_play) start.preset->config.erase("self_play");
    const std::optional<Preset>& preset = start.preset;

    ConfigLayers layers(schema);
    SEEDBED_TRY(layers.addDocument("command line", {{"env", {{"id", env->id}}}}));
    const std::string algo = !asked_algo.empty() ? asked_algo : preset ? algorithmOf(*preset) : "ppo";
    SEEDBED_TRY(addStart(layers, preset, algo));
    if (recommendation) {
        // Sets the algorithm first, because it determines which settings exist.
        SEEDBED_TRY(layers.addDocument("auto", {{"algo", {{"id", recommendation->algo}}}}));
        SEEDBED_TRY(layers.addSettings("auto", recommendation->settings));
    }
    if (!request.file.empty()) SEEDBED_TRY(layers.addDocument(request.file, file));
    // A different environment is rejected below.
    for (const auto& [key, value] : request.settings)
        if (key == "env.id" && !findEnv(value)) return idIsNoArgument();
    SEEDBED_TRY(layers.addSettings("command line", request.settings));
    SEEDBED_ASSIGN(RunConfig resolved, layers.resolve());
    if (resolved.id("env") != env->id)
        return fail(ErrorCode::config, "the settings select environment '" + resolved.id("env") +
                                           "', but the command line selects '" + env->id + "'");

    if (request.default_steps && resolved.origin("run.steps") == "default" &&
        !hasStopCondition(resolved.get<RunSettings>("run"))) {
        const std::int64_t steps = algorithmRegistry().find(resolved.id("algo"))->defaults.steps;
        SEEDBED_TRY(layers.addDocument(kOwnDefaults, {{"run", {{"steps", steps}}}}));
        SEEDBED_ASSIGN(resolved, layers.resolve());
    }

    Configuration configuration;
    configuration.notes = notesAbout(resolved, preset);
    if (drops_self_play)
        configuration.notes.push_back("The self-play settings of the preset '" + preset->name +
                                      "' do not fit policies.seats and do not apply.");
    Json document = resolved.document();
    Json& folder = document["run"]["tensorboard"];
    folder = absoluteFolder(folder.get<std::string>());
    makeRivalsAbsolute(document);
    SEEDBED_ASSIGN(configuration.config, parseTrainingConfig(document));
    if (request.needs_goal && !hasStopCondition(configuration.config.run))
        return fail(ErrorCode::config,
                    "training on '" + env->id +
                        "' needs a stop condition: --steps N, --minutes M or --target-return X");
    if (const auto folders = userFolders(std::nullopt)) configuration.config.cache_folder = folders->cache;
    configuration.preset = preset && start.is_named ? preset->name : "";
    configuration.changed = schema.changed(configuration.config.document);
    return configuration;
}

}  // namespace seedbed::app
