// SPDX-License-Identifier: Apache-2.0
// Rules about the course of a run, regardless of its score.
#pragma once

#include <vector>

#include "core/analysis/doctor/measures.hpp"
#include "core/analysis/doctor/suspects.hpp"

namespace seedbed::doctor {

// Failures, non-finite numbers, a run without steps, a schedule that has ended, a machine that became slower.
std::vector<Finding> stateFindings(const RunView& run, const Outcome& outcome,
                                   const std::vector<Suspect>& suspects);

}  // namespace seedbed::doctor
