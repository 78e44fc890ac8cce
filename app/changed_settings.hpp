// SPDX-License-Identifier: Apache-2.0
// The settings in which a stored run differs from its preset. They are used to distinguish runs in lists and
// to suggest commands that reproduce a run.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json.hpp"

namespace seedbed::app {

// A setting, identified by its dotted key.
struct ChangedSetting {
    std::string key;
    Json from;  // the preset's value; null if the preset does not have the key
    Json value;
};

// The preset of a configuration and the settings that differ from it, in the order of the settings
// reference. Environment, seed, threads, device and engine are omitted; callers show them separately.
struct ChangedSettings {
    std::string preset;  // "none" if there was no preset or it no longer exists
    std::vector<ChangedSetting> changed;
};

// Returns the name of the preset stored with a run (StoreReader::configOf, RunDetails::auto_settings), or ""
// if it had none.
std::string presetOf(const Json& auto_settings);

// Compares configurations with their presets and caches the presets. Not thread-safe.
class PresetDifference {
public:
    // `preset`: as returned by presetOf(). For an unknown environment, returns the preset "none" and no
    // changes.
    ChangedSettings of(const Json& config, const std::string& preset);

    // The complete configuration of the preset for the run's environment and algorithm. Null if it cannot be
    // built.
    Json baseOf(const Json& config, const std::string& preset);

private:
    struct Base {
        std::string preset;
        Json document;  // null if it cannot be built
    };
    const Base& find(const std::string& env, const std::string& algo, const std::string& preset);
    std::map<std::string, Base> bases_;
};

// Returns for each run its changed settings, such as "learning_rate=0.0003", in the order of
// distinguishingTexts().
std::vector<std::vector<std::string>> distinguishingSettings(
    const std::vector<std::pair<std::string, ChangedSettings>>& runs, bool all);

// Returns one table cell per run that distinguishes runs of the same environment, algorithm and preset, for
// example "learning_rate=0.0003, gamma=0.9". Settings that differ between the runs come first; at most three
// are listed, followed by the number of the remaining ones ("+2"). `all`: also lists settings that only other
// runs change, with the preset's value.
std::vector<std::string> distinguishingTexts(const std::vector<std::pair<std::string, ChangedSettings>>& runs,
                                             bool all);

// Returns the value at a dotted key: {"a": {"b": 1}} at "a.b" is 1. Null if it is missing.
Json valueAt(const Json& document, const std::string& key);

// Returns a command, quoted for a POSIX shell, that starts a run with the same settings (except threads) and
// with `change` applied. The change comes first, then the seed, then the settings that differ from the
// preset.
std::string commandLike(const Json& config, const ChangedSettings& settings, const Json& change,
                        std::uint64_t seed);

}  // namespace seedbed::app
