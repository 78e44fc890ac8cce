// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/load_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>
#include <utility>

#include "core/analysis/setting_history.hpp"

namespace seedbed {

namespace {

// Maximum number of points per curve for the rules; limits the time for long runs.
constexpr std::size_t kMaxPoints = 20'000;

struct RunRows {
    RunScore score;  // all fields except the score itself
    std::vector<EvaluationRecord> evaluations;
};

Result<RunRows> loadRows(StoreReader& reader, RunId run, ScoreAt at) {
    SEEDBED_ASSIGN(RunDetails details, reader.details(run));
    RunRows rows;
    rows.score.id = run;
    rows.score.name = details.run.name;
    rows.evaluations = std::move(details.evaluations);
    rows.score.config = groupConfig(details, at);
    rows.score.running = details.run.status == RunStatus::queued || isLive(details.run.status);
    return rows;
}

// The latest evaluation of this kind, or the nearest to `step` that may be used for it; null if none is
// finite.
const EvaluationRecord* evaluationAt(const std::vector<EvaluationRecord>& evaluations, bool greedy,
                                     std::optional<std::int64_t> step) {
    const EvaluationRecord* found = nullptr;
    for (const EvaluationRecord& one : evaluations) {
        if (one.greedy != greedy || !std::isfinite(one.mean)) continue;
        if (step && one.step > latestStepFor(*step)) continue;
        if (found == nullptr || !step || std::abs(one.step - *step) <= std::abs(found->step - *step))
            found = &one;
    }
    return found;
}

// The run's score of this kind, if it has one. error: from the store.
Result<std::optional<RunScore>> scoreOf(StoreReader& reader, const RunRows& rows, ScoreKind kind,
                                        std::optional<std::int64_t> at_step) {
    RunScore score = rows.score;
    if (kind != ScoreKind::training) {
        score.greedy = kind == ScoreKind::greedy;
        const EvaluationRecord* evaluation = evaluationAt(rows.evaluations, score.greedy, at_step);
        if (evaluation == nullptr) return std::nullopt;
        score.score = evaluation->mean;
        score.evaluated = true;
        score.steps = evaluation->step;
        return score;
    }
    SEEDBED_ASSIGN(const std::vector<EpisodeRecord> episodes,
                   reader.episodes(score.id, kNewestEpisodes,
                                   at_step.value_or(std::numeric_limits<std::int64_t>::max())));
    double sum = 0;
    for (const EpisodeRecord& episode : episodes) sum += episode.episode_return;
    if (episodes.empty() || !std::isfinite(sum)) return std::nullopt;
    score.steps = episodes.back().step;
    score.score = sum / static_cast<double>(episodes.size());
    return score;
}

// Scores of one kind for the runs. `lacking`: runs that have no score.
Result<LoadedScores> scoresOf(StoreReader& reader, const std::vector<RunRows>& runs, ScoreKind kind,
                              ScoreAt at) {
    LoadedScores loaded;
    loaded.kind = kind;
    std::vector<RunScore> known;
    for (const RunRows& run : runs) {
        SEEDBED_ASSIGN(std::optional<RunScore> score, scoreOf(reader, run, kind, {}));
        if (score) known.push_back(*score);
        loaded.scores.push_back(std::move(score));
    }
    const std::vector<std::int64_t> steps = commonSteps(known);
    const std::set<std::int64_t> different(steps.begin(), steps.end());
    for (const std::int64_t step : different)
        if (step > 0) loaded.common_steps.push_back(step);
    loaded.aligned = at == ScoreAt::common_step && !loaded.common_steps.empty();
    std::size_t next = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        std::optional<RunScore>& score = loaded.scores[i];
        if (score) {
            const std::int64_t step = steps[next++];
            if (loaded.aligned && step > 0 && score->steps > latestStepFor(step)) {
                SEEDBED_ASSIGN(score, scoreOf(reader, runs[i], kind, step));
            }
        }
        if (!score) loaded.lacking.push_back(runs[i].score.id);
    }
    return loaded;
}

}  // namespace

Curve curveOf(const MetricCurve& metric) {
    return {{metric.steps.begin(), metric.steps.end()}, metric.values};
}

Json groupConfig(const RunDetails& details, ScoreAt at) {
    Json config = configOverTime(details.config, details.changes);
    return at == ScoreAt::common_step ? withoutGoals(std::move(config)) : config;
}

Result<RunScore> loadScore(StoreReader& reader, RunId run, std::optional<std::int64_t> at_step) {
    SEEDBED_ASSIGN(const RunRows rows, loadRows(reader, run, ScoreAt::last_step));
    for (const ScoreKind kind : {ScoreKind::greedy, ScoreKind::sampled, ScoreKind::training}) {
        SEEDBED_ASSIGN(std::optional<RunScore> score, scoreOf(reader, rows, kind, at_step));
        if (score) return std::move(*score);
    }
    return fail(ErrorCode::config, "run " + std::to_string(run) +
                                       " has no evaluation and no finished episode yet" +
                                       (at_step ? " at step " + std::to_string(*at_step) : ""));
}

Result<LoadedScores> loadScores(StoreReader& reader, const std::vector<RunId>& runs, ScoreAt at,
                                std::optional<ScoreKind> kind) {
    std::vector<RunRows> rows;
    for (const RunId run : runs) {
        SEEDBED_ASSIGN(RunRows of_run, loadRows(reader, run, at));
        rows.push_back(std::move(of_run));
    }
    if (kind) return scoresOf(reader, rows, *kind, at);
    // The kind of score that most runs have; evaluations are preferred.
    std::optional<LoadedScores> best;
    std::vector<RunId> unevaluated = runs;
    for (const ScoreKind one : {ScoreKind::greedy, ScoreKind::sampled, ScoreKind::training}) {
        SEEDBED_ASSIGN(LoadedScores loaded, scoresOf(reader, rows, one, at));
        if (one != ScoreKind::training && loaded.lacking.size() < unevaluated.size())
            unevaluated = loaded.lacking;
        if (!best || loaded.lacking.size() < best->lacking.size()) best = std::move(loaded);
    }
    best->unevaluated = std::move(unevaluated);
    return std::move(*best);
}

Result<RunView> loadView(StoreReader& reader, RunId run, const std::stop_token& stop) {
    SEEDBED_ASSIGN(const RunDetails details, reader.details(run));
    RunView view;
    view.id = run;
    view.config = details.config;
    view.steps = details.run.progress.steps;
    view.status = details.run.status;
    view.status_text = details.run.status_text;
    view.events = details.events;
    view.segments = details.segments;
    for (const CheckpointRecord& one : details.checkpoints)
        view.saved_step = std::max(view.saved_step, one.step);
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
