// SPDX-License-Identifier: Apache-2.0
#include "core/store/staged_runs.hpp"

#include <utility>

#include "core/base/os/temporary_files.hpp"
#include "core/store/schema.hpp"

namespace seedbed {

Result<StagedRuns> StagedRuns::create(const std::filesystem::path& data_folder, FileSystem& files) {
    StagedRuns staged(temporaryPathFor(data_folder / "import.db"), files);
    SEEDBED_ASSIGN(staged.database_, Database::open(staged.file_, Database::Access::create));
    // This file is not read after a crash, so it needs no journal.
    SEEDBED_TRY(staged.database_->execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF"));
    SEEDBED_TRY(staged.database_->execute("BEGIN"));
    for (const char* migration : storeMigrations()) SEEDBED_TRY(staged.database_->execute(migration));
    return staged;
}

StagedRuns::StagedRuns(StagedRuns&& other) noexcept
    : file_(std::exchange(other.file_, std::filesystem::path())),
      files_(other.files_),
      database_(std::move(other.database_)) {}

StagedRuns::~StagedRuns() {
    database_.reset();
    if (file_.empty()) return;
    (void)files_->remove(file_);
}

Result<> StagedRuns::finish() {
    SEEDBED_TRY(database_->execute("COMMIT"));
    database_.reset();
    return {};
}

}  // namespace seedbed
