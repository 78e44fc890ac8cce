// SPDX-License-Identifier: Apache-2.0
#include "core/env/scripted_player.hpp"

#include <algorithm>

#include "core/base/text.hpp"

namespace seedbed {
namespace {

std::string formOf(const ScriptedPlayerEntry& entry) {
    if (entry.parameter.empty()) return entry.id;
    return entry.has_default ? entry.id + "[:" + entry.parameter + "]" : entry.id + ":" + entry.parameter;
}

Result<int> parameterOf(const ScriptedPlayerEntry& entry, const std::string& name) {
    const auto colon = name.find(':');
    if (colon == std::string::npos && (entry.parameter.empty() || entry.has_default))
        return entry.default_value;
    const auto value = colon == std::string::npos ? std::nullopt : parseInteger(name.substr(colon + 1));
    if (!entry.parameter.empty() && value && *value >= entry.low && *value <= entry.high)
        return static_cast<int>(*value);
    if (entry.parameter.empty())
        return fail(ErrorCode::config, "the scripted player '" + entry.id + "' has no parameter: '" + name +
                                           "'; write " + entry.id);
    return fail(ErrorCode::config, "'" + name + "' is not a scripted player: write " + formOf(entry) +
                                       " with " + entry.parameter + " from " + std::to_string(entry.low) +
                                       " to " + std::to_string(entry.high));
}

}  // namespace

Registry<ScriptedPlayerEntry>& scriptedPlayerRegistry() {
    static Registry<ScriptedPlayerEntry> registry;
    return registry;
}

bool namesScriptedPlayer(std::string_view name) {
    return scriptedPlayerRegistry().find(name.substr(0, name.find(':'))) != nullptr;
}

std::string scriptedPlayerForms() {
    std::vector<std::string> forms;
    for (const std::string& id : scriptedPlayerRegistry().ids())
        forms.push_back(formOf(*scriptedPlayerRegistry().find(id)));
    return join(forms, ", ");
}

Result<std::unique_ptr<ScriptedPlayer>> makeScriptedPlayer(const std::string& name, const EnvEntry& env,
                                                           const EnvSpec& spec) {
    SEEDBED_ASSIGN(const ScriptedPlayerEntry* entry,
                   scriptedPlayerRegistry().get(name.substr(0, name.find(':')), "scripted player"));
    SEEDBED_ASSIGN(const int parameter, parameterOf(*entry, name));
    if (!entry->envs.empty() && std::ranges::find(entry->envs, env.id) == entry->envs.end())
        return fail(ErrorCode::config, "the scripted player '" + entry->id + "' cannot play '" + env.id +
                                           "'; it plays " + join(entry->envs, ", "));
    auto player = entry->make(spec, parameter);
    if (!player)
        return tl::unexpected<Error>(
            std::move(player).error().withContext("playing '" + env.id + "' with '" + name + "'"));
    return player;
}

}  // namespace seedbed
