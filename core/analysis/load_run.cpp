// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/load_run.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>

namespace seedbed {

namespace {

// Maximum number of points per curve for the rules; limits the time for long runs.
constexpr std::size_t kMaxPoints = 20'000;

// The newest evaluation, or the nearest to `step` that may be used for it; null if none is finite.
const EvaluationRecord* evaluationAt(const std::vector<EvaluationRecord>& evaluations,
                                     std::optional<std::int64_t> step) {
    const EvaluationRecord* found = nullptr;
    if (!step)
        return evaluations.empty() || !std::isfinite(evaluations.back().mean) ? nullptr : &evaluations.back();
    for (const EvaluationRecord& one : evaluations) {
        if (!std::isfinite(one.mean) || one.step > latestStepFor(*step)) continue;
        if (found == nullptr || std::abs(one.step - *step) <= std::abs(found->step - *step)) found = &one;
    }
    return found;
}

}  // namespace

Curve curveOf(const MetricCurve& metric) {
    return {{metric.steps.begin(), metric.steps.end()}, metric.values};
}

Result<RunScore> loadScore(StoreReader& reader, RunId run, std::optional<std::int64_t> at_step) {
    SEEDBED_ASSIGN(const RunDetails details, reader.details(run));
    RunScore score{.id = run, .name = details.run.name, .config = details.config};
    score.running = details.run.status == RunStatus::queued || isLive(details.run.status);
    if (const EvaluationRecord* evaluation = evaluationAt(details.evaluations, at_step)) {
        score.score = evaluation->mean;
        score.evaluated = true;
        score.steps = evaluation->step;
        return score;
    }
    SEEDBED_ASSIGN(
        const std::vector<EpisodeRecord> episodes,
        reader.episodes(run, kNewestEpisodes, at_step.value_or(std::numeric_limits<std::int64_t>::max())));
    double sum = 0;
    for (const EpisodeRecord& episode : episodes) sum += episode.episode_return;
    if (episodes.empty() || !std::isfinite(sum))
        return fail(ErrorCode::config, "run " + std::to_string(run) +
                                           " has no evaluation and no finished episode yet" +
                                           (at_step ? " at step " + std::to_string(*at_step) : ""));
    score.steps = episodes.back().step;
    score.score = sum / static_cast<double>(episodes.size());
    return score;
}

Result<LoadedScores> loadScores(StoreReader& reader, const std::vector<RunId>& runs, ScoreAt at) {
    LoadedScores loaded;
    // A run without a score is not an error here.
    const auto load = [&reader](RunId run,
                                std::optional<std::int64_t> step) -> Result<std::optional<RunScore>> {
        auto score = loadScore(reader, run, step);
        if (!score && score.error().code != ErrorCode::config)
            return tl::unexpected<Error>(std::move(score).error());
        return score ? std::optional(std::move(*score)) : std::nullopt;
    };
    std::vector<RunScore> known;
    for (const RunId run : runs) {
        SEEDBED_ASSIGN(std::optional<RunScore> score, load(run, {}));
        if (score && std::isfinite(score->score)) known.push_back(*score);
        loaded.scores.push_back(std::move(score));
    }
    const std::vector<std::int64_t> steps = commonSteps(known);
    const std::set<std::int64_t> different(steps.begin(), steps.end());
    for (const std::int64_t step : different)
        if (step > 0) loaded.common_steps.push_back(step);
    loaded.aligned = at == ScoreAt::common_step && !loaded.common_steps.empty();
    if (!loaded.aligned) return loaded;
    std::size_t next = 0;
    for (std::optional<RunScore>& score : loaded.scores) {
        if (!score || !std::isfinite(score->score)) continue;
        const std::int64_t step = steps[next++];
        if (step > 0 && score->steps > latestStepFor(step)) {
            SEEDBED_ASSIGN(score, load(score->id, step));
        }
    }
    return loaded;
}

Result<RunView> loadView(StoreReader& reader, RunId run, const std::stop_token& stop) {
    SEEDBED_ASSIGN(const RunDetails details, reader.details(run));
    RunView view;
    view.config = details.config;
    view.steps = details.run.progress.steps;
    SEEDBED_ASSIGN(const std::vector<std::string> names, reader.metricNames(run));
    for (const std::string& name : names) {
        if (stop.stop_requested()) return fail(ErrorCode::interrupted, "cancelled");
        SEEDBED_ASSIGN(const MetricSummary metric, reader.metricSummary(run, name, kMaxPoints));
        Curve& curve = view.metrics[name];
        for (const MetricSummary::Stretch& stretch : metric.stretches) {
            curve.x.push_back(static_cast<double>(stretch.last_step));
            curve.y.push_back(stretch.mean);
        }
    }
    for (const EvaluationRecord& one : details.evaluations)
        view.evaluations.push_back({static_cast<double>(one.step), one.mean, one.std, one.episodes.size()});
    SEEDBED_ASSIGN(const std::vector<EpisodeRecord> episodes, reader.episodes(run, kNewestEpisodes));
    for (const EpisodeRecord& episode : episodes) view.episode_lengths.push_back(episode.length);
    return view;
}

}  // namespace seedbed
