// SPDX-License-Identifier: Apache-2.0
// Completes the database after a run's process exited before writing all its rows: the database was locked,
// moved or full, or the process was killed between saving a checkpoint and recording it.
#pragma once

#include <chrono>
#include <filesystem>

#include "core/base/error.hpp"
#include "core/base/os/system.hpp"
#include "core/store/records.hpp"
#include "core/store/run_lock.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed {

// Writes rows that were saved with checkpoints and are missing from the database, lists checkpoints that are
// only on disk, and marks those that retention removed. The caller owns the run. No effect if nothing is
// missing; logs rows that cannot be written because the database is an older copy. error: the database could
// not be written within `timeout`.
Result<> catchUp(const System& system, const std::filesystem::path& data_folder, const RunLock& owner,
                 std::chrono::milliseconds timeout = std::chrono::seconds(30));

// As above, for a run that no process owns. No effect for other runs, which their owners complete.
Result<> catchUpRun(const System& system, const std::filesystem::path& data_folder, RunId run,
                    std::chrono::milliseconds timeout = std::chrono::seconds(30));
// As above, for all runs whose process was killed or could not write to the database when it stopped. Call it
// before `reader` lists the runs. Fast if there are no such runs. Ignores errors: the database may be locked
// or read-only.
void catchUpRuns(const System& system, const std::filesystem::path& data_folder, StoreReader& reader);

}  // namespace seedbed
