// SPDX-License-Identifier: Apache-2.0
// seedbed policies: lists, renames and removes imported policies.
#include <algorithm>
#include <cstdio>
#include <utility>

#include "app/command.hpp"
#include "app/imported_policies.hpp"
#include "core/base/os/temporary_files.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/checkpoint/checkpoint_name.hpp"
#include "core/config/json_text.hpp"
#include "core/export/import.hpp"
#include "core/policy/bundle.hpp"

namespace seedbed::app {
namespace {

// {"source", "imported"}; null if the policy was imported by a version that does not record them.
Json importRecord(FileSystem& files, const Path& folder) {
    const auto read = readJsonFile(files, folder / kImportRecord);
    const Json record = read && read->is_object() ? *read : Json::object();
    return {{"source", record.value("source", Json())}, {"imported", record.value("time", Json())}};
}

Result<int> listPolicies(const Context& context) {
    RealFileSystem files;
    SEEDBED_ASSIGN(const std::vector<std::string> names, importedPolicies(files, context.data_folder));
    Json list = Json::array();
    std::vector<std::vector<std::string>> rows{{"NAME", "ENV", "ALGO", "STEPS", "FOLDER"}};
    std::vector<std::string> damaged;
    for (const std::string& name : names) {
        const Path folder = policiesFolder(context.data_folder) / name;
        const auto bundle = loadPolicy(files, folder);
        if (!bundle) {
            damaged.push_back(bundle.error().text());
            list.push_back({{"name", name}, {"folder", folder.string()}, {"error", bundle.error().text()}});
            list.back().update(importRecord(files, folder));
            rows.push_back({name, "damaged", "", "", folder.string()});
            continue;
        }
        const Provenance& from = bundle->provenance;
        list.push_back({{"name", name},
                        {"folder", folder.string()},
                        {"env", from.env},
                        {"algo", from.algo},
                        {"steps", from.steps},
                        {"evaluation", from.evaluation},
                        {"config", from.config},
                        {"params_sha256", bundle->network.params.sha256()}});
        list.back().update(importRecord(files, folder));
        rows.push_back({name, from.env, from.algo, formatCount(from.steps), folder.string()});
    }
    if (context.json) {
        printJson(list);
        return kOk;
    }
    if (names.empty())
        std::fprintf(stderr, "No imported policies. Import one with 'seedbed import FOLDER'.\n");
    else printTable(rows);
    for (const std::string& reason : damaged) std::fprintf(stderr, "%s\n", reason.c_str());
    return kOk;
}

Result<Path> folderOf(FileSystem& files, const std::string& name, const Context& context) {
    SEEDBED_ASSIGN(const std::vector<std::string> names, importedPolicies(files, context.data_folder));
    if (std::find(names.begin(), names.end(), name) == names.end())
        return fail(ErrorCode::config, "there is no imported policy '" + name + "'" +
                                           suggestion(name, names) + "; 'seedbed policies' lists them");
    return policiesFolder(context.data_folder) / name;
}

Result<int> renamePolicy(const std::string& name, const std::string& wanted, const Context& context) {
    RealFileSystem files;
    SEEDBED_ASSIGN(const Path folder, folderOf(files, name, context));
    SEEDBED_ASSIGN(const std::string chosen, importName({.source = {}, .name = wanted, .data_folder = {}}));
    if (chosen != name) {
        SEEDBED_TRY(requireFreeName(files, context.data_folder, chosen));
        SEEDBED_TRY(files.rename(folder, policiesFolder(context.data_folder) / chosen));
    }
    if (context.json) printJson({{"renamed", name}, {"name", chosen}});
    else if (!context.quiet)
        std::fprintf(stderr, "Renamed the imported policy '%s' to '%s'\n", name.c_str(), chosen.c_str());
    return kOk;
}

Result<int> removePolicy(const std::string& name, const Context& context) {
    RealFileSystem files;
    SEEDBED_ASSIGN(const Path folder, folderOf(files, name, context));
    // Renamed first, so that a partly removed folder is never mistaken for a policy.
    const Path temporary = temporaryPathFor(folder);
    SEEDBED_TRY(files.rename(folder, temporary));
    SEEDBED_TRY(removeTree(files, temporary));
    if (context.json) printJson({{"removed", name}});
    else if (!context.quiet) std::fprintf(stderr, "Removed the imported policy '%s'\n", name.c_str());
    return kOk;
}

SEEDBED_REGISTER_COMMAND(
    policies_rename,
    {.id = "policies rename",
     .summary = "Give an imported policy another name",
     .examples = {"seedbed policies rename friend teacher"},
     .define = [](CLI::App& cli) -> Action {
         auto names = std::make_shared<std::pair<std::string, std::string>>();
         cli.add_option("NAME", names->first, "Name of the policy")->required();
         cli.add_option("NEW_NAME", names->second, "Its new name")->required()->check(notEmpty());
         return
             [names](const Context& context) { return renamePolicy(names->first, names->second, context); };
     }});

SEEDBED_REGISTER_COMMAND(policies_remove,
                         {.id = "policies remove",
                          .aliases = {"policies rm"},
                          .summary = "Delete an imported policy",
                          .examples = {"seedbed policies remove friend"},
                          .define = [](CLI::App& cli) -> Action {
                              auto name = std::make_shared<std::string>();
                              cli.add_option("NAME", *name, "Name of the policy")->required();
                              return [name](const Context& context) { return removePolicy(*name, context); };
                          }});

SEEDBED_REGISTER_COMMAND(
    policies,
    {.id = "policies",
     .summary = "List the imported policies; their names work with eval, play, export and --init-from",
     .examples = {"seedbed policies", "seedbed eval friend"},
     .define = [](CLI::App&) -> Action { return listPolicies; }});

}  // namespace
}  // namespace seedbed::app
