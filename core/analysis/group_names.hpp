// SPDX-License-Identifier: Apache-2.0
// Names of groups of runs: the settings in which they differ, most important first.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace seedbed {

enum class FieldNames : bool {
    whole,     // algo.learning_rate=0.01, as on the command line
    last_part  // learning_rate=0.01; the whole key if two end in the same part; an algorithm's name
               // alone
};

// One name per configuration (after withoutSeed()); different configurations get different names. A name
// contains the environment, if there are several, and the settings that differ: first the algorithm, then the
// settings with the most values, and finally the length of runs. Skipped: settings that only one algorithm
// has, and limits of 0. If no setting differs: environment and algorithm.
std::vector<std::string> groupNames(const std::vector<Json>& configs, FieldNames names);

// Shortens the middle of names that are longer than `columns`, except those that would become equal.
std::vector<std::string> shortNames(const std::vector<std::string>& names, std::size_t columns);

// Each label up to the settings that distinguish all labels; the value alone for a single setting, for
// example "ppo" for "algo.id=ppo, algo.learning_rate=0.001".
std::vector<std::string> distinctNames(const std::vector<std::string>& labels);

}  // namespace seedbed
