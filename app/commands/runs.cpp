// SPDX-License-Identifier: Apache-2.0
// seedbed list, show: lists runs and shows the details of one.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <optional>
#include <set>

#include "app/changed_settings.hpp"
#include "app/command.hpp"
#include "app/imported_policies.hpp"
#include "app/run_names.hpp"
#include "core/analysis/resume_step.hpp"
#include "core/analysis/run_settings.hpp"
#include "core/analysis/setting_history.hpp"
#include "core/base/os/files.hpp"
#include "core/base/text.hpp"
#include "core/rollout/seat_policies.hpp"
#include "core/run/env_file.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed::app {
namespace {

constexpr std::size_t kShownHash = 12;  // digits

Json orNull(const std::optional<double>& value) {
    return value && std::isfinite(*value) ? Json(*value) : Json();
}

Json orNull(const std::optional<std::int64_t>& value) { return value ? Json(*value) : Json(); }

Json toJson(const RunRecord& run) {
    return {{"id", run.id},
            {"name", run.name},
            {"env", run.env},
            {"algo", run.algo},
            {"seed", run.seed},
            {"status", nameOf(run.status)},
            {"steps", run.progress.steps},
            {"frames", run.progress.frames},
            {"created", run.created},
            {"started", orNull(run.started)},
            {"updated", run.updated},
            {"best_return", orNull(run.best_return)},
            {"last_return", orNull(run.last_return)},
            {"tags", run.tags}};
}

Json toJson(const EvaluationRecord& e) {
    return {{"step", e.step},
            {"time", e.time},
            {"seed", e.seed},
            {"greedy", e.greedy},
            {"n", e.episodes.size()},
            {"mean", e.mean},
            {"std", e.std},
            {"iqm", e.iqm},
            {"ci95", {e.ci95_low, e.ci95_high}},
            {"min", e.min},
            {"max", e.max}};
}

Json toJson(const CheckpointRecord& c) {
    return {{"step", c.step},           {"time", c.time},   {"updates", c.updates},
            {"folder", c.folder},       {"bytes", c.bytes}, {"params_sha256", c.params_sha256},
            {"score", orNull(c.score)}, {"best", c.best},   {"milestone", c.milestone},
            {"removed", c.removed}};
}

Json toJson(const EventRecord& e) {
    return {{"step", e.step}, {"time", e.time}, {"level", nameOf(e.level)},
            {"kind", e.kind}, {"text", e.text}, {"data", e.data}};
}

Json toJson(const ArtifactRecord& a) {
    return {{"step", a.step},   {"time", a.time},     {"kind", a.kind}, {"path", a.path},
            {"bytes", a.bytes}, {"sha256", a.sha256}, {"data", a.data}};
}

Json toJson(const SegmentRecord& s) {
    return {{"number", s.number},           {"begin_step", s.begin_step}, {"started", s.started},
            {"pid", s.process.pid},         {"host", s.process.host},     {"build", s.process.build},
            {"threads", s.process.threads}, {"other", s.process.other}};
}

Json toJson(const SettingChange& change) {
    return {{"step", change.step},     {"time", change.time},     {"key", change.key},
            {"old", change.old_value}, {"new", change.new_value}, {"source", nameOf(change.source)}};
}

template <class T>
Json toJsonArray(const std::vector<T>& items) {
    Json array = Json::array();
    for (const T& item : items) array.push_back(toJson(item));
    return array;
}

std::string timeText(double wall) {
    const auto seconds = static_cast<std::time_t>(wall);
    std::tm local{};
    localtime_r(&seconds, &local);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &local);
    return text;
}

std::string returnText(const std::optional<double>& value) {
    char text[32];
    if (!value) return "-";
    std::snprintf(text, sizeof text, "%.4g", *value);
    return text;
}

// Formats a return, with "~" if it is from training episodes because the run has no evaluation.
std::string returnText(const RunRecord& run, const std::optional<double>& value) {
    return (value && run.return_source == "training" ? "~" : "") + returnText(value);
}

// Selects the runs that `list` shows; by default, those that are neither in the trash nor archived.
struct Filter {
    bool all = false, archived = false, trash = false, star = false;
    std::vector<std::string> tags;  // only runs that have all of these
    std::string env;
    std::string sort = "id";
    int limit = 0;  // 0: all

