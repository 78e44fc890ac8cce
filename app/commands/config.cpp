// SPDX-License-Identifier: Apache-2.0
// seedbed config, presets: the settings reference and the presets.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/algorithm_choice.hpp"
#include "app/command.hpp"
#include "app/configuration.hpp"
#include "core/base/text.hpp"
#include "core/env/env_registry.hpp"

namespace seedbed::app {
namespace {

struct ConfigOptions {
    ConfigurationRequest request;
    bool fields = false;
};

const char* nameOf(Level level) {
    return level == Level::goal ? "goal" : level == Level::recipe ? "recipe" : "everything";
}

const char* nameOf(FieldType type) {
    switch (type) {
        case FieldType::boolean: return "boolean";
        case FieldType::integer: return "integer";
        case FieldType::real: return "real";
        case FieldType::text: return "text";
        case FieldType::choice: return "choice";
        case FieldType::integers: return "integers";
        case FieldType::reals: return "reals";
        case FieldType::section: return "section";
    }
    return "";
}

// Parses the special values at the end of a setting's help: "...; 0: immediately; -1: never, only by size."
// gives 0 "immediately" and -1 "never". Text after a comma is omitted.
Json specialValues(const FieldInfo& field) {
    Json special = Json::array();
    if (field.type != FieldType::integer && field.type != FieldType::real) return special;
    const std::vector<std::string> parts = split(field.help, ';');
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const std::string part(trimmed(parts[i]));
        const auto colon = part.find(": ");
        const auto value = colon == std::string::npos ? std::nullopt : parseNumber(part.substr(0, colon));
        if (!value || *value < field.min || *value > field.max) continue;
        std::string means = part.substr(colon + 2);
        // A point inside a word is part of a setting's name.
        means.resize(
            std::min({means.find(','), means.find(". "), means.size() - (means.ends_with('.') ? 1 : 0)}));
        special.push_back({{"value", *value}, {"means", means}});
    }
    return special;
}

// Describes every setting for a form, in the order of the settings reference. Infinite bounds are null.
Json describeFields(const Json& document) {
    Json fields = Json::array();
    const auto bound = [](double value) { return std::isfinite(value) ? Json(value) : Json(); };
    runConfigSchema().visit(document, [&](const std::string& key, const FieldInfo& field) {
        fields.push_back({{"key", key},
                          {"type", nameOf(field.type)},
                          {"unit", field.unit},
                          {"help", field.help},
                          {"default", field.default_value},
                          {"min", bound(field.min)},
                          {"max", bound(field.max)},
                          {"allowed", allowedText(field)},
                          {"choices", field.choices},
                          {"special", specialValues(field)},
                          {"level", nameOf(field.level)},
                          {"live", field.live}});
    });
    return fields;
}

Result<int> showConfig(const ConfigOptions& options, const Context& context) {
    ConfigurationRequest request = options.request;
    if (request.env.empty() && !request.preset) {
        if (context.json)
            return fail(ErrorCode::usage,
                        "--json needs an environment, for example seedbed config cartpole --json");
        std::printf("%s", runConfigSchema().toMarkdown().c_str());
        return kOk;
    }
    request.needs_goal = false;
    request.settings.insert(request.settings.end(), context.settings.begin(), context.settings.end());
    std::optional<Recommendation> chosen;
    SEEDBED_ASSIGN(const Configuration configuration, makeConfiguration(request, chosen));
    if (context.json) {
        Json json{{"preset", configuration.preset},
                  {"changed", configuration.changed},
                  {"notes", configuration.notes},
                  {"config", configuration.config.document}};
        if (chosen) json["recommendation"] = recommendationJson(*chosen);
        if (options.fields) {
            SEEDBED_ASSIGN(const EnvEntry* env, findEnv(configuration.config.env_id));
            json["fields"] = describeFields(configuration.config.document);
            // Sections that also accept settings defined only by the environment.
            json["open"] = env->params->open ? Json::array({"env"}) : Json::array();
        }
        printJson(json);
        return kOk;
    }
    const std::string& preset = configuration.preset;
    std::printf("Settings of '%s' that differ from the defaults (%s)\n", configuration.config.env_id.c_str(),
                preset.empty() ? "no preset" : ("preset '" + preset + "'").c_str());
    if (chosen) std::printf("  algorithm %s: %s\n", chosen->algo.c_str(), chosen->why.c_str());
    for (const std::string& note : configuration.notes) std::printf("  %s\n", note.c_str());
    for (const auto& [key, values] : configuration.changed.items())
        if (key != "env.id") std::printf("  --%s %s\n", key.c_str(), values[1].dump().c_str());
    return kOk;
}

std::string scoreText(const Preset& preset) {
    if (!preset.isMeasured()) return "not measured";
    if (preset.isSolved()) return formatNumber(preset.expected_score);
    const std::string best = formatNumber(*preset.best_score), goal = formatNumber(preset.expected_score);
    // The mean of several runs may reach a goal that one of them misses.
    if (*preset.best_score >= preset.expected_score)
        return "not solved in every run: mean " + best + ", goal " + goal;
    return "not solved: " + best + " of " + goal;
}

Result<int> listPresets(const Context& context) {
    SEEDBED_ASSIGN(const PresetLibrary library, presetLibrary());
    Json json = Json::array();
    std::vector<std::vector<std::string>> rows{{"PRESET", "ENV", "STEPS", "EXPECTED", "USE"}};
    for (const Preset* p : library.all()) {
        json.push_back({{"name", p->name},
                        {"title", p->title},
                        {"when_to_use", p->when_to_use},
                        {"env", p->env},
                        {"default", library.defaultFor(p->env) == p},
                        {"steps", p->budget_steps},
                        {"expected_score", p->expected_score},
                        {"measured", p->isMeasured()},
                        {"solved", p->isSolved()},
                        {"best_score", p->best_score ? Json(*p->best_score) : Json()},
                        {"reference_score", p->reference_score},
                        {"source", p->source},
                        {"hash", p->hash},
                        {"config", p->config}});
        rows.push_back({p->name, p->env, formatCount(p->budget_steps), scoreText(*p), p->when_to_use});
    }
    if (context.json) printJson(json);
    else printTable(rows);
    return kOk;
}

SEEDBED_REGISTER_COMMAND(
    config, {.id = "config",
             .summary = "Print the settings reference, or the settings of an environment's preset",
             .examples = {"seedbed config > config.md", "seedbed config cartpole"},
             .takes_settings = true,
             .define = [](CLI::App& cli) -> Action {
                 auto options = std::make_shared<ConfigOptions>();
                 defineConfigurationOptions(cli, options->request);
                 cli.add_flag("--fields", options->fields,
                              "With --json: include the description of every setting");
                 return [options](const Context& context) { return showConfig(*options, context); };
             }});

SEEDBED_REGISTER_COMMAND(presets, {.id = "presets",
                                   .summary = "List the presets, when to use them and their expected scores",
                                   .examples = {"seedbed presets"},
                                   .define = [](CLI::App&) -> Action { return listPresets; }});

}  // namespace
}  // namespace seedbed::app
