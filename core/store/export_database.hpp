// SPDX-License-Identifier: Apache-2.0
// Copies runs to a separate database file.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/os/system.hpp"
#include "core/store/copied_checkpoints.hpp"
#include "core/store/records.hpp"

namespace seedbed {

// Writes a consistent copy of `runs` (empty: all, and leagues) to a new database file, which appears complete
// or not at all. With `lost`, a damaged database is copied row by row, and the names of tables with
// unreadable rows are added to `lost`. error: `file` exists, or could not be written; interrupted after a
// stop request.
Result<> exportDatabase(const std::filesystem::path& data_folder, const std::filesystem::path& file,
                        const std::vector<RunId>& runs, const System& system = realSystem(),
                        const CheckpointCopier& copier = {}, std::vector<std::string>* lost = nullptr,
                        const std::stop_token& stop = {});

}  // namespace seedbed
