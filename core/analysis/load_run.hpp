// SPDX-License-Identifier: Apache-2.0
// Loads the input of comparisons and of the training doctor from the database.
#pragma once

#include <optional>
#include <stop_token>

#include "core/analysis/comparison.hpp"
#include "core/analysis/findings.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed {

// Number of newest episodes used for the score of a run without evaluations, and by the training doctor.
inline constexpr std::size_t kNewestEpisodes = 100;

// The score of a run: the mean of its newest evaluation, or of its newest training episodes. at_step: the
// score at that step, from the nearest evaluation not after latestStepFor() it, or from the newest episodes
// until then. error: the store's; config if the run has neither.
Result<RunScore> loadScore(StoreReader& reader, RunId run, std::optional<std::int64_t> at_step = {});

struct LoadedScores {
    // One per requested run; none if it has no score, or none at the step.
    std::vector<std::optional<RunScore>> scores;
    // One per task whose runs have different numbers of steps, in ascending order; also for
    // ScoreAt::last_step.
    std::vector<std::int64_t> common_steps;
    bool aligned = false;  // scores were taken at common_steps
};
// error: the store's.
Result<LoadedScores> loadScores(StoreReader& reader, const std::vector<RunId>& runs, ScoreAt at);
// The caller adds horizon and reference score, which depend on the environment. Curves of more than 20,000
// points are reduced to means of that many stretches. error: the store's; interrupted after a stop request.
Result<RunView> loadView(StoreReader& reader, RunId run, const std::stop_token& stop = {});
// A metric as a curve over steps.
Curve curveOf(const MetricCurve& metric);

}  // namespace seedbed
