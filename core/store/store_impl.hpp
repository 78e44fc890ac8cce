// SPDX-License-Identifier: Apache-2.0
// State and checks that the sources of Store share. Internal to core/store.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/database.hpp"
#include "core/store/store.hpp"
#include "core/store/write_lock.hpp"

namespace seedbed {

Result<> checkTagText(const std::string& tag);
// Whether the text contains printable characters only.
bool isPrintableText(std::string_view text);

struct Store::Impl {
    std::filesystem::path folder;
    System system;
    WriteLockFile lock;
    std::unique_ptr<Database> database;

    // Call within a transaction.
    Result<> addTags(RunId run, const std::vector<std::string>& tags);
    // error: the name is not allowed, or a run other than `except` has it.
    Result<> checkNameIsFree(std::string_view name, RunId except);
    Result<> checkExists(RunId run);
    Result<RunId> insert(const NewRun& run);
    // A new run has no checkpoints, so an existing folder belongs to another database and is renamed. Called
    // before the commit. Returns the new path, or "".
    Result<std::string> moveForeignCheckpoints(RunId run) const;
    // Supersedes rows beyond `step` in the tables with one row per item, and marks the best of the remaining
    // checkpoints.
    Result<> supersedeRows(RunId run, std::int64_t step, std::int64_t segment);
};

// Stores the new settings of a run and one row for each key whose value changes. Keys that are missing in the
// stored settings, which an older version wrote, do not count as changes. Call within a transaction.
Result<> changeConfig(Database& database, RunId run, const ConfigChange& change);

// For a run that returns to `change.step` with the settings `change.document` (null: the stored ones):
// removes from the history all changes from that step on. Settings that still differ from their values before
// that step are recorded as changes at that step. Call within a transaction.
Result<> returnToConfig(Database& database, RunId run, ConfigChange change);

}  // namespace seedbed