    bool shows(const RunRecord& run) const {
        if (!env.empty() && run.env != env) return false;
        if (!all && (trash ? !run.in_trash : run.in_trash || run.archived != archived)) return false;
        return (!star || run.star) && std::all_of(tags.begin(), tags.end(), [&](const std::string& tag) {
                   return std::find(run.tags.begin(), run.tags.end(), tag) != run.tags.end();
               });
    }
};

// The word for a run's status: "stopped" if a user stopped it, as 'seedbed stop' reports it.
std::string statusWord(const RunRecord& run) {
    return run.status == RunStatus::interrupted && run.status_text == kStoppedOnRequest ? "stopped"
                                                                                        : nameOf(run.status);
}

// "paused: the computer runs on battery": the status, for a run in progress with its reason.
std::string statusInList(const RunRecord& run) {
    return statusWord(run) + (isLive(run.status) && !run.status_text.empty() ? ": " + run.status_text : "");
}

// Sorts the best values first and runs without a value last.
void sortRuns(std::vector<RunRecord>& runs, const std::string& by) {
    const auto value = [&](const RunRecord& run) {
        if (by == "best") return run.best_return.value_or(-INFINITY);
        if (by == "last") return run.last_return.value_or(-INFINITY);
        if (by == "steps") return static_cast<double>(run.progress.steps);
        return run.started.value_or(run.created);
    };
    if (by == "id") return;
    std::stable_sort(runs.begin(), runs.end(), [&](const RunRecord& a, const RunRecord& b) {
        return by == "name" ? a.name < b.name : by == "env" ? a.env < b.env : value(a) > value(b);
    });
}

// The settings of a run that differ from its preset, with their values over time.
Result<ChangedSettings> settingsOverTime(StoreReader& reader, const RunRecord& run,
                                         PresetDifference& difference, std::vector<SettingChange>& changes) {
    SEEDBED_ASSIGN(const auto config, reader.configOf(run.id));
    SEEDBED_ASSIGN(changes, reader.settingChanges(run.id));
    const Json original = originalConfig(config.first, changes);
    ChangedSettings settings = difference.of(original, presetOf(config.second));
    if (changes.empty()) return settings;
    const Json over_time = configOverTime(config.first, changes);
    std::set<std::string> changed;
    for (const SettingChange& change : changes)
        if (affectsLearning(change)) changed.insert(change.key);
    for (const std::string& key : changed) {
        const auto known = std::find_if(settings.changed.begin(), settings.changed.end(),
                                        [&](const ChangedSetting& one) { return one.key == key; });
        if (known != settings.changed.end()) known->value = valueAt(over_time, key);
        else if (valueAt(over_time, key) != valueAt(original, key))
            settings.changed.push_back({key, Json(), valueAt(over_time, key)});
    }
    return settings;
}

Json listEntry(const RunRecord& run, const ChangedSettings& own, const std::vector<SettingChange>& changes) {
    Json json = toJson(run);
    json["status_text"] = run.status_text;
    json["preset"] = own.preset;
    json["settings"] = Json::object();
    for (const ChangedSetting& setting : own.changed) json["settings"][setting.key] = setting.value;
    json["setting_changes"] = toJsonArray(changes);
    return json;
}

// "star, archived"; "" for an ordinary run.
std::string marksText(const RunRecord& run) {
    std::vector<std::string> marks;
    if (run.star) marks.emplace_back("star");
    if (run.archived) marks.emplace_back("archived");
    if (run.in_trash) marks.emplace_back("in the trash");
    return join(marks, ", ");
}

// Shows the data folder, so that users notice a mistyped --data.
void printNoRuns(const Context& context, bool filtered) {
    if (filtered) std::fprintf(stderr, "No runs match.\n");
    else if (!std::filesystem::exists(context.data_folder))
        std::fprintf(stderr,
                     "No runs yet: the data folder '%s' does not exist. Create it and a first run with "
                     "'seedbed train cartpole'.\n",
                     context.data_folder.c_str());
    else
        std::fprintf(stderr, "No runs yet in '%s'. Create one with 'seedbed train cartpole'.\n",
                     context.data_folder.c_str());
}

// Removes columns that are empty in every row.
void dropEmptyColumns(std::vector<std::vector<std::string>>& rows) {
    for (std::size_t c = rows.front().size(); c-- > 0;) {
        if (std::any_of(rows.begin() + 1, rows.end(), [c](const auto& row) { return !row[c].empty(); }))
            continue;
        for (auto& row : rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(c));
    }
}

