// SPDX-License-Identifier: Apache-2.0
// seedbed compare: groups runs by configuration and tests the groups for differences.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <set>

#include "app/command.hpp"
#include "app/compared_runs.hpp"
#include "app/run_names.hpp"
#include "core/analysis/aggregate.hpp"
#include "core/analysis/config_difference.hpp"
#include "core/analysis/group_names.hpp"
#include "core/analysis/importance.hpp"
#include "core/analysis/load_run.hpp"
#include "core/analysis/report/plots.hpp"
#include "core/analysis/report/text_table.hpp"
#include "core/base/text.hpp"
#include "core/env/return_range.hpp"

namespace seedbed::app {
namespace {

struct CompareOptions : ScoreOptions {
    std::string baseline;
    std::string metric;  // of the figure; "": returns
    bool importance = false;
};

constexpr std::size_t kLabelColumns = 60;

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

// Explains the scores and how the numbers are computed, as sentences and as JSON.
std::string scoreText(const LoadedScores& loaded) {
    const std::string what =
        loaded.kind == ScoreKind::training
            ? "of the last 100 training episodes, whose actions are sampled"
            : "of the newest evaluation with " + std::string(scoreKindName(loaded.kind)) + " actions";
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

std::vector<std::string> labelsOf(const Comparison& comparison) {
    std::vector<std::string> labels;
    for (const RunGroup& group : comparison.groups) labels.push_back(group.label);
    return labels;
}

std::vector<std::vector<std::string>> rowsOf(const Comparison& comparison,
                                             const std::vector<std::string>& labels) {
    std::vector<std::vector<std::string>> rows{
        {"GROUP", "RUNS", "N", "SCORE", "95 % INTERVAL", "MIN", "MAX", "P(BETTER)"}};
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
    return rows;
}

void print(const Comparison& comparison, const LoadedScores& loaded) {
    printTable(rowsOf(comparison, shortNames(labelsOf(comparison), kLabelColumns)));
    for (const RunGroup& group : comparison.groups)
        if (!group.note.empty()) std::printf("%s: %s\n", group.label.c_str(), group.note.c_str());
    for (std::size_t g = 0; g < comparison.groups.size(); ++g) {
        if (g == comparison.baseline) continue;
        const GroupDifference& difference = comparison.differences[g];
        std::printf(
            "%s: %s%s\n", comparison.groups[g].label.c_str(), difference.text.c_str(),
            std::isnan(difference.p_value) ? "" : (" (p = " + number(difference.p_value) + ")").c_str());
    }
    std::printf("%s", scoreNotes(loaded).c_str());
    printMethod(comparison, loaded);
}

// Texts of Importance::State and of SettingImportance::Verdict, also in JSON.
constexpr std::array kStateNames{"measured", "too_few_runs", "other_tasks", "no_setting"};
constexpr std::array kVerdictNames{"explains", "chance", "too_few"};

constexpr const char* kImportanceText =
    "share of the variance of the score between the values of the setting (eta squared), minus the share "
    "that "
    "chance gives; numbers with many values are grouped into ranges with equally many runs. The p value is "
    "that of 2,000 permutations, of runs that agree in the other settings or else of whole configurations, "
    "multiplied by the number of settings";
constexpr const char* kTogetherText =
    "Each setting is measured alone: shares need not add up to 100 %, and the effects of settings that were "
    "varied "
    "together cannot be separated.";

Json toJson(const Importance& importance) {
    Json settings = Json::array();
    for (const SettingImportance& one : importance.settings) {
        const bool tested = one.verdict != SettingImportance::Verdict::too_few;
        settings.push_back({{"settings", one.fields},
                            {"runs", one.runs},
                            {"groups", one.groups},
                            {"eta_squared", one.eta_squared},
                            {"share", tested ? Json(one.share) : Json()},
                            {"chance", tested ? Json(one.chance) : Json()},
                            {"p_value", tested ? Json(one.p_value) : Json()},
                            {"verdict", kVerdictNames[static_cast<std::size_t>(one.verdict)]}});
    }
    return {{"state", kStateNames[static_cast<std::size_t>(importance.state)]},
            {"runs", importance.runs},
            {"needed_runs", kMinImportanceRuns},
            {"method", kImportanceText},
            {"settings", settings}};
}

std::vector<std::vector<std::string>> rowsOf(const Importance& importance) {
    std::vector<std::vector<std::string>> rows{
        {"SETTING", "RUNS", "VALUES", "SHARE", "BY CHANCE", "P", "RESULT"}};
    const auto percent = [](double share) {
        return std::to_string(static_cast<int>(std::lround(100 * share))) + " %";
    };
    for (const SettingImportance& one : importance.settings) {
        std::string names;
        for (const std::string& field : one.fields) names += (names.empty() ? "" : ", ") + field;
        const bool tested = one.verdict != SettingImportance::Verdict::too_few;
        rows.push_back({names, std::to_string(one.runs), std::to_string(one.groups),
                        tested ? percent(one.share) : "-", tested ? "up to " + percent(one.chance) : "-",
                        tested ? number(one.p_value) : "-",
                        one.verdict == SettingImportance::Verdict::explains ? "explains the score"
                        : tested ? "not distinguishable from chance"
                                 : "too few runs for its values"});
    }
    return rows;
}

void print(const Importance& importance, const LoadedScores& loaded, const std::string& format) {
    switch (importance.state) {
        case Importance::State::too_few_runs:
            std::printf("Importance needs at least %zu runs with a score; these are %zu.\n",
                        kMinImportanceRuns, importance.runs);
            return;
        case Importance::State::other_tasks:
            std::printf("The runs are of different tasks, so their scores cannot be compared.\n");
            return;
        case Importance::State::no_setting:
            std::printf("No setting differs between the runs, except the seed.\n");
            return;
        case Importance::State::measured: break;
    }
    if (const auto other = tableFormat(format)) {
        std::printf("%s", tableText(rowsOf(importance), *other).c_str());
        return;
    }
    printTable(rowsOf(importance));
    std::printf(
        "%sScore: %s.\nSHARE: %s.\nBY CHANCE: what one of these settings reaches by chance in 5 %% of "
        "sweeps.\n%s\n",
        scoreNotes(loaded).c_str(), scoreText(loaded).c_str(), kImportanceText, kTogetherText);
}

// Curves of the groups over steps, with bands over their runs.
Result<VectorPicture> figureOf(StoreReader& reader, const Comparison& comparison, std::string metric) {
    constexpr double kWidth = 400, kHeight = 260;  // points
    const bool chosen = !metric.empty();
    if (!chosen) {
        metric = "eval/return";
        for (const RunGroup& group : comparison.groups)
            for (const RunId run : group.runs) {
                const auto curve = reader.metric(run, metric);
                if (!curve || curve->steps.size() < 2) metric = "episode/return";
            }
    }
    Plot plot{.x_title = "steps", .y_title = metric, .curves = {}};
    if (!chosen) plot.y_title = metric == "eval/return" ? "return of evaluations" : "return of episodes";
    const std::vector<std::string> names = distinctNames(labelsOf(comparison));
    for (std::size_t g = 0; g < comparison.groups.size(); ++g) {
        std::vector<Curve> curves;
        for (const RunId run : comparison.groups[g].runs) {
            SEEDBED_ASSIGN(const MetricCurve curve, reader.metric(run, metric));
            curves.push_back(curveOf(curve));
        }
        Aggregate over = seedbed::aggregate(curves, {});
        plot.curves.push_back(
            {names[g], std::move(over.x), std::move(over.centre), std::move(over.low), std::move(over.high)});
    }
    VectorPicture picture(kWidth, kHeight);
    drawCurves(picture, {0, 0, kWidth, kHeight}, plot);
    return picture;
}

Result<int> compare(const CompareOptions& options, const Context& context) {
    SEEDBED_ASSIGN(StoreReader reader, openRuns(context));
    SEEDBED_ASSIGN(const LoadedScores loaded, comparedScores(reader, options, context));
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
    if (!options.figure.empty()) {
        SEEDBED_ASSIGN(const VectorPicture figure, figureOf(reader, comparison, options.metric));
        SEEDBED_TRY(writeFigure(options.figure, figure));
        if (!context.quiet) std::fprintf(stderr, "wrote %s\n", options.figure.c_str());
    }
    Importance importance;
    if (options.importance) {
        std::vector<double> values;
        for (const RunScore& score : scores) values.push_back(score.score);
        importance = settingImportance(configs, values);
    }
    if (!context.json && options.importance) {
        print(importance, loaded, options.format);
        return kOk;
    }
    if (!context.json) {
        const std::vector<std::string> labels = labelsOf(comparison);
        if (const auto format = tableFormat(options.format))
            std::printf("%s", tableText(rowsOf(comparison,
                                               *format == TableFormat::csv ? labels : distinctNames(labels)),
                                        *format)
                                  .c_str());
        else print(comparison, loaded);
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
    Json document{
        {"runs", of_runs},
        {"scores_at", loaded.aligned ? "common_step" : "last_step"},
        {"common_steps", loaded.common_steps},
        {"score_kind", scoreKindName(loaded.kind)},
        {"unevaluated", loaded.kind == ScoreKind::training ? Json(loaded.unevaluated) : Json::array()},
        {"method", methodJson(loaded)},
        {"groups", groups},
        {"config_differences", differences}};
    if (options.importance) document["importance"] = toJson(importance);
    printJson(document);
    return kOk;
}

SEEDBED_REGISTER_COMMAND(
    compare,
    {.id = "compare",
     .summary = "Compare runs: intervals over seeds, differences and their significance",
     .examples = {"seedbed compare 1 2 3 4 5 6", "seedbed compare 1 2 3 4 --baseline 3 --json",
                  "seedbed compare 1..10 --format latex --figure curves.pdf",
                  "seedbed compare 1..60 --importance"},
     .define = [](CLI::App& cli) -> Action {
         auto options = std::make_shared<CompareOptions>();
         addScoreOptions(cli, *options,
                         "Ids or names of runs, or a range such as 1..5. Runs that differ only in the seed "
                         "form a group; only groups with "
                         "the baseline's environment are compared with it",
                         "Also draw the curves of the groups with their bands, as an .svg or .pdf file");
         cli.add_option("--baseline", options->baseline,
                        "A run of the group that the others are compared with (default: the first run)")
             ->type_name("RUN");
         cli.add_option("--metric", options->metric,
                        "Metric of the figure (default: returns of evaluations, or of episodes)")
             ->type_name("NAME");
         cli.add_flag(
             "--importance", options->importance,
             "Print how much of the variance of the score each setting explains, instead of the groups");
         return [options](const Context& context) { return compare(*options, context); };
     }});

}  // namespace
}  // namespace seedbed::app
