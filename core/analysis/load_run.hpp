// SPDX-License-Identifier: Apache-2.0
// From the database to what comparisons and the training doctor look at.
#pragma once

#include <optional>
#include <stop_token>

#include "core/analysis/comparison.hpp"
#include "core/analysis/findings.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed {

// Episodes that stand for a run that was never evaluated, and that rules look at.
inline constexpr std::size_t kNewestEpisodes = 100;

// Score: the mean of the newest evaluation, else of the newest training episodes. error: the store's; config
// when the run has neither. at_step: as the run was then: of its evaluations the one closest to that step and
// not beyond latestStepFor() it, else the newest 100 episodes until then.
Result<RunScore> loadScore(StoreReader& reader, RunId run, std::optional<std::int64_t> at_step = {});

// The scores of runs, at the common step of each task or the newest ones.
struct LoadedScores {
    std::vector<std::optional<RunScore>>
        scores;  // of each run that was asked for; none: it has no score (yet, or at that step)
    std::vector<std::int64_t> common_steps;  // one per task whose runs are not equally far, rising; also when
                                             // they were not asked for
    bool aligned = false;                    // scores were taken at them
};
// error: the store's.
Result<LoadedScores> loadScores(StoreReader& reader, const std::vector<RunId>& runs, ScoreAt at);
// Without horizon and reference score, which the caller knows from the environment. Curves of more than
// 20,000 points are means of as many stretches. error: the store's; interrupted after a stop request.
Result<RunView> loadView(StoreReader& reader, RunId run, const std::stop_token& stop = {});
// A metric as a curve over steps.
Curve curveOf(const MetricCurve& metric);

}  // namespace seedbed
