// SPDX-License-Identifier: Apache-2.0
// seedbed metrics: lists a run's curves, prints their points, or writes them for other programs.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "app/command.hpp"
#include "app/run_names.hpp"
#include "core/base/os/files.hpp"
#include "core/base/text.hpp"
#include "core/run/tensorboard/live_events.hpp"
#include "core/store/store_reader.hpp"
#include "core/tensorboard/event_file.hpp"

namespace seedbed::app {
namespace {

// Lists each curve with its number of points and last value.
Result<int> listMetrics(StoreReader& reader, RunId run, const Context& context) {
    SEEDBED_ASSIGN(const std::vector<MetricEnd> metrics, reader.metricEnds(run));
    std::vector<std::vector<std::string>> rows{{"METRIC", "POINTS", "LAST STEP", "LAST"}};
    for (const MetricEnd& metric : metrics) {
        char last[32];
        std::snprintf(last, sizeof last, "%.4g", metric.last_value);
        rows.push_back({metric.name, formatCount(metric.points), formatCount(metric.last_step), last});
    }
    if (metrics.empty()) std::fprintf(stderr, "run %lld has no metrics yet\n", static_cast<long long>(run));
    else printTable(rows);
    if (!metrics.empty() && !context.quiet)
        std::fprintf(
            stderr,
            "'seedbed metrics %lld %s' prints the points of one metric; --all prints those of every metric\n",
            static_cast<long long>(run), metrics.front().name.c_str());
    return kOk;
}

struct MetricsOptions {
    std::string run;
    std::vector<std::string> names;
    bool all = false;
    std::string to;   // "", csv or tensorboard
    std::string out;  // "": standard output
};

Result<std::vector<MetricCurve>> readCurves(StoreReader& reader, RunId run,
                                            const std::vector<std::string>& names) {
    std::vector<MetricCurve> curves;
    for (const std::string& name : names) {
        SEEDBED_ASSIGN(MetricCurve curve, reader.metric(run, name));
        curves.push_back(std::move(curve));
    }
    return curves;
}

// A field of a CSV file (RFC 4180).
std::string csvField(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char letter : text) quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
    return quoted + "\"";
}

std::string csvText(const std::vector<MetricCurve>& curves) {
    std::string text = "metric,step,time,value\n";
    for (const MetricCurve& curve : curves) {
        const std::string name = csvField(curve.name);
        for (std::size_t i = 0; i < curve.steps.size(); ++i) {
            char time[32];
            std::snprintf(time, sizeof time, "%.6f", curve.times[i]);
            text += name + "," + std::to_string(curve.steps[i]) + "," + time + "," +
                    formatNumber(curve.values[i]) + "\n";
        }
    }
    return text;
}

Result<int> writeCsv(const std::vector<MetricCurve>& curves, const MetricsOptions& options) {
    const std::string text = csvText(curves);
    if (options.out.empty()) {
        std::fwrite(text.data(), 1, text.size(), stdout);
        return kOk;
    }
    RealFileSystem files(FileAccess::umask);
    SEEDBED_ASSIGN(const auto existing, files.info(options.out));
    if (existing)
        return fail(ErrorCode::config,
                    "'" + options.out + "' already exists; choose another file with --out");
    SEEDBED_TRY(writeFileAtomically(files, options.out, text));
    return kOk;
}

// One event per step with all values of that step, in order of steps, as during training.
Result<> writeEvents(tensorboard::EventFile& file, const std::vector<MetricCurve>& curves) {
    constexpr std::size_t kFlushBytes = 1 << 20;
    std::map<std::int64_t, std::vector<std::pair<std::size_t, std::size_t>>> at_step;  // curve and point
    for (std::size_t c = 0; c < curves.size(); ++c)
        for (std::size_t i = 0; i < curves[c].steps.size(); ++i)
            at_step[curves[c].steps[i]].push_back({c, i});
    std::vector<tensorboard::NamedValue> values;
    for (const auto& [step, points] : at_step) {
        values.clear();
        double time = 0;
        for (const auto& [c, i] : points) {
            time = std::max(time, curves[c].times[i]);
            values.push_back({curves[c].name, curves[c].values[i]});
        }
        file.addScalars(time, step, values);
        if (file.buffered() >= kFlushBytes) SEEDBED_TRY(file.flush());
    }
    return file.close();
}

Result<int> writeTensorboard(StoreReader& reader, RunId run, const std::vector<MetricCurve>& curves,
                             const MetricsOptions& options, const Context& context) {
    if (options.out.empty()) return fail(ErrorCode::usage, "--to tensorboard needs a folder: --out DIR");
    SEEDBED_ASSIGN(const RunRecord record, reader.run(run));
    double begin = record.created;
    for (const MetricCurve& curve : curves)
        if (!curve.times.empty()) begin = std::min(begin, curve.times.front());
    RealFileSystem files(FileAccess::umask);
    const Path folder = Path(options.out) / eventFolderName(run, record.env, record.algo);
    SEEDBED_ASSIGN(auto file, tensorboard::EventFile::create(files, folder, begin));
    SEEDBED_TRY(writeEvents(file, curves));
    if (context.json) printJson({{"file", file.path().string()}});
    else std::printf("%s\n", file.path().c_str());
    return kOk;
}

void printPoints(const std::vector<MetricCurve>& curves) {
    for (const MetricCurve& curve : curves)
        for (std::size_t i = 0; i < curve.steps.size(); ++i)
            std::printf("%s\t%lld\t%s\n", curve.name.c_str(), static_cast<long long>(curve.steps[i]),
                        formatNumber(curve.values[i]).c_str());
}

void printPointsAsJson(const std::vector<MetricCurve>& curves) {
    Json json = Json::object();
    for (const MetricCurve& curve : curves) {
        Json values = Json::array();
        for (const double value : curve.values) values.push_back(std::isfinite(value) ? Json(value) : Json());
        json[curve.name] = {{"steps", curve.steps}, {"values", std::move(values)}};
    }
    printJson(json);
}

Result<int> showMetrics(const MetricsOptions& options, const Context& context) {
    if (!options.out.empty() && options.to.empty())
        return fail(ErrorCode::usage, "--out needs --to csv or --to tensorboard");
    SEEDBED_ASSIGN(StoreReader reader, openRuns(context));
    SEEDBED_ASSIGN(const RunId id, reader.resolveRun(options.run));
    std::vector<std::string> names = options.names;
    if (names.empty() && !options.all && !context.json && options.to.empty())
        return listMetrics(reader, id, context);
    if (names.empty()) {
        SEEDBED_ASSIGN(names, reader.metricNames(id));
    }
    SEEDBED_ASSIGN(const std::vector<MetricCurve> curves, readCurves(reader, id, names));
    if (options.to == "csv") return writeCsv(curves, options);
    if (options.to == "tensorboard") return writeTensorboard(reader, id, curves, options, context);
    if (context.json) printPointsAsJson(curves);
    else printPoints(curves);
    return kOk;
}

SEEDBED_REGISTER_COMMAND(
    metrics,
    {.id = "metrics",
     .summary = "List the metrics of a run, print their curves, or write them for other programs",
     .examples = {"seedbed metrics 1", "seedbed metrics 1 episode/return", "seedbed metrics 1 --json",
                  "seedbed metrics 1 --to csv --out run-1.csv",
                  "seedbed metrics 1 --to tensorboard --out logs"},
     .define = [](CLI::App& cli) -> Action {
         auto options = std::make_shared<MetricsOptions>();
         addRunArgument(cli, options->run);
         cli.add_option(
             "METRIC", options->names,
             "Metrics to print point by point (default: list all metrics; with --json or --to, all "
             "points)");
         cli.add_flag("--all", options->all, "Print the points of all metrics");
         cli.add_option(
                "--to", options->to,
                "Format: csv (columns metric, step, time in seconds since 1970, value) or tensorboard "
                "(event files)")
             ->type_name("FORMAT")
             ->check(CLI::IsMember({"csv", "tensorboard"}));
         cli.add_option("--out", options->out,
                        "File of --to csv (default: standard output), or folder of --to tensorboard")
             ->type_name("PATH")
             ->check(notEmpty());
         return [options](const Context& context) { return showMetrics(*options, context); };
     }});

}  // namespace
}  // namespace seedbed::app
