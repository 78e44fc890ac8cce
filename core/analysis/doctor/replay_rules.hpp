// SPDX-License-Identifier: Apache-2.0
// Rules about the metrics of algorithms that learn Q values, from a replay, or with a learned temperature, of
// a run that has not reached its goal.
#pragma once

#include <vector>

#include "core/analysis/doctor/measures.hpp"

namespace seedbed::doctor {

// Stale replay, diverging Q values, priorities without effect, collapsed temperature.
std::vector<Finding> replayFindings(const RunView& run);

// Whether the mean Q value is far beyond every possible discounted return.
bool qDiverges(const RunView& run);
// Whether decisions are learned from so often that the replay's size matters.
bool replayIsStale(const RunView& run);

}  // namespace seedbed::doctor
