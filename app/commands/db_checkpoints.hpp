// SPDX-License-Identifier: Apache-2.0
// Checks all checkpoints, for `seedbed db check`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/os/files.hpp"

namespace seedbed::app {

// Reads every checkpoint completely, including those without a database row (left by a killed process), and
// appends one sentence per problem: the damaged or missing file, and the checkpoint that a resume uses
// instead. A missing checkpoint that retention has removed is not reported. Adds the number of intact
// checkpoints to `good`.
Result<> checkCheckpoints(FileSystem& files, const Path& data_folder, std::vector<std::string>& problems,
                          std::int64_t& good);

}  // namespace seedbed::app
