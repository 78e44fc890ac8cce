// SPDX-License-Identifier: Apache-2.0
// Loads the input for comparisons and for the training doctor from the database.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/analysis/comparison.hpp"
#include "core/analysis/doctor/findings.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed {

// Number of the latest episodes whose mean is the score of a run without evaluations; also used by the
// training doctor.
inline constexpr std::size_t kNewestEpisodes = 100;

// The kind of returns whose mean is a score. A comparison uses one kind.
enum class ScoreKind : std::uint8_t {
    greedy,   // the episodes of an evaluation with the most probable actions
    sampled,  // the episodes of an evaluation with sampled actions
    training  // the latest kNewestEpisodes training episodes
};

// The score of a run: the mean of its latest evaluation, or of its latest training episodes. at_step: the
// score at that step, from the nearest evaluation up to latestStepFor(at_step), or from the latest episodes
// up to that step. error: from the store; config if the run has neither.
Result<RunScore> loadScore(StoreReader& reader, RunId run, std::optional<std::int64_t> at_step = {});

// The settings by which a run is grouped: configOverTime(), without goals for ScoreAt::common_step.
Json groupConfig(const RunDetails& details, ScoreAt at);

struct LoadedScores {
    // One per requested run; empty if it has no score, or none at the step.
    std::vector<std::optional<RunScore>> scores;
    // For each task whose runs have different numbers of steps, the step at which to compare them; ascending.
    // Also filled for ScoreAt::last_step.
    std::vector<std::int64_t> common_steps;
    bool aligned = false;  // scores were taken at common_steps
    ScoreKind kind = ScoreKind::greedy;
    std::vector<RunId> lacking;      // runs without a score of this kind (at that step)
    std::vector<RunId> unevaluated;  // runs without evaluations, which are the reason why `kind` is training
};
// Scores of one kind: `kind`, or else the first one that all runs have, or else the one that most runs have.
// error: from the store.
Result<LoadedScores> loadScores(StoreReader& reader, const std::vector<RunId>& runs, ScoreAt at,
                                std::optional<ScoreKind> kind = {});
// The caller adds the base and the facts about the environment. Curves of more than 20,000 points are reduced
// to the means of 20,000 intervals. error: from the store; interrupted after a stop request.
Result<RunView> loadView(StoreReader& reader, RunId run, const std::stop_token& stop = {});
// A metric as a curve over steps.
Curve curveOf(const MetricCurve& metric);

}  // namespace seedbed
