// SPDX-License-Identifier: Apache-2.0
// Presets: named configurations in JSON files that say when to use them, what they cost and what they should
// reach.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/json.hpp"

namespace seedbed {

// One file NAME.json: {"name", "title", "when_to_use", "env", "budget": {"steps"}, "expects": {"score",
// "reference", "source"}, "config"}.
struct Preset {
    std::string name;         // that of the file
    std::string title;        // a few words
    std::string when_to_use;  // one or two sentences
    std::string env;          // id of the environment
    std::int64_t budget_steps = 0;
    double expected_score = 0;   // mean greedy return that the budget should reach
    double reference_score = 0;  // what the source reports
    std::string source;          // where the reference comes from
    Json config;                 // document whose missing values are defaults; "env.id" included
    std::string hash;            // SHA-256 of the file's content, whatever its layout

    // Id of the algorithm in `config`, or the default one.
    std::string algo() const;
};

// error: config, with the file and the field.
Result<Preset> presetFromJson(const Json& json, const std::string& name);

// Thread: any, once loaded.
class PresetLibrary {
public:
    // All *.json of the folders; a later folder (the user's own) replaces presets of the same name. A folder
    // that does not exist is empty. The first file that is wrong is the error.
    static Result<PresetLibrary> load(FileSystem& files, const std::vector<Path>& folders);

    // error: config, with the nearest name.
    Result<const Preset*> get(std::string_view name) const;
    // The preset that is called like the environment, else the first of that environment by name; nullptr
    // when there is none. With an algorithm's id, among the presets of that algorithm.
    const Preset* defaultFor(std::string_view env, std::string_view algo = {}) const;
    // Sorted by name.
    std::vector<const Preset*> all() const;

private:
    std::map<std::string, Preset> presets_;
};

}  // namespace seedbed
