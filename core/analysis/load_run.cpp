// SPDX-License-Identifier: Apache-2.0
// Reads a run's score and its curves.
#include "core/analysis/load_run.hpp"

#include <cmath>

namespace seedbed {

namespace {

// Of one metric, for the rules: longer curves are means of as many stretches, so that an examination of a long run takes no longer.
constexpr std::size_t kMostPoints = 20'000;

}  // namespace

Curve curveOf(const MetricCurve& metric) { return {{metric.steps.begin(), metric.steps.end()}, metric.values}; }

Result<RunScore> loadScore(StoreReader& reader, RunId run) {
    SEEDBED_ASSIGN(const RunDetails details, reader.details(run));
    RunScore score{.id = run, .name = details.run.name, .config = details.config};
    score.going_on = details.run.status == RunStatus::queued || isLive(details.run.status);
    if (!details.evaluations.empty() && std::isfinite(details.evaluations.back().mean)) {
        score.score = details.evaluations.back().mean;
        score.evaluated = true, score.steps = details.evaluations.back().step;
        return score;
    }
    SEEDBED_ASSIGN(const std::vector<EpisodeRecord> episodes, reader.episodes(run, kNewestEpisodes));
    double sum = 0;
    for (const EpisodeRecord& episode : episodes) sum += episode.episode_return;
    if (episodes.empty() || !std::isfinite(sum))
        return fail(ErrorCode::config, "run " + std::to_string(run) + " has no evaluation and no finished episode yet");
    score.steps = episodes.back().step;
    score.score = sum / static_cast<double>(episodes.size());
    return score;
}

Result<RunView> loadView(StoreReader& reader, RunId run, const std::stop_token& stop) {
    SEEDBED_ASSIGN(const RunDetails details, reader.details(run));
    RunView view;
    view.config = details.config;
    view.steps = details.run.progress.steps;
    SEEDBED_ASSIGN(const std::vector<std::string> names, reader.metricNames(run));
    for (const std::string& name : names) {
        if (stop.stop_requested()) return fail(ErrorCode::interrupted, "no longer wanted");
        SEEDBED_ASSIGN(const MetricSummary metric, reader.metricSummary(run, name, kMostPoints));
        Curve& curve = view.metrics[name];
        for (const MetricSummary::Stretch& stretch : metric.stretches)
            curve.x.push_back(static_cast<double>(stretch.last_step)), curve.y.push_back(stretch.mean);
    }
    SEEDBED_ASSIGN(const std::vector<EpisodeRecord> episodes, reader.episodes(run, kNewestEpisodes));
    for (const EpisodeRecord& episode : episodes) view.episode_lengths.push_back(episode.length);
    return view;
}

}  // namespace seedbed
