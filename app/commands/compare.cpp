// SPDX-License-Identifier: Apache-2.0
// seedbed compare: groups runs by configuration and tests the groups for differences.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/command.hpp"
#include "core/analysis/aggregate.hpp"
#include "core/analysis/config_difference.hpp"
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

// Describes at which steps the scores were taken if the runs have trained for different numbers of steps.
std::string whenText(const LoadedScores& loaded) {
    if (loaded.common_steps.empty()) return "";
    const bool one = loaded.common_steps.size() == 1;
    const std::string steps = "step " + stepsText(loaded.common_steps);
    if (!loaded.aligned)
        return "The runs have trained for different numbers of steps. Each score is from the run's own last "
               "step; without '--at last' runs are compared at " +
               steps + ".\n";
    return "The runs have trained for different numbers of steps. Scores are from " + steps +
           ", the last that all runs " + (one ? "" : "of a task ") +
           "have reached; '--at last' uses each run's own last step.\n";
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
        "Score: the interquartile mean over runs (the mean for fewer than 4 runs) of each run's newest "
        "evaluation%s%s.\n",
        loaded.aligned ? " up to that step" : "",
        some_training ? ", or of its last 100 training episodes if it has no evaluation" : "");
    std::printf(
        "Of runs with the same seed only the newest counts. Intervals: bootstrap over the seeds of each "
        "group, "
        "widened for small groups.\n");
    std::size_t fewest = kMinSeeds;
    for (const RunGroup& group : comparison.groups)
        if (group.scores.size() > 1) fewest = std::min(fewest, group.scores.size());
    if (fewest < kMinSeeds) std::printf("Bands in charts are not widened. %s\n", bandText(fewest).c_str());
    if (comparison.groups.size() > 2)
        std::printf(
            "Each group is tested separately at the 5 %% level: about one in twenty true nulls will look "
            "significant.\n");
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
            return fail(
                ErrorCode::config,
                "run " + std::to_string(runs[i]) + " has no evaluation and no finished episode yet" +
                    (loaded.aligned ? " at the last step that all runs have reached; '--at last' uses "
                                      "each run's own last step"
                                    : ""));
        scores.push_back(*loaded.scores[i]);
    }
    RunId baseline = 0;
    if (!options.baseline.empty()) {
        SEEDBED_ASSIGN(baseline, reader.resolveRun(options.baseline));
        if (std::none_of(scores.begin(), scores.end(),
                         [baseline](const RunScore& score) { return score.id == baseline; }))
            return fail(ErrorCode::usage,
                        "the baseline '" + options.baseline + "' is not one of the compared runs");
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
     .summary = "Compare runs: intervals over seeds, differences and their significance",
     .examples = {"seedbed compare 1 2 3 4 5 6", "seedbed compare 1 2 3 4 --baseline 3 --json"},
     .define = [](CLI::App& cli) -> Action {
         auto options = std::make_shared<CompareOptions>();
         cli.add_option(
                "RUN", options->runs,
                "Ids or names of runs. Runs that differ only in the seed form a group; only groups with "
                "the baseline's environment are compared with it")
             ->required();
         cli.add_option("--baseline", options->baseline,
                        "A run of the group that the others are compared with (default: the first run)")
             ->type_name("RUN");
         cli.add_option(
                "--at", options->at,
                "Step of the scores if the runs have different lengths: common, the last step that all "
                "runs have reached, or last, each run's own last step (default: common)")
             ->check(CLI::IsMember({"common", "last"}));
         return [options](const Context& context) { return compare(*options, context); };
     }});

}  // namespace
}  // namespace seedbed::app
