// SPDX-License-Identifier: Apache-2.0
// seedbed compare: runs grouped by configuration, with intervals, differences and a verdict.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/command.hpp"
#include "core/analysis/aggregate.hpp"
#include "core/analysis/load_run.hpp"
#include "core/base/text.hpp"

namespace seedbed::app {
namespace {

struct CompareOptions {
    std::vector<std::string> runs;
    std::string baseline;
    std::string at = "common";
};

Json toJson(const RunGroup& group, const GroupDifference& difference, bool baseline) {
    Json json{{"label", group.label},
              {"runs", group.runs},
              {"repeated", group.repeated},
              {"n", group.scores.size()},
              {"scores", group.scores},
              {"mean", group.mean},
              {"centre", group.centre},
              {"centre_is", group.scores.size() >= 4 ? "iqm" : "mean"},
              {"ci95", {group.ci_low, group.ci_high}},
              {"min", group.min},
              {"max", group.max},
              {"steps", {group.first_steps, group.last_steps}},
              {"note", group.note},
              {"baseline", baseline},
              {"difference", Json()}};
    if (!baseline)
        json["difference"] = {{"value", difference.difference},
                              {"ci95", {difference.ci_low, difference.ci_high}},
                              {"probability_of_improvement", difference.improvement},
                              {"probability_ci95", {difference.improvement_low, difference.improvement_high}},
                              {"p_value", difference.p_value},
                              {"verdict", difference.text},
                              {"more_seeds", difference.more_seeds ? Json(*difference.more_seeds) : Json()}};
    return json;
}

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

std::string interval(double low, double high) { return "[" + number(low) + ", " + number(high) + "]"; }

std::string stepsText(const std::vector<std::int64_t>& steps) {
    std::vector<std::string> texts;
    for (const std::int64_t step : steps) texts.push_back(formatCount(step));
    return join(texts, "; ");
}

// At which steps the scores were taken, where the runs are not equally far.
std::string whenText(const LoadedScores& loaded) {
    if (loaded.common_steps.empty()) return "";
    const bool one = loaded.common_steps.size() == 1;
    const std::string steps = "step " + stepsText(loaded.common_steps);
    if (!loaded.aligned)
        return "Scores are those of each run's last step, and the runs are not equally far; without '--at "
               "last' they are compared at " +
               steps + ".\n";
    return "Scores are those of " + steps + ", the last that all runs " + (one ? "" : "of a task ") +
           "have reached; '--at last' compares each at its own last step.\n";
}

void print(const Comparison& comparison, const LoadedScores& loaded, bool some_training) {
    std::vector<std::vector<std::string>> rows{
        {"GROUP", "RUNS", "N", "SCORE", "95 % INTERVAL", "MIN", "MAX", "P(BETTER)"}};
    for (std::size_t g = 0; g < comparison.groups.size(); ++g) {
        const RunGroup& group = comparison.groups[g];
        std::string ids;
        for (const std::int64_t id : group.runs) ids += (ids.empty() ? "" : " ") + std::to_string(id);
        rows.push_back({group.label, ids, std::to_string(group.scores.size()), number(group.centre),
                        interval(group.ci_low, group.ci_high), number(group.min), number(group.max),
                        g == comparison.baseline ? "baseline"
                        : std::isnan(comparison.differences[g].improvement)
                            ? "-"
                            : number(comparison.differences[g].improvement)});
    }
    printTable(rows);
    for (const RunGroup& group : comparison.groups)
        if (!group.note.empty()) std::printf("%s: %s\n", group.label.c_str(), group.note.c_str());
    for (std::size_t g = 0; g < comparison.groups.size(); ++g)
        if (g != comparison.baseline)
            std::printf("%s: %s\n", comparison.groups[g].label.c_str(),
                        comparison.differences[g].text.c_str());
    std::printf("%s", whenText(loaded).c_str());
    std::printf(
        "Score: interquartile mean over runs for 4 runs or more, else their mean; of each run its newest "
        "evaluation%s%s.\n",
        loaded.aligned ? " until then" : "",
        some_training ? ", or its last 100 training episodes where it has none" : "");
    std::printf(
        "Of several runs with one seed the newest counts. Intervals: bootstrap over the seeds of each group, "
        "widened for few.\n");
    std::size_t fewest = kMinSeeds;
    for (const RunGroup& group : comparison.groups)
        if (group.scores.size() > 1) fewest = std::min(fewest, group.scores.size());
    if (fewest < kMinSeeds) std::printf("Bands of charts are not widened. %s\n", bandText(fewest).c_str());
    if (comparison.groups.size() > 2)
        std::printf(
            "Each group is tested by itself, at 5 %%: of twenty that do not differ, about one is said to.\n");
}

Result<int> compare(const CompareOptions& options, const Context& context) {
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    std::vector<RunId> runs;
    for (const std::string& name : options.runs) {
        SEEDBED_ASSIGN(const RunId id, reader.resolveRun(name));
        if (std::find(runs.begin(), runs.end(), id) == runs.end()) runs.push_back(id);
    }
    SEEDBED_ASSIGN(
        const LoadedScores loaded,
        loadScores(reader, runs, options.at == "last" ? ScoreAt::last_step : ScoreAt::common_step));
    std::vector<RunScore> scores;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (!loaded.scores[i])
            return fail(ErrorCode::config,
                        "run " + std::to_string(runs[i]) + " has no evaluation and no finished episode yet" +
                            (loaded.aligned
                                 ? " at the step that all have reached; '--at last' compares each at its own"
                                 : ""));
        scores.push_back(*loaded.scores[i]);
    }
    RunId baseline = 0;
    if (!options.baseline.empty()) {
        SEEDBED_ASSIGN(baseline, reader.resolveRun(options.baseline));
        if (std::none_of(scores.begin(), scores.end(),
                         [baseline](const RunScore& score) { return score.id == baseline; }))
            return fail(ErrorCode::usage,
                        "the baseline '" + options.baseline + "' is none of the runs that are compared");
    }
    const Comparison comparison = compareRuns(scores, baseline);
    std::vector<Json> configs;
    for (const RunScore& score : scores) configs.push_back(withoutSeed(score.config));
    const bool some_training =
        std::any_of(scores.begin(), scores.end(), [](const RunScore& score) { return !score.evaluated; });
    if (!context.json) {
        print(comparison, loaded, some_training);
        return kOk;
    }
    Json groups = Json::array(), differences = Json::object(), of_runs = Json::array();
    for (std::size_t g = 0; g < comparison.groups.size(); ++g)
        groups.push_back(toJson(comparison.groups[g], comparison.differences[g], g == comparison.baseline));
    for (const ConfigDifference& difference : configDifferences(configs))
        differences[difference.field] = difference.values;
    for (const RunScore& score : scores)
        of_runs.push_back({{"id", score.id},
                           {"name", score.name},
                           {"score", score.score},
                           {"evaluated", score.evaluated},
                           {"step", score.steps}});
    printJson({{"runs", of_runs},
               {"scores_at", loaded.aligned ? "common_step" : "last_step"},
               {"common_steps", loaded.common_steps},
               {"groups", groups},
               {"config_differences", differences}});
    return kOk;
}

SEEDBED_REGISTER_COMMAND(
    compare,
    {.id = "compare",
     .summary = "Runs side by side: intervals over seeds, differences, and whether they mean anything",
     .examples = {"seedbed compare 1 2 3 4 5 6", "seedbed compare 1 2 3 4 --baseline 3 --json"},
     .define = [](CLI::App& cli) -> Action {
         auto options = std::make_shared<CompareOptions>();
         cli.add_option("RUN", options->runs,
                        "Ids or names of runs; equal settings with other seeds form a group; groups of other "
                        "environments than the baseline's get no difference")
             ->required();
         cli.add_option("--baseline", options->baseline,
                        "A run of the group that others are compared with (default: the first)");
         cli.add_option("--at", options->at,
                        "Where runs are not equally far: common compares scores at the last step that all "
                        "have reached, last each at its own last step (default: common)")
             ->check(CLI::IsMember({"common", "last"}));
         return [options](const Context& context) { return compare(*options, context); };
     }});

}  // namespace
}  // namespace seedbed::app
