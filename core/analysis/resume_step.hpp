// SPDX-License-Identifier: Apache-2.0
// The step from which a run that ended early resumes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/os/files.hpp"
#include "core/store/records.hpp"

namespace seedbed {

// Marks checkpoints whose folder is missing as removed.
Result<> markMissing(FileSystem& files, const std::filesystem::path& data_folder,
                     std::vector<CheckpointRecord>& checkpoints);

// The step of the newest checkpoint folder, from which a resume continues; nullopt unless a run that ended
// early has a different number of steps in its rows. Rows may have more steps, which a killed process did not
// save, or fewer, if the database was locked when the run ended.
Result<std::optional<std::int64_t>> resumeStep(FileSystem& files, const std::filesystem::path& data_folder,
                                               const RunRecord& run);

}  // namespace seedbed
