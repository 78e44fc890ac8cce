// SPDX-License-Identifier: Apache-2.0
// Named, fixed pieces of training work, so that figures can be compared between machines, versions and other
// programs.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace seedbed::app {

struct BenchTask {
    std::string name;
    std::string what;
    std::string env;
    std::vector<std::pair<std::string, std::string>> settings;  // on plain defaults
    std::string preset = "none";                                // what they are laid over
    double solved = 0;  // > 0: measured is the time until 100 greedy episodes reach this mean
};

const std::vector<BenchTask>& benchTasks();

}  // namespace seedbed::app
