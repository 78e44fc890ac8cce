// SPDX-License-Identifier: Apache-2.0
#include "core/run/resume.hpp"

#include <algorithm>
#include <utility>

#include "core/analysis/run_settings.hpp"
#include "core/analysis/setting_history.hpp"
#include "core/base/text.hpp"
#include "core/run/build_info.hpp"
#include "core/run/env_file.hpp"

namespace seedbed {
namespace {

// Settings of the machine (hardware, threads, folders) may change between processes.
constexpr std::pair<const char*, const char*> kMachineSettings[] = {
    {"run", "threads"},     {"run", "device"},    {"run", "engine"}, {"run", "inference"},
    {"run", "tensorboard"}, {"actor", "threads"}, {"actor", "fleet"}};

Result<std::vector<std::uint8_t>> takeFile(LoadedCheckpoint& checkpoint, const std::string& name) {
    for (CheckpointFile& file : checkpoint.data.files)
        if (file.name == name) return std::move(file.bytes);
    return fail("cannot resume from '" + checkpoint.info.folder.string() + "': " + name + " is missing");
}

}  // namespace

bool isState(std::string_view file) {
    return file == kSessionFile || file == kWindowsFile || file == kCountersFile || file == kRowsFile;
}

bool hasFile(const LoadedCheckpoint& checkpoint, const std::string& file) {
    const auto& files = checkpoint.data.files;
    return std::any_of(files.begin(), files.end(),
                       [&](const CheckpointFile& stored) { return stored.name == file; });
}

Result<Json> storedConfig(Json document) {
    // Runs stored before this setting existed chose actions in the environment's units.
    const Json::json_pointer scaled("/network/scale_actions");
    if (document.contains("network") && document["network"].is_object() && !document.contains(scaled))
        document[scaled] = false;
    return runConfigSchema().complete(document);
}

Result<TrainingConfig> changedConfig(const Json& document,
                                     const std::vector<std::pair<std::string, std::string>>& settings) {
    const ConfigSchema& schema = runConfigSchema();
    SEEDBED_ASSIGN(Json before, storedConfig(document));
    Json after = before;
    for (const auto& [key, text] : settings) SEEDBED_TRY(schema.set(after, key, text));
    SEEDBED_ASSIGN(after, schema.complete(after));
    for (const auto& [section, name] : kMachineSettings) before[section][name] = after[section][name];
    SEEDBED_TRY(schema.checkLiveChanges(before, after));
    return parseTrainingConfig(after);
}

std::string changesText(const Json& changes) {
    std::vector<std::string> names;
    for (const auto& [key, sides] : changes.items())
        names.push_back(key + " " + sides[0].dump() + " -> " + sides[1].dump());
    return join(names, ", ");
}

std::string differentSettingsText(const Json& since_checkpoint, const Json& changes) {
    Json given = Json::object(), kept = Json::object();
    std::string options;
    for (const auto& [key, sides] : since_checkpoint.items()) {
        // null: only one of the two versions has this setting.
        if (sides[0].is_null() || sides[1].is_null()) continue;
        if (!affectsLearning({.key = key, .old_value = sides[0], .new_value = sides[1]})) continue;
        (changes.contains(key) ? given : kept)[key] = sides;
        if (!changes.contains(key))
            options += (options.empty() ? "--" : " --") + key + " " + settingText(sides[0]);
    }
    std::vector<std::string> parts;
    if (!given.empty()) parts.push_back(changesText(given));
    if (!kept.empty())
        parts.push_back(changesText(kept) +
                        " (changed in this run after the checkpoint was saved; resume with '" + options +
                        "' to use the checkpoint's)");
    return join(parts, ", ");
}

Json exactnessFacts(const SessionPlan& plan) {
    const ProcessInfo process = processInfo(plan.threads);
    return {{"build", process.build + " " + buildId()},
            {"instruction_set", process.other.value("instruction_set", "")},
            {"engine", plan.engine.id},
            {"device", plan.config.run.device},
            {"schedule", plan.config.run.schedule}};
}

std::string inexactReason(const Json& facts_then, const Json& facts_now) {
    if (facts_now.value("schedule", "") != "sync") return "the async schedule depends on timing";
    if (!facts_then.is_object()) return "the checkpoint does not record which build saved it";
    std::vector<std::string> different;
    for (const auto& [name, value] : facts_now.items()) {
        const Json then = facts_then.value(name, Json());
        if (then == value) continue;
        const bool is_file = name == kEnvFileFact;
        if (is_file && then.is_null()) continue;  // checkpoints of earlier versions do not contain the hash
        different.push_back(is_file ? "the file of the environment has changed"
                                    : name + " was " +
                                          (then.is_string() ? then.get<std::string>() : then.dump()) +
                                          " and is " + value.get<std::string>());
    }
    return join(different, ", ");
}

Result<> checkHasState(const LoadedCheckpoint& checkpoint, std::int64_t run) {
    if (hasFile(checkpoint, kSessionFile) && hasFile(checkpoint, kCountersFile)) return {};
    const std::string id = std::to_string(run);
    return fail(ErrorCode::config, "run " + id +
                                       " was imported without its training state: 'seedbed db import "
                                       "--trust FOLDER' adds it, or start a new run from the weights "
                                       "with 'seedbed train ENV --init-from " +
                                       id + "'");
}

namespace {

// The newest checkpoint before `step` that can be read and contains training state.
std::optional<LoadedCheckpoint> olderCheckpoint(const CheckpointStore& folder, std::int64_t step) {
    const auto complete = folder.list();
    if (!complete) return std::nullopt;
    for (auto info = complete->rbegin(); info != complete->rend(); ++info) {
        if (info->step >= step) continue;
        auto loaded = folder.load(std::to_string(info->step));
        if (loaded && hasFile(*loaded, kSessionFile) && hasFile(*loaded, kCountersFile))
            return std::move(*loaded);
    }
    return std::nullopt;
}

}  // namespace

Error withOlderCheckpoint(Error error, const CheckpointStore& folder, std::int64_t run, std::int64_t step) {
    if (error.code != ErrorCode::failure) return error;
    if (const auto older = olderCheckpoint(folder, step))
        error.message += "; 'seedbed resume " + std::to_string(run) + ":" + std::to_string(older->info.step) +
                         "' resumes from an older checkpoint";
    return error;
}

Result<LoadedCheckpoint> checkpointToReturnTo(const CheckpointStore& folder, std::uint64_t updates) {
    const auto newest = folder.find();
    if (newest && newest->updates == static_cast<std::int64_t>(updates))
        if (auto older = olderCheckpoint(folder, newest->step)) return std::move(*older);
    return folder.load();
}

namespace {

// Checks that the checkpoint `name` has the learner's networks.
Result<> checkNetworks(const std::vector<NamedNetwork>& networks, const std::string& name, Learner& learner) {
    if (networks.size() != learner.networkCount())
        return fail(name + " contains " + std::to_string(networks.size()) + " networks, but the run has " +
                    std::to_string(learner.networkCount()));
    for (std::size_t i = 0; i < networks.size(); ++i) {
        const NamedNetwork& network = networks[i];
        if (network.name != learner.network(i).name || !(network.spec == learner.networkPlan(i).spec))
            return fail("network '" + network.name + "' in " + name + " differs from the run's");
    }
    return {};
}

// Sets the learner's parameters to the parameters of the checkpoint `name`, and releases the checkpoint's
// copy.
Result<> restoreNetworks(std::vector<NamedNetwork>& networks, const std::string& name,
                         const RunCounters& counters, Learner& learner) {
    SEEDBED_TRY(checkNetworks(networks, name, learner));
    if (counters.versions.size() != networks.size())
        return fail(name + " has the versions of " + std::to_string(counters.versions.size()) +
                    " networks, but the run has " + std::to_string(networks.size()));
    for (std::size_t i = 0; i < networks.size(); ++i) {
        const NamedNetwork& network = networks[i];
        const auto blob = network.params.blob();
        // Before the first update the parameters are already equal, and setting them would count as a
        // publication.
        const Params now = learner.params(i);
        if (now.version() == counters.versions[i] &&
            std::equal(blob.begin(), blob.end(), now.blob().begin(), now.blob().end()))
            continue;
        learner.setParams(i,
                          network.params.version() == counters.versions[i]
                              ? network.params
                              : Params(std::vector<float>(blob.begin(), blob.end()), counters.versions[i]));
    }
    networks.clear();
    return {};
}

}  // namespace

Result<> restore(LoadedCheckpoint& checkpoint, Session& session, RunCounters& counters) {
    const std::string name = "'" + checkpoint.info.folder.string() + "'";
    {
        SEEDBED_ASSIGN(auto bytes, takeFile(checkpoint, kCountersFile));
        Archive archive = Archive::loading(std::move(bytes));
        SEEDBED_TRY(counters.archive(archive));
    }
    SEEDBED_TRY(restoreNetworks(checkpoint.data.networks, name, counters, session.learner()));
    SEEDBED_ASSIGN(auto bytes, takeFile(checkpoint, kSessionFile));
    Archive archive = Archive::loading(std::move(bytes));
    const bool with_windows = session.hasOpenWindows() && hasFile(checkpoint, kWindowsFile);
    Archive windows = Archive::loading({});
    if (with_windows) {
        SEEDBED_ASSIGN(auto open, takeFile(checkpoint, kWindowsFile));
        windows = Archive::loading(std::move(open));
    }
    Result<> restored = session.archive(archive, with_windows ? &windows : nullptr);
    if (restored) restored = archive.finish();
    if (restored && with_windows) restored = windows.finish();
    if (!restored)
        return tl::unexpected<Error>(std::move(restored.error()).withContext("resuming from " + name));
    if (session.progress().steps != static_cast<std::uint64_t>(checkpoint.info.step))
        return fail("cannot resume from " + name + ": its state belongs to a different step");
    return {};
}

Result<> takeLearner(LoadedCheckpoint& checkpoint, Session& session) {
    const std::string name = "'" + checkpoint.info.folder.string() + "'";
    SEEDBED_TRY(checkNetworks(checkpoint.data.networks, name, session.learner()));
    std::vector<Params> params;
    for (const NamedNetwork& network : checkpoint.data.networks) params.push_back(network.params);
    SEEDBED_ASSIGN(auto bytes, takeFile(checkpoint, kSessionFile));
    Archive archive = Archive::loading(std::move(bytes));
    if (Result<> taken = session.takeLearner(params, archive); !taken)
        return tl::unexpected<Error>(std::move(taken.error()).withContext("taking the learner of " + name));
    return {};
}

std::optional<ScheduleWarning> checkSchedule(const TrainingConfig& config, std::int64_t run) {
    const Json& algo = config.algo_params;
    if (!algo.is_object() || algo.value("lr_schedule", "") != "linear") return std::nullopt;
    const std::int64_t horizon = algo.value("lr_horizon", std::int64_t{0});
    const std::int64_t goal = config.run.steps;
    // The last update may end slightly beyond the goal.
    if (horizon <= 0 || goal <= horizon) return std::nullopt;
    const double last = algo.value("lr_end", 0.0);
    const std::string option = "--algo.lr_horizon " + std::to_string(goal);
    return ScheduleWarning{
        "the learning rate falls linearly to " + formatNumber(last) + " at step " + formatCount(horizon) +
            " (algo.lr_horizon) and stays there" +
            (last == 0 ? ", so nothing is learned in the steps after it" : "") + "; " +
            (run > 0 ? "to keep learning until step " + formatCount(goal) + ", resume with '" + option + "'"
                     : "add '" + option + "' to learn until the last step"),
        {{"lr_horizon", horizon}, {"goal_steps", goal}, {"final_learning_rate", last}}};
}

}  // namespace seedbed
