// SPDX-License-Identifier: Apache-2.0
#include "app/data_extras.hpp"

#include <algorithm>
#include <utility>

#include "core/base/strict_json.hpp"
#include "core/checkpoint/checkpoint_name.hpp"
#include "core/export/import.hpp"
#include "core/policy/bundle.hpp"

namespace seedbed::app {
namespace {

constexpr const char* kEnvironmentsName = "environments.json";
constexpr std::uint64_t kMaxListBytes = 1 << 20;

// The names of the folders of imported policies. Links are ignored.
Result<std::vector<std::string>> policiesIn(FileSystem& files, const Path& data_folder) {
    std::vector<std::string> names;
    SEEDBED_ASSIGN(const auto folder, files.info(policiesFolder(data_folder)));
    if (!folder || folder->is_link || folder->kind != FileInfo::Kind::folder) return names;
    SEEDBED_ASSIGN(const auto entries, files.list(policiesFolder(data_folder)));
    for (const FileInfo& entry : entries)
        if (entry.kind == FileInfo::Kind::folder && !entry.is_link && !entry.name.starts_with('.'))
            names.push_back(entry.name);
    return names;
}

Result<> copyPolicy(FileSystem& files, const Path& source, const std::string& name, const Path& to) {
    const Path target = policiesFolder(to) / name;
    SEEDBED_ASSIGN(const auto existing, files.info(target));
    if (!existing) {
        SEEDBED_TRY(makeFolders(files, target.parent_path()));
        return importPolicy(files, {source, name, to}).map([](const ImportedPolicy&) {});
    }
    const auto here = loadPolicy(files, target), there = loadPolicy(files, source);
    if (here && there && here->network.params.sha256() == there->network.params.sha256()) return {};
    return fail("a different policy named '" + name + "' exists; 'seedbed import " + source.string() +
                " --name NAME' imports this one under another name");
}

Result<> copyPolicies(FileSystem& files, const Path& from, const Path& to, const std::stop_token& stop,
                      ExtrasReport& report) {
    const auto names = policiesIn(files, from);
    if (!names) {
        report.not_copied.push_back("policies: " + names.error().text());
        return {};
    }
    for (const std::string& name : *names) {
        if (stop.stop_requested())
            return fail(ErrorCode::interrupted, "interrupted while policies were copied");
        SEEDBED_ASSIGN(const auto existing, files.info(policiesFolder(to) / name));
        const Result<> copied = copyPolicy(files, policiesFolder(from) / name, name, to);
        if (!copied) report.not_copied.push_back("policy '" + name + "': " + copied.error().text());
        else if (!existing) report.policies.push_back(name);
    }
    return {};
}

// Reads a JSON array of objects, each with the strings "title" and "env".
Result<Json> readList(FileSystem& files, const Path& data_folder) {
    const Path file = data_folder / kEnvironmentsName;
    SEEDBED_ASSIGN(const auto there, files.info(file));
    if (!there) return Json::array();
    SEEDBED_ASSIGN(const std::string text, readFile(files, file, kMaxListBytes));
    Json list = parseStrictJson(text);
    const auto is_text = [](const Json& entry, const char* key) {
        return entry.contains(key) && entry[key].is_string();
    };
    const bool good = list.is_array() && std::all_of(list.begin(), list.end(), [&](const Json& entry) {
                          return entry.is_object() && is_text(entry, "title") && is_text(entry, "env");
                      });
    if (good) return list;
    return fail("'" + file.string() + "' is not a list of environments");
}

Result<> copyEnvironments(FileSystem& files, const Path& from, const Path& to, bool trust,
                          ExtrasReport& report) {
    const auto offered = readList(files, from);
    if (!offered) {
        report.not_copied.push_back(offered.error().text());
        return {};
    }
    auto readable = readList(files, to);
    if (!readable) {
        report.not_copied.push_back(readable.error().text());
        return {};
    }
    Json list = std::move(*readable);
    for (const Json& entry : *offered) {
        const auto known = std::find_if(list.begin(), list.end(),
                                        [&](const Json& one) { return one["title"] == entry["title"]; });
        if (known != list.end()) {
            if (*known != entry)
                report.not_copied.push_back("the environment '" + entry["title"].get<std::string>() +
                                            "': there is already a different one with this title");
            continue;
        }
        (trust ? report.environments : report.untrusted).push_back(entry["title"].get<std::string>());
        if (trust) list.push_back(entry);
    }
    if (report.environments.empty()) return {};
    return writeFileAtomically(files, to / kEnvironmentsName,
                               list.dump(4, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

Result<ExtrasReport> copyExtras(FileSystem& files, const Path& from, const Path& to, bool trust,
                                const std::stop_token& stop) {
    ExtrasReport report;
    SEEDBED_TRY(copyPolicies(files, from, to, stop, report));
    SEEDBED_TRY(copyEnvironments(files, from, to, trust, report));
    return report;
}

}  // namespace seedbed::app
