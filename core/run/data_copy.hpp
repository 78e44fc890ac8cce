// SPDX-License-Identifier: Apache-2.0
// Runs from one data folder into another, rows and checkpoints: a copy that a run goes on from without a gap,
// or a sentence for what it lacks. What `seedbed db export` and `seedbed db import` do.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/system.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/store/maintenance.hpp"

namespace seedbed {

struct CopyReport {
    std::vector<ImportedRun> imported;  // of an import
    std::map<RunId, std::size_t>
        checkpoints;  // folders that were copied, by the number of the run in the copy
    std::vector<std::string>
        not_copied;  // one sentence for each checkpoint that rows of the copy name and that it lacks
};

// A new data folder with the runs (all of them when none is named), also of those that are going: of each,
// every row up to its newest checkpoint. A checkpoint that its run replaced meanwhile is noted as removed.
// The folder appears when it is complete; what a killed export left beside it goes with the next one of the
// same name. error: there is something of this name; or nothing was made.
Result<CopyReport> exportRuns(const Path& data_folder, const Path& target, const std::vector<RunId>& runs,
                              bool with_checkpoints, const System& system = realSystem());

// Takes in the runs of a data folder, or of its database file alone. Checkpoints come before their run
// appears, those that it has rows of; for a run that was here already, those that an earlier import could not
// bring. error: as importDatabase().
Result<CopyReport> importRuns(const Path& data_folder, const Path& source, bool with_checkpoints,
                              const System& system = realSystem());

// Whether retention, a newer one of the same step or a resume to an earlier step has taken away the folder
// `name` of this step.
Result<bool> wasReplaced(FileSystem& files, const Path& data_folder, RunId run, const std::string& name,
                         std::int64_t step, bool milestone);

}  // namespace seedbed
