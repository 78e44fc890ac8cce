// SPDX-License-Identifier: Apache-2.0
// Named benchmark tasks with fixed settings, comparable between machines, versions and other programs.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace seedbed::app {

struct BenchTask {
    std::string name;
    std::string summary;
    std::string env;
    std::vector<std::pair<std::string, std::string>> settings;  // applied to the preset
    std::string preset = "none";                                // "none": the defaults
    double solved = 0;  // > 0: measure the time until 100 greedy episodes reach this mean
};

const std::vector<BenchTask>& benchTasks();

}  // namespace seedbed::app