// True if the data folder is missing or empty.
Result<bool> isEmptyFolder(const Path& folder) {
    RealFileSystem files;
    SEEDBED_ASSIGN(const auto info, files.info(folder));
    if (!info) return true;
    if (info->kind != FileInfo::Kind::folder) return false;
    SEEDBED_ASSIGN(const auto entries, files.list(folder));
    return entries.empty();
}

void printRuns(const std::vector<RunRecord>& runs,
               const std::vector<std::optional<std::int64_t>>& resume_steps,
               const std::vector<std::string>& changed) {
    std::vector<std::vector<std::string>> rows{{"", "ID", "NAME", "ENV", "ALGO", "SEED", "STATUS", "STEPS",
                                                "BEST", "LAST", "STARTED", "TAGS", "CHANGED"}};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const RunRecord& run = runs[i];
        rows.push_back({run.star ? "*" : "", std::to_string(run.id), run.name, run.env, run.algo,
                        std::to_string(run.seed), statusInList(run),
                        formatCount(run.progress.steps) +
                            (resume_steps[i] ? " (resumes at " + formatCount(*resume_steps[i]) + ")" : ""),
                        returnText(run, run.best_return), returnText(run, run.last_return),
                        run.started ? timeText(*run.started) : "", join(run.tags, ","), changed[i]});
    }
    dropEmptyColumns(rows);
    printTable(rows);
}

// Whether the data folder has no runs and no database.
Result<bool> hasNothing(const Context& context) {
    auto nothing = isEmptyFolder(context.data_folder);
    if (!nothing)
        nothing.error().message +=
            ": the data folder cannot be read; check its permissions, or choose another one with --data";
    return nothing;
}

Result<int> listRuns(const Filter& filter, const Context& context) {
    SEEDBED_ASSIGN(const bool nothing, hasNothing(context));
    if (nothing) {
        if (context.json) printJson(Json::array());
        else printNoRuns(context, false);
        return kOk;
    }
    SEEDBED_ASSIGN(StoreReader reader, openRuns(context));
    SEEDBED_ASSIGN(const std::vector<RunRecord> runs, reader.runs());
    std::vector<RunRecord> shown;
    for (const RunRecord& run : runs)
        if (filter.shows(run)) shown.push_back(run);
    sortRuns(shown, filter.sort);
    const std::size_t all = shown.size();
    if (filter.limit > 0 && all > static_cast<std::size_t>(filter.limit))
        shown.resize(static_cast<std::size_t>(filter.limit));
    if (shown.empty() && !context.json) {
        printNoRuns(context, !runs.empty());
        return kOk;
    }
    PresetDifference difference;
    std::vector<std::pair<std::string, ChangedSettings>> settings;
    Json list = Json::array();
    std::vector<std::optional<std::int64_t>> resume_steps;
    RealFileSystem files;
    for (const RunRecord& run : shown) {
        std::vector<SettingChange> changes;
        SEEDBED_ASSIGN(ChangedSettings own, settingsOverTime(reader, run, difference, changes));
        SEEDBED_ASSIGN(const auto resume_step, resumeStep(files, context.data_folder, run));
        resume_steps.push_back(resume_step);
        if (context.json) {
            list.push_back(listEntry(run, own, changes));
            list.back()["resume_step"] = orNull(resume_steps.back());
        }
        settings.emplace_back(run.env + " " + run.algo, std::move(own));
    }
    if (context.json) {
        const auto changed = distinguishingSettings(settings, false);
        for (std::size_t i = 0; i < list.size(); ++i) list[i]["changed"] = changed[i];
        printJson(list);
        return kOk;
    }
    printRuns(shown, resume_steps, distinguishingTexts(settings, false));
    if (all > shown.size() && !context.quiet)
        std::fprintf(stderr, "%s of %s shown\n", formatCount(static_cast<std::int64_t>(shown.size())).c_str(),
                     countText(static_cast<std::int64_t>(all), "run").c_str());
    SEEDBED_ASSIGN(const std::vector<std::string> policies, importedPolicies(files, context.data_folder));
    if (!policies.empty() && !context.quiet)
        std::fprintf(stderr, "Imported policies (see 'seedbed policies'): %s\n",
                     join(policies, ", ").c_str());
    return kOk;
}

