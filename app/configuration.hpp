// SPDX-License-Identifier: Apache-2.0
// Builds a configuration from the command line. Layers: defaults, preset, file, command line. If the preset
// is for another algorithm, only its task is used (taskSettings()), on top of the algorithm's own defaults.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/command.hpp"
#include "core/config/presets.hpp"
#include "core/env/env_registry.hpp"
#include "core/session/settings.hpp"

namespace seedbed::app {

struct ConfigurationRequest {
    std::string env;
    std::optional<std::string> preset;  // "none": the defaults
    bool needs_goal = true;             // fail unless the configuration has a stop condition
    bool default_steps = true;          // without a stop condition, use the algorithm's default steps
    std::string file;                   // JSON document of changed settings
    // Settings by their dotted key; short options such as --steps are stored under their key too.
    std::vector<std::pair<std::string, std::string>> settings;
};

struct Configuration {
    TrainingConfig config;
    std::string preset;                // "" if none was used
    Json changed;                      // settings that differ from the defaults: {key: [default, value]}
    std::vector<std::string> notes{};  // sentences about choices that the request left open
};

// Adds ENV, --preset, --config and the short options (--algo, --steps, --seed, ...).
void defineConfigurationOptions(CLI::App& cli, ConfigurationRequest& request);
// Adds only the short options `names` ("--steps"); their values go to `settings` under their key.
void defineShortOptions(CLI::App& cli, std::vector<std::pair<std::string, std::string>>& settings,
                        const std::vector<std::string>& names);
// Returns the help text of the setting "algo.id" or "run.*", including its choices.
std::string settingHelp(const std::string& key);
// Returns the choices of a short option ("--schedule"); empty if it has no fixed list.
std::vector<std::string> shortOptionChoices(const std::string& option);
// The absolute path of a folder in a setting, since a run may be resumed from another working directory; ""
// stays "".
std::string absoluteFolder(const std::string& folder);
// Resolves the layers. error: config.
Result<Configuration> makeConfiguration(const ConfigurationRequest& request);

// Prints the notes, unless the output is quiet or JSON.
void printNotes(const Configuration& configuration, const Context& context);

// The complete parameters of `env` from settings such as --env.length 8. error: config; usage for a setting
// from another section.
Result<Json> environmentParams(const EnvEntry& env, const Context& context);

// Loads the shipped presets and the user's own (in the XDG configuration folder), which replace shipped
// presets of the same name.
Result<PresetLibrary> presetLibrary();

}  // namespace seedbed::app
