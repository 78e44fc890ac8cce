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
    std::map<std::string, std::string> later;
    for (const SettingChange& change : changes) {
        if (!affectsLearning(change) || !config.contains(pointerTo(change.key))) continue;
        std::string& text = later[change.key];
        text += (text.empty() ? "" : "; ") + settingText(change.new_value) + " from step " +
                formatCount(change.step);
    }
    for (const auto& [key, text] : later)
        config[pointerTo(key)] = settingText(config[pointerTo(key)]) + " (" + text + ")";
    return config;
}

std::string changeText(const SettingChange& change) {
    return formatCount(change.step) + ": " + change.key + " " + settingText(change.old_value) + " -> " +
           settingText(change.new_value) + " (" + nameOf(change.source) + ")";
}

}  // namespace seedbed
