// SPDX-License-Identifier: Apache-2.0
// Imports runs from the database of another data folder.
#pragma once

#include <chrono>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/os/system.hpp"
#include "core/store/copied_checkpoints.hpp"
#include "core/store/records.hpp"

namespace seedbed {

struct ImportedRun {
    RunId source_id = 0;            // id in the imported file
    RunId id = 0;                   // id in this data folder
    std::string name;               // in this data folder; with a number appended if the name is taken
    bool existed = false;           // this data folder already had the run (same unique id)
    std::string moved_checkpoints;  // new path of a folder of another database that was moved out of the way;
                                    // otherwise ""
};

// A crafted file can make a statement arbitrarily slow. The limit applies to each row.
inline constexpr std::chrono::minutes kImportStepLimit{2};

// Imports the runs of a database file of another data folder. The file is untrusted and is only read.
// `copier` is called for each run under its lock, after its rows were imported, unless it is being trained.
// error: the file is invalid (nothing was imported); disk full or stop requested (a run has all rows or
// none).
Result<std::vector<ImportedRun>> importDatabase(const std::filesystem::path& data_folder,
                                                const std::filesystem::path& file,
                                                const System& system = realSystem(),
                                                const CheckpointCopier& copier = {},
                                                const std::stop_token& stop = {},
                                                std::chrono::nanoseconds step_limit = kImportStepLimit);

}  // namespace seedbed
