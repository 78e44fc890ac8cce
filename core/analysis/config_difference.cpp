// SPDX-License-Identifier: Apache-2.0
// Configurations field by field.
#include <algorithm>
#include <array>

#include "core/analysis/comparison.hpp"

namespace seedbed {
namespace {

// Says when to stop, on what, and how often to look; never what is learned.
constexpr std::array<const char*, 4> kIgnoredOfRun{"seed", "steps", "minutes", "threads"};

void flatten(const Json& json, const std::string& prefix, std::vector<std::pair<std::string, Json>>& fields) {
    if (!json.is_object()) {
        fields.emplace_back(prefix, json);
        return;
    }
    for (const auto& [key, value] : json.items()) flatten(value, prefix.empty() ? key : prefix + "." + key, fields);
}

const Json* find(const std::vector<std::pair<std::string, Json>>& fields, const std::string& name) {
    const auto at = std::find_if(fields.begin(), fields.end(), [&](const auto& field) { return field.first == name; });
    return at == fields.end() ? nullptr : &at->second;
}

}  // namespace

std::vector<ConfigDifference> configDifferences(const std::vector<Json>& configs) {
    std::vector<std::vector<std::pair<std::string, Json>>> flat(configs.size());
    std::vector<std::string> names;
    for (std::size_t i = 0; i < configs.size(); ++i) {
        flatten(configs[i], "", flat[i]);
        for (const auto& [name, value] : flat[i])
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    std::vector<ConfigDifference> differences;
    for (const std::string& name : names) {
        ConfigDifference difference{name, {}};
        for (const auto& fields : flat) {
            const Json* value = find(fields, name);
            difference.values.push_back(value == nullptr ? Json() : *value);
        }
        const bool equal = std::all_of(difference.values.begin(), difference.values.end(),
                                       [&](const Json& value) { return value == difference.values.front(); });
        if (!equal) differences.push_back(std::move(difference));
    }
    return differences;
}

Json withoutSeed(const Json& config) {
    Json rest = config;
    if (rest.contains("run") && rest["run"].is_object())
        for (const char* key : kIgnoredOfRun) rest["run"].erase(key);
    rest.erase("eval"), rest.erase("checkpoint");
    return rest;
}

}  // namespace seedbed
