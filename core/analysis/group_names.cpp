// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/group_names.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "core/analysis/config_difference.hpp"

namespace seedbed {
namespace {

constexpr const char* kAlgorithm = "algo.id";
constexpr std::string_view kOmitted = "...";

std::string valueText(const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.is_null() ? "-" : value.dump();
}

std::string textAt(const Json& config, const char* pointer) {
    const Json::json_pointer at(pointer);
    return config.contains(at) ? valueText(config.at(at)) : "?";
}

std::string lastPart(const std::string& field) { return field.substr(field.rfind('.') + 1); }

bool isRunSetting(const std::string& field) { return field.starts_with("run."); }

// Number of distinct values.
std::size_t countValues(const ConfigDifference& difference) {
    std::set<std::string> values;
    for (const Json& value : difference.values)
        if (!value.is_null()) values.insert(value.dump());
    return values.size();
}

void sortByImportance(std::vector<ConfigDifference>& differences) {
    const auto rank = [](const ConfigDifference& one) {
        return one.field == kAlgorithm ? 0 : isRunSetting(one.field) ? 2 : 1;
    };
    std::stable_sort(differences.begin(), differences.end(),
                     [&](const ConfigDifference& a, const ConfigDifference& b) {
                         return rank(a) != rank(b) ? rank(a) < rank(b) : countValues(a) > countValues(b);
                     });
}

// Names of `count` configurations of one environment, beginning with `prefix`. all: includes settings that
// are normally skipped.
std::vector<std::string> buildNames(const std::vector<ConfigDifference>& differences, std::size_t count,
                                    const std::string& prefix, FieldNames names, bool all) {
    std::map<std::string, int> endings;
    for (const ConfigDifference& difference : differences) ++endings[lastPart(difference.field)];
    std::vector<std::string> texts(count, prefix);
    for (const ConfigDifference& difference : differences) {
        const bool whole = names == FieldNames::whole || endings[lastPart(difference.field)] > 1;
        const std::string field = names == FieldNames::last_part && difference.field == kAlgorithm ? ""
                                  : whole ? difference.field + "="
                                          : lastPart(difference.field) + "=";
        if (!all && countValues(difference) < 2) continue;
        for (std::size_t i = 0; i < count; ++i) {
            const Json& value = difference.values[i];
            if (!all &&
                (value.is_null() || (isRunSetting(difference.field) && value.is_number() && value == 0)))
                continue;
            texts[i] += (texts[i].empty() ? "" : ", ") + field + valueText(value);
        }
    }
    return texts;
}

bool hasDuplicates(std::vector<std::string> texts) {
    std::sort(texts.begin(), texts.end());
    return std::adjacent_find(texts.begin(), texts.end()) != texts.end();
}

}  // namespace

std::vector<std::string> groupNames(const std::vector<Json>& configs, FieldNames names) {
    std::map<std::string, std::vector<std::size_t>> of_env;
    for (std::size_t i = 0; i < configs.size(); ++i) of_env[textAt(configs[i], "/env/id")].push_back(i);
    std::vector<std::string> result(configs.size());
    for (const auto& [env, members] : of_env) {
        std::vector<Json> own;
        for (const std::size_t i : members) own.push_back(configs[i]);
        std::vector<ConfigDifference> differences = configDifferences(own);
        sortByImportance(differences);
        const std::string prefix = of_env.size() > 1 ? env : "";
        std::vector<std::string> texts = buildNames(differences, own.size(), prefix, names, false);
        if (hasDuplicates(texts)) texts = buildNames(differences, own.size(), prefix, names, true);
        for (std::size_t i = 0; i < members.size(); ++i)
            result[members[i]] = texts[i].empty() ? env + " " + textAt(own[i], "/algo/id") : texts[i];
    }
    return result;
}

std::vector<std::string> shortNames(const std::vector<std::string>& names, std::size_t columns) {
    std::vector<std::string> texts;
    std::map<std::string, int> uses;
    for (const std::string& name : names) {
        const std::size_t kept = columns - std::min(columns, kOmitted.size()), end = kept / 2;
        texts.push_back(name.size() <= columns ? name
                                               : name.substr(0, kept - end) + std::string(kOmitted) +
                                                     name.substr(name.size() - end));
        ++uses[texts.back()];
    }
    for (std::size_t i = 0; i < names.size(); ++i)
        if (uses[texts[i]] > 1) texts[i] = names[i];
    return texts;
}

std::vector<std::string> distinctNames(const std::vector<std::string>& labels) {
    const auto firstParts = [](const std::string& label, std::size_t count) {
        std::size_t end = 0;
        for (std::size_t i = 0; i < count && end != std::string::npos; ++i)
            end = label.find(", ", end == 0 ? 0 : end + 2);
        return label.substr(0, end);
    };
    std::size_t most = 1;
    for (const std::string& label : labels)
        most = std::max(most, static_cast<std::size_t>(std::count(label.begin(), label.end(), ',')) + 1);
    for (std::size_t parts = 1; parts <= most; ++parts) {
        std::vector<std::string> names;
        std::set<std::string> keys;
        for (const std::string& label : labels) {
            names.push_back(firstParts(label, parts));
            keys.insert(names.back().substr(0, names.back().find('=')));
        }
        if (std::set<std::string>(names.begin(), names.end()).size() < labels.size()) continue;
        // One setting, whose values differ.
        const bool one = parts == 1 && keys.size() == 1 && labels.size() > 1;
        for (std::string& name : names)
            if (one && name.find('=') != std::string::npos) name = name.substr(name.find('=') + 1);
        return names;
    }
    return labels;
}

}  // namespace seedbed