// Prints the values chosen for 'auto' settings, with the reasons.
void printChosen(const RunDetails& details) {
    const Json& chosen = details.auto_settings;
    const auto why = [&](const char* key) {
        const Json value = chosen.is_object() ? chosen.value(key, Json()) : Json();
        const std::string text = value.is_object() ? value.value("why", "") : "";
        return text.empty() ? text : " (" + text + ")";
    };
    std::printf("engine     %s on %s%s\n", details.engine.c_str(),
                details.devices.empty() ? "cpu" : details.devices[0].get<std::string>().c_str(),
                why("engine").c_str());
    for (const auto& [key, value] : chosen.items())
        if (value.is_object() && key != "engine" && key != kEnvFileFact)
            std::printf("%-10s %s%s\n", key.c_str(), settingText(value.value("value", Json())).c_str(),
                        why(key.c_str()).c_str());
    const Json file = chosen.is_object() ? chosen.value(kEnvFileFact, Json()) : Json();
    if (file.is_object())
        std::printf("file       %s (sha256 %s)\n", file.value("path", "").c_str(),
                    file.value("sha256", "").substr(0, kShownHash).c_str());
}

// The policies of a run with several, and their seats: "pursuer (seats 1, 2, 3), evader (seat 4)"; "" with
// one.
std::string policiesText(const Json& config) {
    const auto policies = SeatPolicies::parse(config.value(Json::json_pointer("/policies/seats"), ""));
    std::vector<std::string> texts;
    for (std::size_t policy = 0; policies && policy < policies->names.size(); ++policy) {
        std::vector<std::string> seats;
        for (std::size_t seat = 0; seat < policies->of_seat.size(); ++seat)
            if (policies->of_seat[seat] == policy) seats.push_back(std::to_string(seat + 1));
        texts.push_back(policies->names[policy] + (seats.size() == 1 ? " (seat " : " (seats ") +
                        join(seats, ", ") + ")");
    }
    return join(texts, ", ");
}

// Prints the settings that differ from the preset.
void printSettings(const RunDetails& details) {
    const std::string id = std::to_string(details.run.id);
    const ChangedSettings settings = PresetDifference().of(originalConfig(details.config, details.changes),
                                                           presetOf(details.auto_settings));
    std::printf("settings   %s\n",
                settings.preset == "none" ? "defaults" : ("preset " + settings.preset).c_str());
    for (const ChangedSetting& setting : settings.changed)
        std::printf("           --%s %s%s\n", setting.key.c_str(), settingText(setting.value).c_str(),
                    setting.from.is_null() ? "" : (" (" + settingText(setting.from) + ")").c_str());
    for (const SettingChange& change : details.changes)
        std::printf("changed    at step %s\n", changeText(change).c_str());
    std::printf("           all settings: seedbed show %s --json\n", id.c_str());
}

Json toJson(const RunDetails& details, std::optional<std::int64_t> resume_step) {
    const RunRecord& run = details.run;
    Json json = toJson(run);
    json["resume_step"] = orNull(resume_step);
    json["status_text"] = run.status_text;
    json["train_seconds"] = run.progress.train_seconds;
    json["updates"] = run.progress.updates;
    json["return_source"] = run.return_source.empty() ? Json() : Json(run.return_source);
    json["notes"] = run.notes;
    json["star"] = run.star;
    json["archived"] = run.archived;
    json["in_bin"] = run.in_trash;
    json["config"] = details.config;
    json["original_config"] = originalConfig(details.config, details.changes);
    json["setting_changes"] = toJsonArray(details.changes);
    json["devices"] = details.devices;
    json["engine"] = details.engine;
    json["auto"] = details.auto_settings;
    json["params_sha256"] = details.params_sha256;
    json["checkpoints"] = toJsonArray(details.checkpoints);
    json["evaluations"] = toJsonArray(details.evaluations);
    json["events"] = toJsonArray(details.events);
    json["artifacts"] = toJsonArray(details.artifacts);
    json["segments"] = toJsonArray(details.segments);
    return json;
}

