// SPDX-License-Identifier: Apache-2.0
// Runs of another data folder that were checked, in a database of their own beside ours. Inner part of core/store.
#pragma once

#include <filesystem>
#include <memory>

#include "core/base/error.hpp"
#include "core/store/database.hpp"
#include "core/store/records.hpp"

namespace seedbed {

// A run whose import has not ended has a unique id that begins with this. Readers pass it over.
inline constexpr const char* kUnfinishedImport = "importing-";
inline constexpr const char* kShownRuns = "id NOT IN (SELECT id FROM runs WHERE uid GLOB 'importing-*')";

// Removes a run with all its rows, in short transactions.
Result<> removeInParts(Database& database, WriteLockFile& lock, RunId run);
// Those that crashes have left.
Result<> removeUnfinishedImports(const std::filesystem::path& data_folder, Database& database, WriteLockFile& lock);

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
