// SPDX-License-Identifier: Apache-2.0
// seedbed metrics: lists a run's curves and prints their points.
#include <cmath>
#include <cstdio>

#include "app/command.hpp"
#include "app/run_names.hpp"
#include "core/base/text.hpp"
#include "core/store/store_reader.hpp"

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

Result<int> showMetrics(const std::string& name, std::vector<std::string> names, bool all,
                        const Context& context) {
    SEEDBED_ASSIGN(StoreReader reader, openRuns(context));
    SEEDBED_ASSIGN(const RunId id, reader.resolveRun(name));
    if (names.empty() && !all && !context.json) return listMetrics(reader, id, context);
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
            std::printf("%s\t%lld\t%s\n", metric.c_str(), static_cast<long long>(curve.steps[i]),
                        formatNumber(curve.values[i]).c_str());
    }
    if (context.json) printJson(json);
    return kOk;
}

SEEDBED_REGISTER_COMMAND(
    metrics,
    {.id = "metrics",
     .summary = "List the metrics of a run, or print their curves",
     .examples = {"seedbed metrics 1", "seedbed metrics 1 episode/return", "seedbed metrics 1 --json"},
     .define = [](CLI::App& cli) -> Action {
         auto run = std::make_shared<std::string>();
         auto names = std::make_shared<std::vector<std::string>>();
         auto all = std::make_shared<bool>(false);
         addRunArgument(cli, *run);
         cli.add_option(
             "METRIC", *names,
             "Metrics to print point by point (default: list all metrics; with --json, print all points)");
         cli.add_flag("--all", *all, "Print the points of all metrics");
         return
             [run, names, all](const Context& context) { return showMetrics(*run, *names, *all, context); };
     }});

}  // namespace
}  // namespace seedbed::app
