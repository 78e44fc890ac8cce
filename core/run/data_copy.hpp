// SPDX-License-Identifier: Apache-2.0
// Copies runs with their rows and checkpoints between data folders, as `seedbed db export` and `seedbed db
// import` do. A copied run can be resumed without a gap; otherwise the report names the missing parts.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/os/system.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/store/import.hpp"

namespace seedbed {

struct CopyReport {
    std::vector<ImportedRun> imported;         // empty for an export
    std::vector<ImportedLeague> leagues;       // of an import; their policies are not copied
    std::map<RunId, std::size_t> checkpoints;  // number of copied folders, by the run's id in the copy
    std::vector<std::string> not_copied;  // one sentence for each checkpoint that has a row but no folder
    std::set<RunId> without_state;        // imported runs whose training state was omitted
};

// Creates a new data folder with `runs` (empty: all, and leagues) and their rows up to the newest checkpoint
// of each. Runs may be active; a checkpoint that was replaced is recorded as removed. The folder appears
// complete, after `finish` has added files, or not at all. Removes leftovers of killed exports. error:
// `target` exists, or could not be written.
Result<CopyReport> exportRuns(const Path& data_folder, const Path& target, const std::vector<RunId>& runs,
                              bool with_checkpoints, const System& system = realSystem(),
                              const std::stop_token& stop = {},
                              const std::function<Result<>(const Path& copy)>& finish = {});

struct ImportOptions {
    bool checkpoints = true;
    // Whether to also copy the training state (environments, optimiser, counters), which is needed for
    // resuming. Otherwise an import copies curves, settings and weights.
    bool trust = false;
};

// Imports the runs and leagues of a data folder, or of a database file alone. Checkpoints that have rows are
// copied after the rows of their run, under its lock; for a run that already exists, only those that earlier
// imports did not copy, or copied without the training state. error: as for importDatabase().
Result<CopyReport> importRuns(const Path& data_folder, const Path& source, const ImportOptions& options = {},
                              const System& system = realSystem(), const std::stop_token& stop = {});

// Whether the folder `name` of this step was removed by retention, by a newer checkpoint at the same step or
// by a resume at an earlier step.
Result<bool> wasReplaced(FileSystem& files, const Path& data_folder, RunId run, const std::string& name,
                         std::int64_t step, bool milestone);

}  // namespace seedbed
