// SPDX-License-Identifier: Apache-2.0
// A configuration from what people type: defaults, then the preset, then a file, then the command line.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/config/presets.hpp"
#include "core/session/settings.hpp"

namespace seedbed::app {

struct ConfigurationRequest {
    std::string env;
    std::optional<std::string> preset;  // "none": plain defaults
    bool needs_goal = true;             // the configuration must say when to stop
    std::string file;                   // JSON document of changed settings
    // Short options that stand for settings, by their key; then the dotted ones.
    std::vector<std::pair<std::string, std::string>> settings;
};

struct Configuration {
    TrainingConfig config;
    std::string preset;  // name, or "" when none was used
    Json changed;        // settings that differ from the defaults: {key: [default, value]}
};

// Adds ENV, --preset, --config and the short options (--algo, --steps, --seed, ...).
void defineConfigurationOptions(CLI::App& cli, ConfigurationRequest& request);
// Adds the short options of these names ("--steps") alone; what is given goes to `settings` by its key.
void defineShortOptions(CLI::App& cli, std::vector<std::pair<std::string, std::string>>& settings,
                        const std::vector<std::string>& names);
// The sentence that describes "run.engine", or what there is for "algo.id": every choice is in it.
std::string settingHelp(const std::string& key);
// What a short option ("--schedule") can be, where that is a list; empty otherwise.
std::vector<std::string> shortOptionChoices(const std::string& option);
// error: config.
Result<Configuration> makeConfiguration(const ConfigurationRequest& request);

// The shipped presets, then the user's own (in the XDG configuration folder), which replace those of the same
// name.
Result<PresetLibrary> presetLibrary();

}  // namespace seedbed::app
