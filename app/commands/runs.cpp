// SPDX-License-Identifier: Apache-2.0
// seedbed list, show, metrics: what the database says about runs.
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>

#include "app/command.hpp"
#include "core/base/text.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed::app {
namespace {

Json orNull(const std::optional<double>& value) { return value && std::isfinite(*value) ? Json(*value) : Json(); }

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
    return {{"step", e.step}, {"time", e.time}, {"level", nameOf(e.level)}, {"kind", e.kind}, {"text", e.text}, {"data", e.data}};
}

Json toJson(const ArtifactRecord& a) {
    return {{"step", a.step},   {"time", a.time},     {"kind", a.kind}, {"path", a.path},
            {"bytes", a.bytes}, {"sha256", a.sha256}, {"data", a.data}};
}

Json toJson(const SegmentRecord& s) {
    return {{"number", s.number},     {"begin_step", s.begin_step}, {"started", s.started},         {"pid", s.process.pid},
            {"host", s.process.host}, {"build", s.process.build},   {"threads", s.process.threads}, {"other", s.process.other}};
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

// With a mark where there was no evaluation and the return is that of training episodes.
std::string returnText(const RunRecord& run, const std::optional<double>& value) {
    return (value && run.return_source == "training" ? "~" : "") + returnText(value);
}

constexpr const char* kNoRuns = "No runs yet. 'seedbed train cartpole' makes the first one.\n";

// Which runs `list` shows; by default those that are neither in the bin nor archived.
struct Which {
    bool all = false, archived = false, bin = false;
};

Result<int> listRuns(const Which& which, const Context& context) {
    if (!std::filesystem::exists(context.data_folder) || std::filesystem::is_empty(context.data_folder)) {
        if (context.json) printJson(Json::array());
        else std::fprintf(stderr, "%s", kNoRuns);
        return kOk;
    }
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    SEEDBED_ASSIGN(const std::vector<RunRecord> runs, reader.runs());
    std::vector<RunRecord> shown;
    for (const RunRecord& run : runs)
        if (which.all || (which.bin ? run.in_bin : !run.in_bin && run.archived == which.archived)) shown.push_back(run);
    if (context.json) {
        printJson(toJsonArray(shown));
        return kOk;
    }
    std::vector<std::vector<std::string>> rows{{"ID", "NAME", "ENV", "ALGO", "SEED", "STATUS", "STEPS", "BEST", "LAST", "CREATED"}};
    for (const RunRecord& run : shown)
        rows.push_back({std::to_string(run.id), run.name, run.env, run.algo, std::to_string(run.seed), nameOf(run.status),
                        formatCount(run.progress.steps), returnText(run, run.best_return), returnText(run, run.last_return),
                        timeText(run.created)});
    if (shown.empty()) std::fprintf(stderr, "%s", kNoRuns);
    else printTable(rows);
    return kOk;
}

Result<int> showRun(const std::string& name, const Context& context) {
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    SEEDBED_ASSIGN(const RunId id, reader.resolveRun(name));
    SEEDBED_ASSIGN(const RunDetails details, reader.details(id));
    const RunRecord& run = details.run;
    if (context.json) {
        Json json = toJson(run);
        json["status_text"] = run.status_text;
        json["train_seconds"] = run.progress.train_seconds;
        json["updates"] = run.progress.updates;
        json["return_source"] = run.return_source.empty() ? Json() : Json(run.return_source);
        json["notes"] = run.notes, json["star"] = run.star, json["archived"] = run.archived, json["in_bin"] = run.in_bin;
        json["config"] = details.config;
        json["devices"] = details.devices;
        json["engine"] = details.engine;
        json["auto"] = details.auto_settings;
        json["params_sha256"] = details.params_sha256;
        json["checkpoints"] = toJsonArray(details.checkpoints);
        json["evaluations"] = toJsonArray(details.evaluations);
        json["events"] = toJsonArray(details.events);
        json["artifacts"] = toJsonArray(details.artifacts);
        json["segments"] = toJsonArray(details.segments);
        printJson(json);
        return kOk;
    }
    std::printf("run        %lld%s%s\nenv        %s\nalgorithm  %s, seed %llu\nstatus     %s%s%s\n", static_cast<long long>(run.id),
                run.name.empty() ? "" : " ", run.name.c_str(), run.env.c_str(), run.algo.c_str(), static_cast<unsigned long long>(run.seed),
                nameOf(run.status), run.status_text.empty() ? "" : ": ", run.status_text.c_str());
    std::printf("steps      %s in %s of training\n", formatCount(run.progress.steps).c_str(),
                formatDuration(run.progress.train_seconds).c_str());
    std::printf("return     best %s, last %s%s\n", returnText(run.best_return).c_str(), returnText(run.last_return).c_str(),
                run.return_source == "training" ? " (of training episodes: there was no evaluation)" : "");
    std::printf("created    %s\nengine     %s on %s\n", timeText(run.created).c_str(), details.engine.c_str(),
                details.devices.empty() ? "cpu" : details.devices[0].get<std::string>().c_str());
    for (const auto& [key, value] : details.auto_settings.items())
        if (value.is_object())
            std::printf("%-10s %s (%s)\n", key.c_str(), value.value("value", Json()).dump().c_str(), value.value("why", "").c_str());
    std::printf("params     %s\n", details.params_sha256.c_str());
    for (const EvaluationRecord& e : details.evaluations)
        std::printf("evaluation step %s: %s +- %s over %zu %s episodes, 95 %% interval [%s, %s]\n", formatCount(e.step).c_str(),
                    returnText(e.mean).c_str(), returnText(e.std).c_str(), e.episodes.size(), e.greedy ? "greedy" : "sampled",
                    returnText(e.ci95_low).c_str(), returnText(e.ci95_high).c_str());
    for (const CheckpointRecord& c : details.checkpoints)
        if (!c.removed)
            std::printf("checkpoint step %s: %s%s%s\n", formatCount(c.step).c_str(), c.folder.c_str(), c.best ? " (best)" : "",
                        c.milestone ? " (milestone)" : "");
    for (const EventRecord& e : details.events)
        std::printf("%-10s step %s: %s\n", nameOf(e.level), formatCount(e.step).c_str(), e.text.c_str());
    std::printf("config     %s\n", details.config.dump().c_str());
    return kOk;
}

Result<int> showMetrics(const std::string& name, std::vector<std::string> names, const Context& context) {
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    SEEDBED_ASSIGN(const RunId id, reader.resolveRun(name));
    if (names.empty()) {
        SEEDBED_ASSIGN(names, reader.metricNames(id));
    }
    Json json = Json::object();
    for (const std::string& metric : names) {
        SEEDBED_ASSIGN(const MetricCurve curve, reader.metric(id, metric));
        Json values = Json::array();
        for (const double value : curve.values) values.push_back(std::isfinite(value) ? Json(value) : Json());
        json[metric] = {{"steps", curve.steps}, {"values", std::move(values)}};
        if (context.json) continue;
        for (std::size_t i = 0; i < curve.steps.size(); ++i)
            std::printf("%s\t%lld\t%s\n", metric.c_str(), static_cast<long long>(curve.steps[i]), formatNumber(curve.values[i]).c_str());
    }
    if (context.json) printJson(json);
    return kOk;
}

SEEDBED_REGISTER_COMMAND(list, {.id = "list",
                                .aliases = {"ls"},
                                .summary = "The runs in the data folder",
                                .examples = {"seedbed list", "seedbed list --json"},
                                .define = [](CLI::App& cli) -> Action {
                                    auto which = std::make_shared<Which>();
                                    cli.add_flag("--all", which->all, "Archived runs and the bin too");
                                    cli.add_flag("--archived", which->archived, "Archived runs only");
                                    cli.add_flag("--bin", which->bin, "The bin only");
                                    return [which](const Context& context) { return listRuns(*which, context); };
                                }});

SEEDBED_REGISTER_COMMAND(show, {.id = "show",
                                .summary = "Everything about one run",
                                .examples = {"seedbed show 1", "seedbed show my-run --json"},
                                .define = [](CLI::App& cli) -> Action {
                                    auto run = std::make_shared<std::string>();
                                    cli.add_option("RUN", *run, "Id or name of the run")->required();
                                    return [run](const Context& context) { return showRun(*run, context); };
                                }});

SEEDBED_REGISTER_COMMAND(metrics, {.id = "metrics",
                                   .summary = "The curves of a run",
                                   .examples = {"seedbed metrics 1 episode/return", "seedbed metrics 1 --json"},
                                   .define = [](CLI::App& cli) -> Action {
                                       auto run = std::make_shared<std::string>();
                                       auto names = std::make_shared<std::vector<std::string>>();
                                       cli.add_option("RUN", *run, "Id or name of the run")->required();
                                       cli.add_option("METRIC", *names, "Names of metrics (default: all)");
                                       return [run, names](const Context& context) { return showMetrics(*run, *names, context); };
                                   }});

}  // namespace
}  // namespace seedbed::app
