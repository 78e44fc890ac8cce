// SPDX-License-Identifier: Apache-2.0
// The controller of a population: starts the processes of its members round by round, and decides who copies
// whom. All state is in the database, so that another controller can continue at any time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "core/base/error.hpp"
#include "core/store/records.hpp"

namespace seedbed {

struct PopulationRun {
    std::filesystem::path data_folder;
    std::filesystem::path program;  // the executable of this program
    std::int64_t population = 0;
    int jobs = 1;                                      // members that train at the same time
    std::function<void(const std::string&)> report{};  // gets a line for each change
};

// The file with the output of a member's processes.
std::filesystem::path memberLog(const std::filesystem::path& data_folder, std::int64_t population,
                                int member);

// Trains until the last round is done. A member that fails is reported, and the others continue; the next
// round replaces it with a copy of a better one. error: all members failed; another controller is running; a
// cause that is not a member's; interrupted. A later call continues.
Result<> runPopulation(const PopulationRun& request, const std::stop_token& stop);

}  // namespace seedbed
