// SPDX-License-Identifier: Apache-2.0
// Removes runs with their files permanently. Internal to core/store.
#pragma once

#include <filesystem>

#include "core/base/error.hpp"
#include "core/base/os/system.hpp"
#include "core/store/database.hpp"
#include "core/store/run_lock.hpp"
#include "core/store/write_lock.hpp"

namespace seedbed {

// Prefix of the unique id of a hidden run, whose removal has begun; version 0.1 also hid runs until their
// import was complete. Readers and views skip hidden runs.
inline constexpr const char* kHiddenUidPrefix = "importing-";
// SQL condition on a row of `runs`.
inline constexpr const char* kVisibleRuns = "id NOT IN (SELECT id FROM runs WHERE uid GLOB 'importing-*')";

// Removes a run that is in the trash: hides it, then removes its files (even if a full disk prevents hiding
// it) and, in short transactions, its rows. After an interruption removeHiddenRuns() completes the removal.
// If the run was restored in the meantime, changes nothing and returns false.
Result<bool> removeTrashedRun(const RunLock& owner, const std::filesystem::path& data_folder,
                              Database& database, WriteLockFile& lock, const System& system);
// Removes hidden runs left by crashes, with their files.
Result<> removeHiddenRuns(const std::filesystem::path& data_folder, Database& database, WriteLockFile& lock,
                          const System& system);
// Removes only the files of hidden runs, which can be large. Needs no database lock, so it is called at every
// start.
Result<> removeHiddenRunFiles(const std::filesystem::path& data_folder, Database& database,
                              const System& system);

}  // namespace seedbed
