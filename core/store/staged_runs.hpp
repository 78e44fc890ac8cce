// SPDX-License-Identifier: Apache-2.0
// Runs of another data folder that were checked, in a database of their own beside ours. Inner part of
// core/store.
#pragma once

#include <filesystem>
#include <memory>

#include "core/base/error.hpp"
#include "core/store/database.hpp"
#include "core/store/maintenance.hpp"
#include "core/store/records.hpp"
#include "core/store/run_lock.hpp"

namespace seedbed {

// A run whose import has not ended has a unique id that begins with this, and so has one whose removal has
// begun. Readers and views pass it over.
inline constexpr const char* kHiddenUidPrefix = "importing-";
inline constexpr const char* kVisibleRuns = "id NOT IN (SELECT id FROM runs WHERE uid GLOB 'importing-*')";

// Removes a run with all that belongs to it: hides it, then its files, also when a full disk keeps it from
// being hidden, then its rows in short transactions. removeHiddenRuns() finishes what a crash
// interrupts.
Result<> removeRun(const RunLock& owner, const std::filesystem::path& data_folder, Database& database,
                   WriteLockFile& lock, const System& system);
// Hidden runs that crashes have left, with their files.
Result<> removeHiddenRuns(const std::filesystem::path& data_folder, Database& database, WriteLockFile& lock,
                          const System& system);
// Their files only, which may be large and take no lock of the database: for every start.
Result<> removeHiddenRunFiles(const std::filesystem::path& data_folder, Database& database,
                              const System& system);

// The checkpoints that the rows of a run speak of.
Result<std::vector<CopiedCheckpoint>> checkpointRowsOf(Database& database, RunId run);
// Writes which folders are there, where that has changed. Inside of a transaction of the caller.
Result<> updateRemovedFlags(Database& database, const std::vector<CopiedCheckpoint>& before,
                            const std::vector<CopiedCheckpoint>& after);

// The file has a name that means nothing, and is gone with this object, or after a crash with the leftovers.
class StagedRuns {
public:
    static Result<StagedRuns> create(const std::filesystem::path& data_folder, FileSystem& files);
    StagedRuns(StagedRuns&& other) noexcept;
    StagedRuns& operator=(StagedRuns&&) = delete;
    ~StagedRuns();

    // With our tables and an open transaction, until finish().
    Database& database() { return *database_; }
    Result<> finish();
    const std::filesystem::path& file() const { return file_; }

private:
    StagedRuns(std::filesystem::path file, FileSystem& files) : file_(std::move(file)), files_(&files) {}
    std::filesystem::path file_;
    FileSystem* files_;
    std::unique_ptr<Database> database_;
};

}  // namespace seedbed
