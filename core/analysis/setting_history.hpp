// SPDX-License-Identifier: Apache-2.0
// A run's settings over time, from its latest settings and their changes.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "core/store/records.hpp"

namespace seedbed {

// Whether a change affects learning: false for changes of the run's goal (run.steps, run.minutes,
// run.target_return), of threads, or of another setting that withoutSeed() removes.
bool affectsLearning(const SettingChange& change);

// The settings that the run began with, except that the goals are the latest ones.
Json originalConfig(const Json& newest, const std::vector<SettingChange>& changes);

// The settings for grouping runs: the original ones, except that a setting whose changes affect learning has
// its values over time as text: "0.005 (0.0001 from step 20,480)". Values that applied to no step are
// omitted.
Json configOverTime(const Json& newest, const std::vector<SettingChange>& changes);

// Removes the run's goals. They determine when a run stops but not its parameters at a given step: the length
// of schedules is a separate setting (algo.lr_horizon), which remains.
Json withoutGoals(Json config);

// Formats a change, for example "20,480: algo.learning_rate 0.005 -> 0.0001 (resume)".
std::string changeText(const SettingChange& change);

}  // namespace seedbed
