// SPDX-License-Identifier: Apache-2.0
#include "core/export/target.hpp"

#include <algorithm>

#include "core/export/names.hpp"

namespace seedbed {

namespace {

Result<> checkPrefix(const std::string& prefix) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto follows = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
    if (prefix.empty() || prefix.size() > 40 || !letter(prefix[0]) || prefix[0] == '_' ||
        !std::all_of(prefix.begin(), prefix.end(), follows))
        return fail(ErrorCode::config, "'" + prefix +
                                           "' cannot be the prefix of names in a C header: use a letter, "
                                           "then letters, digits and '_', at most 40");
    return {};
}

}  // namespace

ExportFile textFile(std::string name, const std::string& text) {
    return {std::move(name), {text.begin(), text.end()}};
}

Result<const ExportFile*> findFile(std::span<const ExportFile> files, const std::string& name) {
    const auto found =
        std::find_if(files.begin(), files.end(), [&](const ExportFile& file) { return file.name == name; });
    if (found == files.end()) return fail("'" + name + "' is missing");
    return &*found;
}

Json toJson(const TargetOptions& options) {
    return {{"profile", options.profile},       {"with_value", options.with_value},
            {"licence", options.licence},       {"prefix", options.prefix},
            {"written_by", options.written_by}, {"environment_version", options.environment_version}};
}

Result<TargetOptions> targetOptionsFromJson(const Json& json) try {
    TargetOptions options;
    json.at("profile").get_to(options.profile);
    json.at("with_value").get_to(options.with_value);
    json.at("licence").get_to(options.licence);
    // Exports of earlier versions lack these members; their files are compared with files written with the
    // current defaults.
    options.prefix = json.value("prefix", options.prefix);
    options.written_by = json.value("written_by", options.written_by);
    options.environment_version = json.value("environment_version", options.environment_version);
    // Earlier versions accepted words that are reserved in C++ only.
    SEEDBED_TRY(checkPrefix(options.prefix));
    return options;
} catch (const Json::exception&) {
    return fail(ErrorCode::config, "the options of this export are malformed");
}

Result<> checkTargetOptions(const TargetOptions& options) {
    SEEDBED_TRY(checkPrefix(options.prefix));
    // The example declares `static <prefix> p` and main().
    if (isReservedInC(options.prefix) || options.prefix == "p" || options.prefix == "main")
        return fail(ErrorCode::config, "'" + options.prefix +
                                           "' cannot be the prefix of names in a C header: C or C++ reserves "
                                           "it, or the example uses it; choose another word");
    return {};
}

Registry<ExportTarget>& exportTargetRegistry() {
    static Registry<ExportTarget> registry;
    return registry;
}

std::vector<const ExportTarget*> exportTargets() {
    std::vector<const ExportTarget*> targets;
    for (const std::string& id : exportTargetRegistry().ids())
        targets.push_back(exportTargetRegistry().find(id));
    std::stable_sort(targets.begin(), targets.end(),
                     [](const ExportTarget* a, const ExportTarget* b) { return a->order < b->order; });
    return targets;
}

Json toJson(const ExportTarget& target) {
    Json options = Json::array();
    for (const ExportOption& option : target.options) options.push_back(toJson(option));
    for (const ExportOption& option : commonExportOptions()) options.push_back(toJson(option));
    return {{"id", target.id},       {"aliases", target.aliases},
            {"title", target.title}, {"sentence", target.sentence},
            {"files", target.files}, {"options", options}};
}

const ExportOption& exportOption(const std::string& id) {
    const auto find = [&](const std::vector<ExportOption>& options) -> const ExportOption* {
        for (const ExportOption& option : options)
            if (option.id == id) return &option;
        return nullptr;
    };
    const ExportOption* found = find(commonExportOptions());
    for (const ExportTarget* target : exportTargets())
        if (found == nullptr) found = find(target->options);
    SEEDBED_CHECK(found != nullptr, id);
    return *found;
}

}  // namespace seedbed
