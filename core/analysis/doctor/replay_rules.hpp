// SPDX-License-Identifier: Apache-2.0
// Rules for runs that have not reached their goal and whose algorithm learns Q values, uses a replay buffer
// or learns a temperature.
#pragma once

#include <vector>

#include "core/analysis/doctor/measures.hpp"

namespace seedbed::doctor {

// Stale replay data, diverging Q values, priorities without effect, collapsed temperature.
std::vector<Finding> replayFindings(const RunView& run);

// Whether the mean Q value is far beyond every possible discounted return.
bool qDiverges(const RunView& run);
// Whether each decision is used so often that the size of the replay buffer matters.
bool replayIsStale(const RunView& run);

}  // namespace seedbed::doctor
