// SPDX-License-Identifier: Apache-2.0
// Compacts the database and empties the trash.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/os/files.hpp"
#include "core/store/records.hpp"

namespace seedbed {

struct VacuumOptions {
    bool empty_trash = false;
    // Running jobs cannot save while the database is compacted, so a larger database is compacted only when
    // no run is active.
    std::uint64_t max_bytes_while_running = std::uint64_t{64} << 20;
};

struct VacuumReport {
    std::uint64_t bytes_before = 0, bytes_after = 0;
    std::vector<RunId> removed;         // runs that were in the trash
    std::vector<std::string> problems;  // one sentence for each failed step; the others succeeded
};

// Frees disk space: removes files left by crashes; then, if requested, the runs in the trash (files before
// rows, because the disk may be full; runs that are being trained are kept); then compacts the database.
// After an interruption the next call completes the work. error: the database cannot be opened.
Result<VacuumReport> vacuumDatabase(FileSystem& files, const std::filesystem::path& data_folder,
                                    const VacuumOptions& options = {});

}  // namespace seedbed
