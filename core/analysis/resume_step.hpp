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

// The step from which a resume continues, if the run ended after later steps without saving them: that of the
// newest checkpoint folder. The database may lack it, for example if it was locked when the run ended.
Result<std::optional<std::int64_t>> earlierStep(FileSystem& files, const std::filesystem::path& data_folder,
                                                const RunRecord& run);

}  // namespace seedbed
