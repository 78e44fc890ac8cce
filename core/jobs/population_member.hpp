// SPDX-License-Identifier: Apache-2.0
// The work of one member of a population: takes the learner of another member, or trains until the round
// ends.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>

#include "core/base/error.hpp"
#include "core/store/run_lock.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed {

// The lock of a population's controller (member 0) or of a member's process.
RunId populationLock(std::int64_t population, int member);

// The value of a metric at the end of a round: the mean of the points in the last quarter of the steps from
// `begin` to `end`, otherwise the newest point in the round. Empty if no point is in the round. error: config
// if the run records other metrics only.
Result<std::optional<double>> objectiveOf(StoreReader& reader, RunId run, const std::string& metric,
                                          std::int64_t begin, std::int64_t end);

// Does the work of a member in the newest round, if this is still `round` and its state `state`, and records
// the result or failure. Waits for another process that does it. `cache_folder`: as in ResumeRequest. error:
// a cause that is not the member's, such as a full disk; interrupted: the run was stopped. A repetition
// continues.
struct MemberTask {
    std::int64_t population = 0;
    int member = 0;
    std::int64_t round = 0;
    std::string state;  // nameOf(RoundState)
};
Result<> workOnMember(const std::filesystem::path& data_folder, const MemberTask& task,
                      const std::filesystem::path& cache_folder, const std::stop_token& stop);

}  // namespace seedbed
