// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/run_settings.hpp"

#include <algorithm>
#include <array>

namespace seedbed {
namespace {

std::string quoted(const std::string& text) {
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("-_.,:/+=").find(c) != std::string_view::npos;
    };
    if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

}  // namespace

void flatten(const Json& json, const std::string& prefix, std::vector<std::pair<std::string, Json>>& out) {
    if (!json.is_object()) {
        out.emplace_back(prefix, json);
        return;
    }
    for (const auto& [key, value] : json.items())
        flatten(value, prefix.empty() ? key : prefix + "." + key, out);
}

std::string settingText(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (!value.is_array()) return value.dump();
    std::string text;
    for (const Json& item : value) text += (text.empty() ? "" : ",") + settingText(item);
    return text;
}

std::vector<std::pair<std::string, std::string>> settingsOf(const Json& config, const Json& change,
                                                            KeepMachine machine) {
    static const std::array<std::string, 3> kNotCopied{"env.id", "run.seed", "run.threads"};
    static const std::array<std::string, 2> kMachine{"run.device", "run.engine"};
    const auto among = [](const auto& names, const std::string& name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    std::vector<std::pair<std::string, Json>> fields;
    flatten(config, "", fields);
    std::vector<std::pair<std::string, std::string>> settings;
    for (const auto& [key, value] : fields) {
        if (among(kNotCopied, key) || (machine == KeepMachine::no && among(kMachine, key))) continue;
        const auto changed = change.find(key);
        settings.emplace_back(key, settingText(changed == change.end() ? value : *changed));
    }
    return settings;
}

std::string trainCommand(const std::string& env,
                         const std::vector<std::pair<std::string, std::string>>& options) {
    std::string command = "seedbed train " + quoted(env);
    for (const auto& [name, text] : options) command += " --" + name + " " + quoted(text);
    return command;
}

}  // namespace seedbed
