// SPDX-License-Identifier: Apache-2.0
// seedbed aggregate: compares methods over several tasks by normalised scores.
#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>

#include "app/command.hpp"
#include "app/compared_runs.hpp"
#include "app/configuration.hpp"
#include "app/run_names.hpp"
#include "core/analysis/config_difference.hpp"
#include "core/analysis/over_tasks.hpp"
#include "core/analysis/report/plots.hpp"
#include "core/analysis/report/text_table.hpp"
#include "core/base/text.hpp"
#include "core/env/env_registry.hpp"

namespace seedbed::app {
namespace {

struct OverTasksOptions : ScoreOptions {
    std::vector<std::string> by{"algo.id"};
    std::vector<std::string> references;
};

struct Task {
    std::string name;
    Json config;  // of its first run
    double random = 0, reference = 0;
};

using References = std::map<std::string, std::pair<double, double>>;  // by environment

// ENV=RANDOM,REFERENCE
Result<References> referencesOf(const std::vector<std::string>& texts) {
    References references;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        const auto numbers = split(equals == std::string::npos ? "" : text.substr(equals + 1), ',');
        const auto random = numbers.size() == 2 ? parseNumber(numbers[0]) : std::nullopt;
        const auto reference = numbers.size() == 2 ? parseNumber(numbers[1]) : std::nullopt;
        if (!random || !reference || *random == *reference)
            return fail(ErrorCode::usage,
                        "'" + text +
                            "' is not ENV=RANDOM,REFERENCE with two different scores, such as "
                            "cartpole=20,500");
        references[text.substr(0, equals)] = {*random, *reference};
    }
    return references;
}

// The settings of an environment that change its returns, with their defaults.
std::optional<Json> completeOf(const EnvEntry& entry, Json params) {
    params.erase("id");
    if (params.contains("wrap") && params["wrap"].is_object())
        for (const char* learner_only : {"reward_clip", "reward_scale"}) params["wrap"].erase(learner_only);
    auto complete = entry.params->complete(params);
    return complete ? std::optional<Json>(std::move(*complete)) : std::nullopt;
}

// Random play and the goal of the environment, which scores of 0 and 1 stand for.
Result<std::pair<double, double>> rangeOf(const Json& env, const PresetLibrary& presets,
                                          const References& references) {
    const std::string id = env.value("id", "");
    if (const auto given = references.find(id); given != references.end()) return given->second;
    const EnvEntry* entry = envRegistry().find(id);
    std::optional<double> random, goal;
    const auto complete = entry == nullptr ? std::nullopt : completeOf(*entry, env);
    if (complete)
        if (const auto spec = entry->spec(*complete)) {
            random = spec->random_return;
            goal = spec->solved;
        }
    // The goal of a preset belongs to its settings of the environment.
    const Preset* preset = presets.defaultFor(id);
    if (complete && !goal && preset != nullptr && preset->isMeasured() &&
        completeOf(*entry, preset->config.value("env", Json::object())) == complete)
        goal = preset->expected_score;
    if (!random || !goal || *goal <= *random)
        return fail(ErrorCode::config,
                    "the score of random play or the goal of '" + id +
                        "' with these settings is not known; state both with --reference " + id +
                        "=RANDOM,GOAL");
    return std::pair{*random, *goal};
}

// The settings by which methods differ: "ppo" or "ppo, 0.001".
Result<std::string> methodOf(const Json& config, const std::vector<std::string>& by) {
    std::vector<std::string> values;
    for (const std::string& key : by) {
        const Json* at = &config;
        for (const std::string& part : split(key, '.'))
            at = at != nullptr && at->is_object() && at->contains(part) ? &(*at)[part] : nullptr;
        if (at == nullptr || at->is_object())
            return fail(ErrorCode::usage,
                        "a run has no setting '" + key + "'; 'seedbed show RUN' lists its settings");
        values.push_back(at->is_string() ? at->get<std::string>() : at->dump());
    }
    return join(values, ", ");
}

std::string threeDigits(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3f", value);
    return text;
}
std::string withInterval(const Estimate& estimate) {
    return threeDigits(estimate.value) + " [" + threeDigits(estimate.low) + ", " +
           threeDigits(estimate.high) + "]";
}
Json toJson(const Estimate& estimate) {
    return {{"value", estimate.value}, {"ci95", {estimate.low, estimate.high}}};
}

VectorPicture figureOf(const OverTasks& over) {
    constexpr double kWidth = 560, kHeight = 240;  // points
    VectorPicture picture(kWidth, kHeight);
    std::vector<PlotInterval> intervals;
    Plot profile{.x_title = "normalised score", .y_title = "share of runs above", .curves = {}};
    for (const MethodScores& method : over.methods) {
        intervals.push_back({method.method, method.iqm});
        PlotCurve curve{.name = method.method, .x = over.thresholds, .y = {}, .low = {}, .high = {}};
        for (const Estimate& share : method.profile) {
            curve.y.push_back(share.value);
            curve.low.push_back(share.low);
            curve.high.push_back(share.high);
        }
        profile.curves.push_back(std::move(curve));
    }
    drawIntervals(picture, {0, 0, kWidth * 0.42, kHeight}, intervals,
                  "interquartile mean of normalised scores");
    drawCurves(picture, {kWidth * 0.44, 0, kWidth * 0.56, kHeight}, profile);
    return picture;
}

std::vector<std::vector<std::string>> rowsOf(const OverTasks& over) {
    std::vector<std::vector<std::string>> rows{
        {"METHOD", "RUNS", "IQM", "MEDIAN", "MEAN", "OPTIMALITY GAP", "P(BETTER)"}};
    for (const MethodScores& method : over.methods)
        rows.push_back({method.method, std::to_string(method.runs), withInterval(method.iqm),
                        withInterval(method.median), withInterval(method.mean),
                        withInterval(method.optimality_gap),
                        &method == over.methods.data() ? "baseline" : withInterval(method.improvement)});
    return rows;
}

void print(const OverTasks& over, const std::vector<Task>& tasks, const LoadedScores& loaded) {
    printTable(rowsOf(over));
    std::string ranges;
    for (const Task& task : tasks)
        ranges += (ranges.empty() ? "" : "; ") + task.name + " " + formatNumber(task.random) + " to " +
                  formatNumber(task.reference);
    std::printf(
        "Scores: (score - random) / (goal - random), with the mean %s return of each run and these scores of "
        "random play and goals: %s.\nIntervals: 95 %% percentile bootstrap, 2,000 resamples of the runs "
        "within "
        "each task (Agarwal et al. 2021). IQM: mean of the middle half of all runs. Optimality gap: mean "
        "amount "
        "by which runs miss the goal. P(BETTER): probability that a run scores higher than one of the first "
        "method, averaged over tasks.\n",
        scoreKindName(loaded.kind), ranges.c_str());
    std::printf("%s", scoreNotes(loaded).c_str());
    for (const MethodScores& method : over.methods)
        if (method.fewest < 3)
            std::printf("%s: fewer than three runs of a task; its intervals are too narrow.\n",
                        method.method.c_str());
}

Result<int> aggregateRuns(const OverTasksOptions& options, const Context& context) {
    SEEDBED_ASSIGN(const References references, referencesOf(options.references));
    SEEDBED_ASSIGN(StoreReader reader, openRuns(context));
    SEEDBED_ASSIGN(const LoadedScores loaded, comparedScores(reader, options, context));
    SEEDBED_ASSIGN(const PresetLibrary presets, presetLibrary());
    std::vector<Task> tasks;
    std::vector<NormalisedScore> scores;
    for (const auto& score : loaded.scores) {
        auto task = std::find_if(tasks.begin(), tasks.end(),
                                 [&](const Task& known) { return sameTask(known.config, score->config); });
        if (task == tasks.end()) {
            const Json env = score->config.value("env", Json::object());
            SEEDBED_ASSIGN(const auto range, rangeOf(env, presets, references));
            std::string name = env.value("id", "");
            const auto alike = std::count_if(tasks.begin(), tasks.end(), [&](const Task& known) {
                return known.config["env"].value("id", "") == name;
            });
            if (alike > 0) name += " (" + std::to_string(alike + 1) + ")";
            task = tasks.insert(tasks.end(), {name, score->config, range.first, range.second});
        }
        SEEDBED_ASSIGN(std::string method, methodOf(score->config, options.by));
        scores.push_back({std::move(method), task->name,
                          (score->score - task->random) / (task->reference - task->random)});
    }
    SEEDBED_ASSIGN(const OverTasks over, compareOverTasks(scores));
    if (!options.figure.empty()) {
        SEEDBED_TRY(writeFigure(options.figure, figureOf(over)));
        if (!context.quiet) std::fprintf(stderr, "wrote %s\n", options.figure.c_str());
    }
    if (!context.json) {
        if (const auto format = tableFormat(options.format))
            std::printf("%s", tableText(rowsOf(over), *format).c_str());
        else print(over, tasks, loaded);
        return kOk;
    }
    Json methods = Json::array(), ranges = Json::array();
    for (const Task& task : tasks)
        ranges.push_back({{"task", task.name}, {"random", task.random}, {"goal", task.reference}});
    for (const MethodScores& method : over.methods) {
        Json profile = Json::array(), bands = Json::array();
        for (const Estimate& share : method.profile) {
            profile.push_back(share.value);
            bands.push_back({share.low, share.high});
        }
        methods.push_back({{"method", method.method},
                           {"runs", method.runs},
                           {"fewest_of_a_task", method.fewest},
                           {"iqm", toJson(method.iqm)},
                           {"median", toJson(method.median)},
                           {"mean", toJson(method.mean)},
                           {"optimality_gap", toJson(method.optimality_gap)},
                           {"probability_of_improvement", toJson(method.improvement)},
                           {"profile", profile},
                           {"profile_ci95", bands}});
    }
    printJson({{"tasks", ranges},
               {"score_kind", scoreKindName(loaded.kind)},
               {"methods", methods},
               {"thresholds", over.thresholds}});
    return kOk;
}

SEEDBED_REGISTER_COMMAND(
    aggregate,
    {.id = "aggregate",
     .summary = "Compare methods over several tasks: normalised scores with intervals, performance profiles",
     .examples = {"seedbed aggregate 1..30", "seedbed aggregate 1..30 --by algo.id,algo.learning_rate",
                  "seedbed aggregate 1..30 --format latex --figure profiles.pdf"},
     .define = [](CLI::App& cli) -> Action {
         auto options = std::make_shared<OverTasksOptions>();
         addScoreOptions(
             cli, *options,
             "Ids or names of runs, or a range such as 1..30; every method needs runs of every task",
             "Also draw the intervals and performance profiles, as an .svg or .pdf file");
         cli.add_option("--by", options->by, "Settings that make a method (default: algo.id)")
             ->delimiter(',')
             ->allow_extra_args(false)
             ->type_name("SETTING,...");
         cli.add_option("--reference", options->references,
                        "Scores that count as 0 and 1, for an environment whose random play or goal is not "
                        "known; repeatable")
             ->allow_extra_args(false)
             ->type_name("ENV=RANDOM,GOAL");
         return [options](const Context& context) { return aggregateRuns(*options, context); };
     }});

}  // namespace
}  // namespace seedbed::app
