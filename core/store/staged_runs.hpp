// SPDX-License-Identifier: Apache-2.0
// A temporary database for the checked runs of an import. Internal to core/store.
#pragma once

#include <filesystem>
#include <memory>

#include "core/base/error.hpp"
#include "core/base/os/files.hpp"
#include "core/store/database.hpp"

namespace seedbed {

// Created next to the database under a temporary name. The destructor removes the file; after a crash it is
// removed with other stale files. Runs can save while an untrusted file is checked row by row, because the
// check needs no write lock. Moving the checked rows takes little time and cannot fail because of that file.
class StagedRuns {
public:
    static Result<StagedRuns> create(const std::filesystem::path& data_folder, FileSystem& files);
    StagedRuns(StagedRuns&& other) noexcept;
    StagedRuns& operator=(StagedRuns&&) = delete;
    ~StagedRuns();

    // Has Seedbed's tables and an open transaction until finish().
    Database& database() { return *database_; }
    // Commits and closes the database.
    Result<> finish();
    const std::filesystem::path& file() const { return file_; }

private:
    StagedRuns(std::filesystem::path file, FileSystem& files) : file_(std::move(file)), files_(&files) {}
    std::filesystem::path file_;
    FileSystem* files_;
    std::unique_ptr<Database> database_;
};

}  // namespace seedbed
