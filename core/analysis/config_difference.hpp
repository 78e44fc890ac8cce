// SPDX-License-Identifier: Apache-2.0
// Differences between configurations.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace seedbed {

// A field in which configurations differ.
struct ConfigDifference {
    std::string field;         // algo.learning_rate
    std::vector<Json> values;  // one per configuration; null if it lacks the field
};

// Fields that differ, in the order of the first configuration; fields that it lacks are last.
std::vector<ConfigDifference> configDifferences(const std::vector<Json>& configs);
// Removes the seed and everything that affects neither the result nor its measurement: threads, intervals of
// evaluations and checkpoints, handling of stalls. Keeps, for example, the planned length, greedy or sampled
// evaluation, device and engine.
Json withoutSeed(const Json& config);
// Whether returns of runs with these configurations are comparable: same environment and parameters, and the
// same changes to the game by wrappers.
bool sameTask(const Json& a, const Json& b);

}  // namespace seedbed
