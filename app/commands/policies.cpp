// SPDX-License-Identifier: Apache-2.0
// seedbed policies: lists the imported policies.
#include <cstdio>

#include "app/command.hpp"
#include "app/imported_policies.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/checkpoint/checkpoint_name.hpp"
#include "core/policy/bundle.hpp"

namespace seedbed::app {
namespace {

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
            rows.push_back({name, "damaged", "", "", folder.string()});
            continue;
        }
        const Provenance& from = bundle->provenance;
        list.push_back({{"name", name},
                        {"folder", folder.string()},
                        {"env", from.env},
                        {"algo", from.algo},
                        {"steps", from.steps},
                        {"params_sha256", bundle->network.params.sha256()}});
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

SEEDBED_REGISTER_COMMAND(
    policies,
    {.id = "policies",
     .summary = "List the imported policies; their names work with eval, play, export and --init-from",
     .examples = {"seedbed policies", "seedbed eval friend"},
     .define = [](CLI::App&) -> Action { return listPolicies; }});

}  // namespace
}  // namespace seedbed::app
