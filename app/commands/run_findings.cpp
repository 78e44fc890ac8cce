// SPDX-License-Identifier: Apache-2.0
// Prints the findings of core/analysis about a run.
#include "app/commands/run_findings.hpp"

#include <algorithm>
#include <cstdio>

#include "app/changed_settings.hpp"
#include "app/configuration.hpp"
#include "app/run_names.hpp"
#include "core/analysis/load_run.hpp"
#include "core/analysis/run_settings.hpp"
#include "core/env/env_registry.hpp"
#include "core/env/return_range.hpp"

namespace seedbed::app {
namespace {

// Adds the facts about the environment; adds nothing if this version does not have it.
void addEnvironment(RunView& view) {
    Json params = view.config.value("env", Json::object());
    const EnvEntry* entry = envRegistry().find(params.value("id", ""));
    if (entry == nullptr) return;
    params.erase("id");
    const auto spec = entry->spec(params);
    if (!spec) return;
    const EnvSpec& env = *spec;
    view.horizon = env.horizon;
    // The environment's random return is that of self-play.
    const Json opponent = valueAt(view.config, "eval.opponent");
    if (!opponent.is_string() || opponent == "") view.random_return = env.random_return;
    if (const auto range = returnRange(view.config.value("env", Json()))) view.best_possible = range->second;
    view.reward_low = env.reward_low;
    view.reward_high = env.reward_high;
    view.actions = env.spaces.actions;
    view.discrete_actions =
        std::all_of(env.spaces.actions.begin(), env.spaces.actions.end(),
                    [](const ActionLeaf& leaf) { return leaf.kind == ActionLeaf::Kind::discrete; });
    view.goal = env.solved;
    view.reference_score = env.solved;
    if (!view.reference_score && !env.references.empty()) view.reference_score = env.references.front().score;
}

// Adds the preset's goal and settings. A goal that the user set takes precedence over the preset's.
void addBase(RunView& view, const std::string& preset, PresetDifference& presets) {
    view.base = presets.baseOf(view.config, preset);
    view.preset = preset;
    const std::string env = valueAt(view.config, "env.id").is_string() ? valueAt(view.config, "env.id") : "";
    if (const auto library = presetLibrary()) {
        if (const Preset* usual = library->defaultFor(env)) view.env_preset = usual->name;
        const auto own = library->get(preset.empty() || preset == "none" ? view.env_preset : preset);
        if (own) {
            if ((*own)->isSolved()) view.goal = (*own)->expected_score;
            if (!view.reference_score) view.reference_score = (*own)->reference_score;
        }
    }
    const Json target = valueAt(view.config, "run.target_return");
    if (target.is_number() && target.get<double>() > RunSettings::kNoTarget) view.goal = target.get<double>();
}

// The command that applies a finding; "" if it proposes neither a change nor resuming.
std::string commandFor(const Finding& finding, const RunView& view, const ChangedSettings& settings,
                       std::uint64_t seed) {
    if (finding.settings.empty() && !finding.resume) return "";
    if (finding.rule == "goal_missed" && finding.settings.contains("preset")) {
        // `train ENV` uses the default preset for everything except the task and the seed.
        std::vector<std::pair<std::string, std::string>> options;
        if (seed != static_cast<std::uint64_t>(RunSettings().seed))
            options.emplace_back("seed", std::to_string(seed));
        for (const ChangedSetting& setting : settings.changed)
            if (setting.key.starts_with("env."))
                options.emplace_back(setting.key, settingText(setting.value));
        return trainCommand(valueAt(view.config, "env.id").get<std::string>(), options);
    }
    if (!finding.resume) return commandLike(view.config, settings, finding.settings, seed);
    std::string command = "seedbed resume " + std::to_string(view.id);
    for (const auto& [key, value] : finding.settings.items())
        command += (key == "run.steps" ? " --steps" : " --" + key) + " " + settingText(value);
    return command;
}

// "actor.num_envs 8 -> 16"
std::string changeText(const Json& config, const Json& change) {
    std::string text;
    for (const auto& [key, value] : change.items()) {
        const Json before = valueAt(config, key);
        text += (text.empty() ? "" : ", ") + key + " " +
                (before.is_null() ? "" : settingText(before) + " -> ") + settingText(value);
    }
    return text;
}

}  // namespace

Result<int> diagnoseRun(const std::string& name, const Context& context) {
    SEEDBED_ASSIGN(StoreReader reader, openRuns(context));
    SEEDBED_ASSIGN(const RunId id, reader.resolveRun(name));
    SEEDBED_ASSIGN(const RunDetails details, reader.details(id));
    SEEDBED_ASSIGN(RunView view, loadView(reader, id));
    PresetDifference presets;
    const ChangedSettings settings = presets.of(details.config, presetOf(details.auto_settings));
    addEnvironment(view);
    addBase(view, settings.preset, presets);
    std::vector<Finding> findings = diagnose(view);
    for (Finding& f : findings) f.command = commandFor(f, view, settings, details.run.seed);
    if (context.json) {
        Json list = Json::array();
        for (const Finding& f : findings) list.push_back(toJson(f));
        printJson({{"run", id}, {"findings", list}});
        return kOk;
    }
    if (findings.empty()) std::printf("No problems found in run %lld.\n", static_cast<long long>(id));
    for (const Finding& f : findings) {
        std::printf("%-8s %s\n         evidence: %s\n         likely cause: %s\n", nameOf(f.severity),
                    f.title.c_str(), f.evidence.text().c_str(), f.cause.c_str());
        if (f.remedy.empty()) continue;
        std::printf("         try: %s\n", f.remedy.c_str());
        if (!f.settings.empty())
            std::printf("         change: %s\n", changeText(details.config, f.settings).c_str());
        if (!f.command.empty())
            std::printf("         %s: %s\n", f.resume ? "resume" : "as a new run", f.command.c_str());
        // If a single run has stalled, the cause may be its seed.
        if (f.rule == "stalled")
            std::printf("         another seed: %s\n",
                        commandLike(details.config, settings, Json::object(), details.run.seed + 1).c_str());
    }
    return kOk;
}

}  // namespace seedbed::app
