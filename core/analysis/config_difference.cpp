// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/config_difference.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/analysis/run_settings.hpp"

namespace seedbed {
namespace {

// Settings that affect neither learning nor measurement.
constexpr std::array kIgnored{"/run/seed",
                              "/run/threads",
                              "/run/keep_awake",
                              "/run/horizon",
                              "/run/tensorboard",
                              "/actor/threads",
                              "/actor/stall_s",
                              "/actor/restarts",
                              "/eval/every_steps",
                              "/eval/episodes",
                              "/eval/final_episodes",
                              "/eval/max_steps",
                              "/eval/max_total_steps",
                              "/eval/max_seconds",
                              "/checkpoint"};
// Settings of the environment that affect only the learner; they do not change returns.
constexpr std::array kLearnerOnly{"/wrap/reward_clip", "/wrap/reward_scale"};

void removeAt(Json& json, const char* pointer) {
    const Json::json_pointer at(pointer);
    if (!json.contains(at)) return;
    Json& parent = json[at.parent_pointer()];
    parent.erase(at.back());
}

const Json* findField(const std::vector<std::pair<std::string, Json>>& fields, const std::string& name) {
    const auto at =
        std::find_if(fields.begin(), fields.end(), [&](const auto& field) { return field.first == name; });
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
            const Json* value = findField(fields, name);
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
    for (const char* pointer : kIgnored) removeAt(rest, pointer);
    if (rest.is_object() && rest.contains("eval") && rest["eval"].empty()) rest.erase("eval");
    return rest;
}

bool sameTask(const Json& a, const Json& b) {
    const auto task = [](const Json& config) {
        const auto env_at = "/env"_json_pointer;
        Json env = config.contains(env_at) ? config.at(env_at) : Json::object();
        for (const char* pointer : kLearnerOnly) removeAt(env, pointer);
        return env;
    };
    return task(a) == task(b);
}

}  // namespace seedbed