void printDetails(const RunDetails& details, std::optional<std::int64_t> resume_step) {
    const RunRecord& run = details.run;
    std::printf("run        %lld%s%s\nenv        %s\nalgorithm  %s, seed %llu\nstatus     %s%s%s\n",
                static_cast<long long>(run.id), run.name.empty() ? "" : " ", run.name.c_str(),
                run.env.c_str(), run.algo.c_str(), static_cast<unsigned long long>(run.seed),
                statusWord(run).c_str(), run.status_text.empty() ? "" : ": ", run.status_text.c_str());
    std::printf("steps      %s in %s of training%s\n", formatCount(run.progress.steps).c_str(),
                formatDuration(run.progress.train_seconds).c_str(),
                resume_step ? ("; a resume starts at step " + formatCount(*resume_step)).c_str() : "");
    std::printf(
        "return     best %s, last %s%s\n", returnText(run.best_return).c_str(),
        returnText(run.last_return).c_str(),
        run.return_source == "training" ? " (from training episodes; the run has no evaluation)" : "");
    std::printf("created    %s\nstarted    %s\n", timeText(run.created).c_str(),
                run.started ? timeText(*run.started).c_str() : "not yet");
    if (const std::string marks = marksText(run); !marks.empty())
        std::printf("marks      %s\n", marks.c_str());
    if (!run.tags.empty()) std::printf("tags       %s\n", join(run.tags, ", ").c_str());
    if (!run.notes.empty()) std::printf("notes      %s\n", run.notes.c_str());
    if (const std::string policies = policiesText(details.config); !policies.empty())
        std::printf("policies   %s\n", policies.c_str());
    printChosen(details);
    std::printf("params     %s\n", details.params_sha256.c_str());
    for (const EvaluationRecord& e : details.evaluations)
        std::printf("evaluation step %s: %s +- %s over %s, 95 %% interval [%s, %s]\n",
                    formatCount(e.step).c_str(), returnText(e.mean).c_str(), returnText(e.std).c_str(),
                    countText(static_cast<std::int64_t>(e.episodes.size()),
                              e.greedy ? "greedy episode" : "sampled episode")
                        .c_str(),
                    returnText(e.ci95_low).c_str(), returnText(e.ci95_high).c_str());
    for (const CheckpointRecord& c : details.checkpoints)
        if (!c.removed)
            std::printf("checkpoint step %s: %s%s%s\n", formatCount(c.step).c_str(), c.folder.c_str(),
                        c.best ? " (best)" : "", c.milestone ? " (milestone)" : "");
    for (const EventRecord& e : details.events)
        std::printf("%-10s step %s: %s\n", nameOf(e.level), formatCount(e.step).c_str(), e.text.c_str());
    printSettings(details);
}

Result<int> showRun(const std::string& name, const Context& context) {
    SEEDBED_ASSIGN(StoreReader reader, openRuns(context));
    SEEDBED_ASSIGN(const RunId id, reader.resolveRun(name));
    SEEDBED_ASSIGN(RunDetails details, reader.details(id));
    RealFileSystem files;
    SEEDBED_TRY(markMissing(files, context.data_folder, details.checkpoints));
    SEEDBED_ASSIGN(const auto resume_step, resumeStep(files, context.data_folder, details.run));
    if (context.json) printJson(toJson(details, resume_step));
    else printDetails(details, resume_step);
    return kOk;
}

SEEDBED_REGISTER_COMMAND(
    list, {.id = "list",
           .aliases = {"ls"},
           .summary = "List the runs in the data folder",
           .examples = {"seedbed list", "seedbed list --tag paper --star",
                        "seedbed list --env cartpole --sort best --limit 10", "seedbed list --json"},
           .define = [](CLI::App& cli) -> Action {
               auto filter = std::make_shared<Filter>();
               cli.add_flag("--all", filter->all, "Also list archived runs and the trash");
               cli.add_flag("--archived", filter->archived, "List only archived runs");
               cli.add_flag("--trash", filter->trash, "List only the trash");
               cli.add_flag("--bin", filter->trash)->group("");  // the name of --trash in version 0.1
               cli.add_flag("--star", filter->star, "List only starred runs");
               cli.add_option("--tag", filter->tags, "List only runs with this tag (repeatable)")
                   ->type_name("TAG")
                   ->check(notEmpty());
               cli.add_option("--env", filter->env, "List only runs of this environment")
                   ->type_name("ENV")
                   ->check(notEmpty());
               cli.add_option(
                      "--sort", filter->sort,
                      "Order: ascending by id, name or env; descending by steps, best, last or started")
                   ->check(CLI::IsMember({"id", "name", "env", "steps", "best", "last", "started"}))
                   ->capture_default_str();
               cli.add_option("--limit", filter->limit, "List at most this many runs")
                   ->check(CLI::Range(1, 1000000));
               return [filter](const Context& context) { return listRuns(*filter, context); };
           }});

SEEDBED_REGISTER_COMMAND(show, {.id = "show",
                                .summary = "Show the details of a run",
                                .examples = {"seedbed show 1", "seedbed show my-run --json"},
                                .define = [](CLI::App& cli) -> Action {
                                    auto run = std::make_shared<std::string>();
                                    addRunArgument(cli, *run);
                                    return [run](const Context& context) { return showRun(*run, context); };
                                }});

}  // namespace
}  // namespace seedbed::app
