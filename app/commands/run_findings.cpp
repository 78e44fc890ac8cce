// SPDX-License-Identifier: Apache-2.0
// Prints the findings of core/analysis about a run.
#include "app/commands/run_findings.hpp"

#include <algorithm>
#include <cstdio>

#include "app/changed_settings.hpp"
#include "core/analysis/load_run.hpp"
#include "core/analysis/run_settings.hpp"
#include "core/env/env_registry.hpp"

namespace seedbed::app {
namespace {

// Returns the environment of a run, or nothing if this version does not have it.
std::optional<EnvSpec> envOf(const Json& config) {
    Json params = config.value("env", Json::object());
    const EnvEntry* entry = envRegistry().find(params.value("id", ""));
    if (entry == nullptr) return std::nullopt;
    params.erase("id");
    return entry->spec(params);
}

// "actor.num_envs 8 -> 16"
std::string changeText(const Json& config, const Json& change) {
    std::string text;
    const Json exact = normalised(config, change);
    for (const auto& [key, value] : exact.items()) {
        const Json before = valueAt(config, key);
        text += (text.empty() ? "" : ", ") + key + " " +
                (before.is_null() ? "" : settingText(before) + " -> ") + settingText(value);
    }
    return text;
}

}  // namespace

Result<int> diagnoseRun(const std::string& name, const Context& context) {
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    SEEDBED_ASSIGN(const RunId id, reader.resolveRun(name));
    SEEDBED_ASSIGN(const RunDetails details, reader.details(id));
    SEEDBED_ASSIGN(RunView view, loadView(reader, id));
    if (const auto env = envOf(details.config)) {
        view.horizon = env->horizon;
        view.random_return = env->random_return;
        view.discrete_actions =
            std::all_of(env->spaces.actions.begin(), env->spaces.actions.end(),
                        [](const ActionLeaf& leaf) { return leaf.kind == ActionLeaf::Kind::discrete; });
        view.reference_score = env->solved;
        if (!view.reference_score && !env->references.empty())
            view.reference_score = env->references.front().score;
    }
    const std::vector<Finding> findings = diagnose(view);
    const ChangedSettings settings = PresetDifference().of(details.config, presetOf(details.auto_settings));
    const auto commandFor = [&](const Finding& finding) {
        return finding.settings.empty() ? "" : commandLike(details.config, settings, finding.settings);
    };
    if (context.json) {
        Json list = Json::array();
        for (const Finding& f : findings)
            list.push_back({{"rule", f.rule},
                            {"severity", nameOf(f.severity)},
                            {"title", f.title},
                            {"evidence", f.evidence.text()},
                            {"cause", f.cause},
                            {"remedy", f.remedy},
                            {"settings", normalised(details.config, f.settings)},
                            {"command", commandFor(f)}});
        printJson({{"run", id}, {"findings", list}});
        return kOk;
    }
    if (findings.empty()) std::printf("Nothing unusual in run %lld.\n", static_cast<long long>(id));
    for (const Finding& f : findings) {
        std::printf("%-8s %s\n         evidence: %s\n         likely cause: %s\n         try: %s\n",
                    nameOf(f.severity), f.title.c_str(), f.evidence.text().c_str(), f.cause.c_str(),
                    f.remedy.c_str());
        if (!f.settings.empty())
            std::printf("         change: %s\n         as a new run: %s\n",
                        changeText(details.config, f.settings).c_str(), commandFor(f).c_str());
        // A single stalled run may be due to its seed.
        if (f.rule == "stalled")
            std::printf("         another seed: %s\n",
                        commandLike(details.config, settings, Json::object(), details.run.seed + 1).c_str());
    }
    return kOk;
}

}  // namespace seedbed::app
