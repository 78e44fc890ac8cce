// SPDX-License-Identifier: Apache-2.0
// seedbed config, presets: the reference of all settings, and the presets.
#include <cstdio>

#include "app/command.hpp"
#include "app/configuration.hpp"
#include "core/base/text.hpp"

namespace seedbed::app {
namespace {

Result<int> showConfig(const std::string& env, const Context& context) {
    if (env.empty()) {
        if (context.json)
            return fail(ErrorCode::usage, "name an environment to get its configuration as JSON: seedbed config cartpole --json");
        std::printf("%s", runConfigSchema().toMarkdown().c_str());
        return kOk;
    }
    ConfigurationRequest request;
    request.env = env;
    request.needs_goal = false;
    request.settings = context.settings;
    SEEDBED_ASSIGN(const Configuration configuration, makeConfiguration(request));
    if (context.json) {
        printJson({{"preset", configuration.preset}, {"changed", configuration.changed}, {"config", configuration.config.document}});
        return kOk;
    }
    std::printf("Settings of '%s' that differ from the defaults (preset '%s')\n", configuration.config.env_id.c_str(),
                configuration.preset.c_str());
    for (const auto& [key, values] : configuration.changed.items()) std::printf("  --%s %s\n", key.c_str(), values[1].dump().c_str());
    return kOk;
}

Result<int> listPresets(const Context& context) {
    SEEDBED_ASSIGN(const PresetLibrary library, presetLibrary());
    Json json = Json::array();
    std::vector<std::vector<std::string>> rows{{"PRESET", "ENV", "STEPS", "EXPECTED", "WHEN TO USE"}};
    for (const Preset* p : library.all()) {
        json.push_back({{"name", p->name},
                        {"title", p->title},
                        {"when_to_use", p->when_to_use},
                        {"env", p->env},
                        {"default", library.defaultFor(p->env) == p},
                        {"steps", p->budget_steps},
                        {"expected_score", p->expected_score},
                        {"reference_score", p->reference_score},
                        {"source", p->source},
                        {"hash", p->hash},
                        {"config", p->config}});
        rows.push_back({p->name, p->env, formatCount(p->budget_steps), formatNumber(p->expected_score), p->when_to_use});
    }
    if (context.json) printJson(json);
    else printTable(rows);
    return kOk;
}

SEEDBED_REGISTER_COMMAND(config, {.id = "config",
                                  .summary = "Every setting there is, or the settings of an environment's preset",
                                  .examples = {"seedbed config > config.md", "seedbed config cartpole"},
                                  .takes_settings = true,
                                  .define = [](CLI::App& cli) -> Action {
                                      auto env = std::make_shared<std::string>();
                                      cli.add_option("ENV", *env, "Environment");
                                      return [env](const Context& context) { return showConfig(*env, context); };
                                  }});

SEEDBED_REGISTER_COMMAND(presets, {.id = "presets",
                                   .summary = "The presets: when to use them and what they reach",
                                   .examples = {"seedbed presets"},
                                   .define = [](CLI::App&) -> Action { return listPresets; }});

}  // namespace
}  // namespace seedbed::app
