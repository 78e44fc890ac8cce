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

// Score: the mean of the newest evaluation, else of the newest training episodes. error: the store's; config when the run has neither.
Result<RunScore> loadScore(StoreReader& reader, RunId run);
// Without horizon and reference score, which the caller knows from the environment. Curves of more than 20,000 points are means of as many
// stretches. error: the store's; interrupted after a stop request.
Result<RunView> loadView(StoreReader& reader, RunId run, const std::stop_token& stop = {});
// A metric as a curve over steps.
Curve curveOf(const MetricCurve& metric);

}  // namespace seedbed
