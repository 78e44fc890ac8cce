// SPDX-License-Identifier: Apache-2.0
// Checkpoints of all runs together: read through, and taken in from another data folder. For `seedbed db`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/files.hpp"
#include "core/store/maintenance.hpp"

namespace seedbed::app {

// Reads every byte of every checkpoint, those without a row too (a process was killed before it could note them). A row without its
// checkpoint is a problem, unless retention has removed it: three newer ones are there then, and it was no milestone. A problem names the
// file and what is used instead. `good` counts.
Result<> checkCheckpoints(FileSystem& files, const Path& data_folder, std::vector<std::string>& problems, std::int64_t& good);

// Checkpoints of a run from one data folder to another, each one read with every byte checked. Damaged ones stay behind with a notice.
Result<std::size_t> copyCheckpoints(FileSystem& files, const Path& from, const Path& to, std::vector<std::string>& notices);

// Those of a run that was imported from `there`: all of a new run; of one that was here already those that its rows speak of and that are
// missing, because an earlier import was interrupted. Nothing while the run is trained.
Result<std::size_t> takeCheckpoints(FileSystem& files, const Path& there, const Path& data_folder, const ImportedRun& run,
                                    std::vector<std::string>& notices);

}  // namespace seedbed::app
