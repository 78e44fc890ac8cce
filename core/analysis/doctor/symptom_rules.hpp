// SPDX-License-Identifier: Apache-2.0
// Rules about the metrics of a run that has not reached its goal.
#pragma once

#include <vector>

#include "core/analysis/doctor/measures.hpp"

namespace seedbed::doctor {

std::vector<Finding> symptomFindings(const RunView& run);
// The finding for a run that missed its goal when no other finding explains why.
Finding missedGoal(const RunView& run, const Outcome& outcome);

}  // namespace seedbed::doctor
