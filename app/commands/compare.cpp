// SPDX-License-Identifier: Apache-2.0
// seedbed compare: groups runs by configuration and tests the groups for differences.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "app/command.hpp"
#include "app/run_names.hpp"
#include "core/analysis/config_difference.hpp"
#include "core/analysis/group_names.hpp"
#include "core/analysis/load_run.hpp"
#include "core/base/text.hpp"
#include "core/env/return_range.hpp"

namespace seedbed::app {
namespace {

struct CompareOptions {
    std::vector<std::string> runs;
    std::string baseline;
    std::string at = "common";
    std::string score = "auto";
};

constexpr std::size_t kLabelColumns = 60;

const char* nameOf(ScoreKind kind) {
    return kind == ScoreKind::greedy ? "greedy" : kind == ScoreKind::sampled ? "sampled" : "training";
}

// Returns why a group has no interval, or "" if it has one.
std::string intervalNote(const RunGroup& group) {
    return group.scores.size() >= kMinIntervalSeeds
               ? ""
               : "no interval: a group needs at least " + std::to_string(kMinIntervalSeeds) + " seeds";
}

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
              {"ci95_note", intervalNote(group)},
              {"ci95_widening", group.widening},
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

std::string interval(double low, double high) {
    return std::isnan(low) ? "-" : "[" + number(low) + ", " + number(high) + "]";
}

std::string listOf(const std::vector<RunId>& runs) {
    std::vector<std::string> ids;
    for (const RunId run : runs) ids.push_back(std::to_string(run));
    return (ids.size() == 1 ? "Run " : "Runs ") + join(ids, ", ");
}

// Explains the scores and how the numbers are computed, as sentences and as JSON.
std::string scoreText(const LoadedScores& loaded) {
    const std::string what =
        loaded.kind == ScoreKind::training
            ? "of the last 100 training episodes, whose actions are sampled"
            : "of the newest evaluation with " + std::string(nameOf(loaded.kind)) + " actions";
    return "the mean return " + what + (loaded.aligned ? " up to that step" : "");
}
constexpr const char* kCentreText =
    "interquartile mean over runs: the middle half, with the runs at its edges weighted fractionally "
    "(Agarwal et al. 2021); the mean for fewer than 4 runs";
constexpr const char* kIntervalText =
    "percentile bootstrap over the seeds of the group, 2,000 resamples, widened by sqrt(n / (n - 1)) and by "
    "Student's t over 1.96, within the range of returns that the environment declares";
constexpr const char* kTestText =
    "two-sided permutation test of the difference of the centres; its interval contains the differences that "
    "the test does not reject at the 5 % level";

Json methodJson(const LoadedScores& loaded) {
    return {{"score", scoreText(loaded)},
            {"centre", kCentreText},
            {"ci95", kIntervalText},
            {"p_value", kTestText},
            {"probability_ci95", "the probability at the ends of the interval of the difference"}};
}

// Explains why training returns are compared although some runs have evaluations, and how to change that.
std::string unevaluatedText(const LoadedScores& loaded, std::size_t runs) {
    if (loaded.kind != ScoreKind::training || loaded.unevaluated.size() == runs) return "";
    std::vector<std::string> commands;
    for (const RunId run : loaded.unevaluated)
        commands.push_back("seedbed eval " + std::to_string(run) + " --record");
    const bool one = loaded.unevaluated.size() == 1;
    return listOf(loaded.unevaluated) + (one ? " has" : " have") + " no evaluation" +
           (loaded.aligned ? " at that step" : "") +
           ", so the training returns of all runs are compared. To compare evaluations of the newest "
           "parameters: " +
           join(commands, "; ") + ", then 'seedbed compare' with --at last.";
}

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
               "step; without '--at last', runs are compared at " +
               steps + ".\n";
    return "The runs have trained for different numbers of steps. Scores are from " + steps +
           ", the last one that all runs " + (one ? "" : "of a task ") +
           "have reached; '--at last' uses each run's own last step.\n";
}

void printMethod(const Comparison& comparison, const LoadedScores& loaded) {
    std::printf("Score: %s. SCORE: %s.\n", scoreText(loaded).c_str(), kCentreText);
    std::string factors;
    std::set<std::size_t> sizes;
    for (const RunGroup& group : comparison.groups)
        if (group.scores.size() >= kMinIntervalSeeds && sizes.insert(group.scores.size()).second)
            factors += (factors.empty() ? "" : ", ") + number(group.widening) +
                       " for n = " + std::to_string(group.scores.size());
    std::printf("Intervals: %s%s. No interval for fewer than %zu seeds.\n", kIntervalText,
                factors.empty() ? "" : (" (by " + factors + ")").c_str(), kMinIntervalSeeds);
    if (comparison.groups.size() > 1) std::printf("Differences: %s.\n", kTestText);
    std::printf("If several runs have the same seed, only the newest counts.\n");
    if (comparison.groups.size() > 2)
        std::printf(
            "Each group is tested separately at the 5 %% level: about one in twenty comparisons without a "
            "real "
            "difference will look significant.\n");
}

void print(const Comparison& comparison, const LoadedScores& loaded) {
    std::vector<std::vector<std::string>> rows{
        {"GROUP", "RUNS", "N", "SCORE", "95 % INTERVAL", "MIN", "MAX", "P(BETTER)"}};
    std::vector<std::string> labels;
    for (const RunGroup& group : comparison.groups) labels.push_back(group.label);
    labels = shortNames(labels, kLabelColumns);
    for (std::size_t g = 0; g < comparison.groups.size(); ++g) {
        const RunGroup& group = comparison.groups[g];
        std::string ids;
        for (const std::int64_t id : group.runs) ids += (ids.empty() ? "" : " ") + std::to_string(id);
        rows.push_back({labels[g], ids, std::to_string(group.scores.size()), number(group.centre),
                        interval(group.ci_low, group.ci_high), number(group.min), number(group.max),
                        g == comparison.baseline ? "baseline"
                        : std::isnan(comparison.differences[g].improvement)
                            ? "-"
                            : number(comparison.differences[g].improvement)});
    }
    printTable(rows);
    for (const RunGroup& group : comparison.groups)
        if (!group.note.empty()) std::printf("%s: %s\n", group.label.c_str(), group.note.c_str());
    for (std::size_t g = 0; g < comparison.groups.size(); ++g) {
        if (g == comparison.baseline) continue;
        const GroupDifference& difference = comparison.differences[g];
        std::printf(
            "%s: %s%s\n", comparison.groups[g].label.c_str(), difference.text.c_str(),
            std::isnan(difference.p_value) ? "" : (" (p = " + number(difference.p_value) + ")").c_str());
    }
    std::printf("%s", whenText(loaded).c_str());
    if (const std::string text = unevaluatedText(loaded, loaded.scores.size()); !text.empty())
        std::printf("%s\n", text.c_str());
    printMethod(comparison, loaded);
}

// Returns an error that lists the runs without the required kind of score.
tl::unexpected<Error> lackingScores(const LoadedScores& loaded) {
    const bool one = loaded.lacking.size() == 1;
    const std::string runs = listOf(loaded.lacking);
    const std::string who = std::string(one ? "run" : "runs") + runs.substr(runs.find(' '));
    const char* at = loaded.aligned ? " at the last step that all runs have reached; '--at last' uses each "
                                      "run's own last step"
                                    : "";
    if (loaded.kind == ScoreKind::training)
        return fail(ErrorCode::config, who + (one ? " has" : " have") + " no finished episode yet" + at);
    return fail(ErrorCode::config, who + (one ? " has no " : " have no ") + nameOf(loaded.kind) +
                                       " evaluation" + at + ". 'seedbed eval " +
                                       std::to_string(loaded.lacking.front()) +
                                       (loaded.kind == ScoreKind::sampled ? " --sample" : "") +
                                       " --record' adds one; '--score training' compares training returns");
}

Result<> requireStarted(StoreReader& reader, const std::vector<RunId>& runs) {
    std::vector<RunId> queued;
    for (const RunId run : runs) {
        SEEDBED_ASSIGN(const RunRecord record, reader.run(run));
        if (record.status == RunStatus::queued) queued.push_back(run);
    }
    if (queued.empty()) return {};
    std::string who = listOf(queued);
    who.front() = 'r';
    return fail(ErrorCode::config, who + (queued.size() == 1 ? " has" : " have") +
                                       " not started training yet; 'seedbed queue start' starts the queue");
}

std::optional<ScoreKind> scoreKind(const std::string& name) {
    for (const ScoreKind kind : {ScoreKind::greedy, ScoreKind::sampled, ScoreKind::training})
        if (name == nameOf(kind)) return kind;
    return std::nullopt;
}

Result<int> compare(const CompareOptions& options, const Context& context) {
    SEEDBED_ASSIGN(StoreReader reader, openRuns(context));
    SEEDBED_ASSIGN(const std::vector<RunId> runs, resolveRuns(options.runs, context));
    SEEDBED_TRY(requireStarted(reader, runs));
    SEEDBED_ASSIGN(const LoadedScores loaded,
                   loadScores(reader, runs, options.at == "last" ? ScoreAt::last_step : ScoreAt::common_step,
                              scoreKind(options.score)));
    if (!loaded.lacking.empty()) return lackingScores(loaded);
    std::vector<RunScore> scores;
    for (const auto& score : loaded.scores) {
        scores.push_back(*score);
        scores.back().range = returnRange(score->config.value("env", Json()));
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
    if (!context.json) {
        print(comparison, loaded);
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
               {"score_kind", nameOf(loaded.kind)},
               {"unevaluated", loaded.kind == ScoreKind::training ? Json(loaded.unevaluated) : Json::array()},
               {"method", methodJson(loaded)},
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
         cli.add_option("RUN", options->runs,
                        "Ids or names of runs, or a range such as 1..5. Runs that differ only in the seed "
                        "form a group; only groups with "
                        "the baseline's environment are compared with it")
             ->required();
         cli.add_option("--baseline", options->baseline,
                        "A run of the group that the others are compared with (default: the first run)")
             ->type_name("RUN");
         cli.add_option("--at", options->at,
                        "Step at which to compare scores if the runs have different lengths: common, the "
                        "last step that all runs have reached, or last, each run's own last step "
                        "(default: common)")
             ->check(CLI::IsMember({"common", "last"}));
         cli.add_option("--score", options->score,
                        "Kind of score for all runs: evaluations with greedy or sampled actions, or training "
                        "episodes (default: the first of these that all runs have)")
             ->check(CLI::IsMember({"auto", "greedy", "sampled", "training"}));
         return [options](const Context& context) { return compare(*options, context); };
     }});

}  // namespace
}  // namespace seedbed::app
