// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/setting_history.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "core/analysis/config_difference.hpp"
#include "core/analysis/run_settings.hpp"
#include "core/base/text.hpp"

namespace seedbed {
namespace {

constexpr std::array kGoals{"run.steps", "run.minutes", "run.target_return"};

bool isGoal(const std::string& key) { return std::find(kGoals.begin(), kGoals.end(), key) != kGoals.end(); }

Json::json_pointer pointerTo(const std::string& key) {
    std::string pointer = "/" + key;
    std::replace(pointer.begin() + 1, pointer.end(), '.', '/');
    return Json::json_pointer(pointer);
}

}  // namespace

bool affectsLearning(const SettingChange& change) {
    if (isGoal(change.key)) return false;
    Json document;
    document[pointerTo(change.key)] = change.new_value;
    // withoutSeed() removes only the setting; its section remains.
    return withoutSeed(document).contains(pointerTo(change.key));
}

Json originalConfig(const Json& newest, const std::vector<SettingChange>& changes) {
    Json config = newest;
    for (auto change = changes.rbegin(); change != changes.rend(); ++change)
        if (!isGoal(change->key) && config.contains(pointerTo(change->key)))
            config[pointerTo(change->key)] = change->old_value;
    return config;
}

Json withoutGoals(Json config) {
    for (const char* goal : kGoals) {
        const Json::json_pointer at = pointerTo(goal);
        if (config.contains(at)) config[at.parent_pointer()].erase(at.back());
    }
    return config;
}

Json configOverTime(const Json& newest, const std::vector<SettingChange>& changes) {
    Json config = originalConfig(newest, changes);
    // Of several changes at one step, only the last one took effect.
    std::map<std::string, std::map<std::int64_t, Json>> values;
    for (const SettingChange& change : changes)
        if (affectsLearning(change) && config.contains(pointerTo(change.key)))
            values[change.key][change.step] = change.new_value;
    for (const auto& [key, by_step] : values) {
        Json& begin = config[pointerTo(key)];
        Json latest = by_step.contains(0) ? by_step.at(0) : begin;
        begin = latest;
        std::string later;
        for (const auto& [step, value] : by_step) {
            if (value == latest) continue;
            latest = value;
            later += (later.empty() ? "" : "; ") + settingText(value) + " from step " + formatCount(step);
        }
        if (!later.empty()) begin = settingText(begin) + " (" + later + ")";
    }
    return config;
}

std::string changeText(const SettingChange& change) {
    return formatCount(change.step) + ": " + change.key + " " + settingText(change.old_value) + " -> " +
           settingText(change.new_value) + " (" + nameOf(change.source) + ")";
}

}  // namespace seedbed
