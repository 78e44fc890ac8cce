// SPDX-License-Identifier: Apache-2.0
// The training doctor on the command line.
#include "app/commands/run_findings.hpp"

#include <algorithm>
#include <cstdio>

#include "core/analysis/load_run.hpp"
#include "core/analysis/run_settings.hpp"
#include "core/env/env_registry.hpp"

namespace seedbed::app {
namespace {

// The environment of a run; empty when this program does not have it any more.
std::optional<EnvSpec> envOf(const Json& config) {
    Json params = config.value("env", Json::object());
    const EnvEntry* entry = envRegistry().find(params.value("id", ""));
    if (entry == nullptr) return std::nullopt;
    params.erase("id");
    return entry->spec(params);
}

// The command that starts a new run with the finding's change.
std::string commandFor(const RunDetails& details, const Finding& finding) {
    return finding.settings.empty() ? "" : trainCommand(details.config, finding.settings);
}

}  // namespace

Result<int> diagnoseRun(const std::string& name, const Context& context) {
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    SEEDBED_ASSIGN(const RunId id, reader.resolveRun(name));
    SEEDBED_ASSIGN(const RunDetails details, reader.details(id));
    SEEDBED_ASSIGN(RunView view, loadView(reader, id));
    if (const auto env = envOf(details.config)) {
        view.horizon = env->horizon, view.random_return = env->random_return;
        view.discrete_actions = std::all_of(env->spaces.actions.begin(), env->spaces.actions.end(),
                                            [](const ActionLeaf& leaf) { return leaf.kind == ActionLeaf::Kind::discrete; });
        view.reference_score = env->solved;
        if (!view.reference_score && !env->references.empty()) view.reference_score = env->references.front().score;
    }
    const std::vector<Finding> findings = diagnose(view);
    if (context.json) {
        Json list = Json::array();
        for (const Finding& f : findings)
            list.push_back({{"rule", f.rule},
                            {"severity", nameOf(f.severity)},
                            {"title", f.title},
                            {"evidence", f.evidence},
                            {"cause", f.cause},
                            {"remedy", f.remedy},
                            {"settings", f.settings},
                            {"command", commandFor(details, f)}});
        printJson({{"run", id}, {"findings", list}});
        return kOk;
    }
    if (findings.empty()) std::printf("Nothing unusual in run %lld.\n", static_cast<long long>(id));
    for (const Finding& f : findings) {
        std::printf("%-8s %s\n         evidence: %s\n         likely cause: %s\n         try: %s\n", nameOf(f.severity), f.title.c_str(),
                    f.evidence.c_str(), f.cause.c_str(), f.remedy.c_str());
        if (!f.settings.empty()) std::printf("         as a new run: %s\n", commandFor(details, f).c_str());
    }
    return kOk;
}

}  // namespace seedbed::app
