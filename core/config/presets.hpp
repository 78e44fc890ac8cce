// SPDX-License-Identifier: Apache-2.0
// Presets: named configurations in JSON files, with advice, budget and expected score.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/os/files.hpp"

namespace seedbed {

// The contents of a file NAME.json: {"name", "title", "when_to_use", "env", "budget": {"steps"}, "expects":
// {"score", "reference", "source"}, "config"}. A preset that misses its score adds "solved": false and "best"
// to "expects".
struct Preset {
    std::string name;         // equals the file's name
    std::string title;        // a few words
    std::string when_to_use;  // one or two sentences
    std::string env;          // id of the environment
    std::int64_t budget_steps = 0;
    double expected_score = 0;   // the goal: the mean greedy return after training for the budget
    double reference_score = 0;  // score that the source reports
    std::string source;          // source of the reference score
    // The mean of the recorded result if it misses the goal; empty if it reaches the goal or none is
    // recorded.
    std::optional<double> best_score{};
    Json config;  // configuration document with "env.id"; missing values have their defaults
    // hashOf() of the budget and the configuration. Scores, descriptions, layout and key order do not affect
    // it.
    std::string hash;

    // The algorithm's id in `config`, or the default one.
    std::string algo() const;
    // Whether a result is recorded: the source does not begin with "not yet measured".
    bool isMeasured() const;
    // Whether the recorded result reaches the goal. Otherwise expected_score must not be shown as an expected
    // result.
    bool isSolved() const { return isMeasured() && !best_score; }
};

// Parses a preset. error: config, with the file and the field.
Result<Preset> presetFromJson(const Json& json, const std::string& name);

// The presets of the program and of the user. Thread: any, once loaded.
class PresetLibrary {
public:
    // Loads all *.json files of the folders. A preset of a later folder replaces one with the same name. A
    // missing folder counts as empty. Fails at the first invalid file.
    static Result<PresetLibrary> load(FileSystem& files, const std::vector<Path>& folders);

    // Reads one preset without the others, as load() would; nullopt if no preset has this name.
    static Result<std::optional<Preset>> read(FileSystem& files, const std::vector<Path>& folders,
                                              std::string_view name);

    // error: config, with the most similar name.
    Result<const Preset*> get(std::string_view name) const;
    // The preset with the environment's name, or else the environment's alphabetically first preset; another
    // one if it has a better recorded result and the first one's misses its goal. nullptr if there is none.
    // With `algo`, considers only presets of that algorithm.
    const Preset* defaultFor(std::string_view env, std::string_view algo = {}) const;
    // Sorted by name.
    std::vector<const Preset*> all() const;

private:
    std::map<std::string, Preset> presets_;
};

}  // namespace seedbed
