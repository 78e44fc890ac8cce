// SPDX-License-Identifier: Apache-2.0
// The database as a whole: looked through, made smaller, copied out, taken in. What `seedbed db` does.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/system.hpp"
#include "core/store/records.hpp"

namespace seedbed {

struct DatabaseReport {
    std::vector<std::string> problems;  // one sentence each; empty: all is well
    std::int64_t version = 0, runs = 0, points = 0, episodes = 0;
    std::uint64_t bytes = 0;  // of the file and its log
};

// Reads everything: SQLite's own structures, references between tables, and that every curve has the points
// it says, in order. Disturbs nobody. error: it cannot even be opened.
Result<DatabaseReport> checkDatabase(const std::filesystem::path& data_folder);

// Of the file and its log.
std::uint64_t databaseBytes(const std::filesystem::path& data_folder);

struct VacuumOptions {
    bool empty_trash = false;
    // Runs that are going cannot save anything while the database is made smaller: a larger one is left as it
    // is until they rest.
    std::uint64_t max_bytes_while_running = std::uint64_t{64} << 20;
};

struct VacuumReport {
    std::uint64_t bytes_before = 0, bytes_after = 0;
    std::vector<RunId> removed;  // runs of the bin
    std::vector<std::string>
        problems;  // one sentence for each thing that could not be done; the others were done
};

// Gives space back: removes what crashes left half made, then the runs of the bin for good when asked (their
// checkpoints, logs and rows, files first, so that a full disk gets room; one that is trained at the moment
// stays), then makes the database smaller. Whatever is interrupted is done by the next call. error: the
// database cannot be opened.
Result<VacuumReport> vacuumDatabase(FileSystem& files, const std::filesystem::path& data_folder,
                                    const VacuumOptions& options = {});

// A row of a copy that speaks of a checkpoint.
struct CopiedCheckpoint {
    RunId run = 0;
    std::int64_t step = 0, segment = 0;
    std::string name;  // of its folder, below that of the run's checkpoints
    std::string params_sha256;
    bool superseded = false;  // by a later segment of its run
    bool milestone = false;
    bool removed = false;  // there is no folder any more

    bool operator==(const CopiedCheckpoint&) const = default;
};

struct CopiedRun {
    RunId there = 0, here = 0;
    bool known = false;  // its rows were here before: only folders that they lack are wanted
};

// Called for each run of a copy before the copy appears: brings the folders that the rows speak of, and sets
// `removed` as it is true of the copy. error: the copy does not appear.
using CheckpointCopier = std::function<Result<>(const CopiedRun& run, std::vector<CopiedCheckpoint>& rows)>;

// A consistent copy of the runs (all of them when none is named) as a new database file; it appears complete
// or not at all. error: there is something of this name.
Result<> exportDatabase(const std::filesystem::path& data_folder, const std::filesystem::path& file,
                        const std::vector<RunId>& runs, const System& system = realSystem(),
                        const CheckpointCopier& copier = {});

struct ImportedRun {
    RunId there = 0, here = 0;
    std::string name;               // here; a name that was taken got a number
    bool known = false;             // it was here already (same unique id): nothing was taken in
    std::string moved_checkpoints;  // where the folder of its checkpoints went that lay here already and was
                                    // not its own; "" mostly
};

// Takes in the runs of a database file of another data folder. The file is not trusted: it must hold exactly
// our tables and views, be undamaged, and every row is checked and written anew. It is only read. error: what
// is wrong with it, then nothing was taken in; or the disk is full in the midst of it, then each run was
// taken in completely or not at all, and the next import goes on. `copier` works under the lock of the run;
// also for one that was here already, unless it is trained.
Result<std::vector<ImportedRun>> importDatabase(const std::filesystem::path& data_folder,
                                                const std::filesystem::path& file,
                                                const System& system = realSystem(),
                                                const CheckpointCopier& copier = {});

}  // namespace seedbed
