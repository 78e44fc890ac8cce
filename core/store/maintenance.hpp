// SPDX-License-Identifier: Apache-2.0
// The database as a whole: looked through, made smaller, copied out, taken in. What `seedbed db` does.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/store/records.hpp"

namespace seedbed {

struct DatabaseReport {
    std::vector<std::string> problems;  // one sentence each; empty: all is well
    std::int64_t version = 0, runs = 0, points = 0, episodes = 0;
    std::uint64_t bytes = 0;  // of the file and its log
};

// Reads everything: SQLite's own structures, references between tables, and that every curve has the points it says, in order. Disturbs
// nobody. error: it cannot even be opened.
Result<DatabaseReport> checkDatabase(const std::filesystem::path& data_folder);

struct VacuumReport {
    std::uint64_t bytes_before = 0, bytes_after = 0;
    std::int64_t removed_runs = 0;
};

// Gives space back; runs of the bin are removed for good when `empty_bin` (their ids come back, for whoever removes their files). Running
// runs wait meanwhile, and lose nothing.
Result<VacuumReport> vacuumDatabase(const std::filesystem::path& data_folder, bool empty_bin, std::vector<RunId>* removed = nullptr);

// A consistent copy of the runs (all of them when none is named) as a new database file; it appears complete or not at all. error: there is
// something of this name.
Result<> exportDatabase(const std::filesystem::path& data_folder, const std::filesystem::path& file, const std::vector<RunId>& runs);

struct ImportedRun {
    RunId there = 0, here = 0;
    std::string name;               // here; a name that was taken got a number
    bool known = false;             // it was here already (same unique id): nothing was taken in
    std::string checkpoints_there;  // their folder, relative to the other data folder
};

// Takes in the runs of a database file of another data folder, all of them or none. The file is not trusted: it must hold exactly our
// tables and views, be undamaged, and every row is checked and written anew. It is only read. error: what is wrong with it.
Result<std::vector<ImportedRun>> importDatabase(const std::filesystem::path& data_folder, const std::filesystem::path& file);

}  // namespace seedbed
