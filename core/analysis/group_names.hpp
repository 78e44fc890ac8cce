// SPDX-License-Identifier: Apache-2.0
// What groups of runs are called beside each other: the settings that tell them apart, the most telling ones
// first.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace seedbed {

enum class FieldNames : bool {
    whole,     // algo.learning_rate=0.01; for the command line, where a setting is written like that
    last_part  // learning_rate=0.01; whole where two settings end alike, and an algorithm by its name alone
};

// One per configuration (without seeds and what cannot change the result), no two alike where the
// configurations are not: the environment where there are several, and what differs among those of one: first
// the algorithm, then settings by the number of their values, last how long runs are. Settings that only one
// algorithm has say no more than its name, and a limit of 0 is none. Where nothing differs: environment and
// algorithm.
std::vector<std::string> groupNames(const std::vector<Json>& configs, FieldNames names);

}  // namespace seedbed
