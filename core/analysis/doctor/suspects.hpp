// SPDX-License-Identifier: Apache-2.0
// Settings that a run changes relative to its base, ranked by how well they explain why the run missed its
// goal.
#pragma once

#include <string>
#include <vector>

#include "core/analysis/doctor/findings.hpp"

namespace seedbed::doctor {

struct Suspect {
    std::string key;  // algo.learning_rate
    Json from, to;    // values in the base and in the run
    // Roughly the factor of the change, in powers of ten, plus evidence from the metrics; see suspects.cpp.
    double strength = 0;
    const char* rule = "";
    const char* title = "";
    const char* cause = "";
    bool diverges = false;  // this change makes updates larger
};

// Strongest first; omits changes that do not affect training.
std::vector<Suspect> suspectsOf(const RunView& run);

// The finding that blames `suspect` for the missed goal and suggests the value of the base.
Finding blame(const RunView& run, const Suspect& suspect);

}  // namespace seedbed::doctor
