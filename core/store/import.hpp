// SPDX-License-Identifier: Apache-2.0
// Imports runs from the database of another data folder.
#pragma once

#include <chrono>
#include <cstdint>
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
    std::string moved_checkpoints;  // new path if a folder of another database was moved out of the way,
                                    // or ""
};

// A league of the imported file. An import adds what this data folder lacks.
struct ImportedLeague {
    std::string source_name;            // in the imported file
    std::string name;                   // in this data folder
    bool existed = false;               // this data folder already had the league
    int members = 0;                    // added members
    std::int64_t matches = 0;           // added matches
    std::vector<std::string> policies;  // hashes (params_sha256) of all members of the imported file that are
                                        // policies; their files are not copied
};

// A crafted file can make a statement arbitrarily slow. The limit applies to each row.
inline constexpr std::chrono::minutes kImportStepLimit{2};

// Imports the runs and leagues of a database file, which is untrusted and only read. `copier` is called for
// each run under its lock, after its rows have been imported, unless the run is being trained. error: the
// file is invalid (nothing was imported); disk full or stop requested (each run or league is complete or
// absent).
Result<std::vector<ImportedRun>> importDatabase(const std::filesystem::path& data_folder,
                                                const std::filesystem::path& file,
                                                const System& system = realSystem(),
                                                const CheckpointCopier& copier = {},
                                                const std::stop_token& stop = {},
                                                std::chrono::nanoseconds step_limit = kImportStepLimit,
                                                std::vector<ImportedLeague>* leagues = nullptr);

}  // namespace seedbed
