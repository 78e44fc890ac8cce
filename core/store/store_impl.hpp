// SPDX-License-Identifier: Apache-2.0
// What the files that implement Store share: the connection, its lock, and checks. Inner part of core/store.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/database.hpp"
#include "core/store/maintenance.hpp"
#include "core/store/run_lock.hpp"
#include "core/store/staged_runs.hpp"
#include "core/store/store.hpp"

namespace seedbed {

Result<> checkTagText(const std::string& tag);
// Printable characters only.
bool isPrintableText(std::string_view text);

struct Store::Impl {
    std::filesystem::path folder;
    System system;
    WriteLockFile lock;
    std::unique_ptr<Database> database;

    // All of these belong into a transaction of the caller.
    Result<> addTags(RunId run, const std::vector<std::string>& tags);
    Result<> checkNameIsFree(std::string_view name, RunId but);
    Result<> checkExists(RunId run);
    Result<RunId> insert(const NewRun& run);
    // A new run has no checkpoints: what lies in its folder must not be taken for its own. Before the commit;
    // returns where it is now, "" for nothing.
    Result<std::string> moveForeignCheckpoints(RunId run) const;
    // Rows beyond `step` in the tables that hold single rows; the best mark goes to what is left.
    Result<> supersedeRows(RunId run, std::int64_t step, std::int64_t segment);

    // These are the parts of an import, and make their own transactions.
    Result<> findKnown(const std::string& uid, ImportedRun& run);
    Result<ImportedRun> stage(const std::filesystem::path& file, Database& source, const Statement& row,
                              Database& staging);
    Result<> importStagedRuns(const StagedRuns& staged, std::vector<ImportedRun>& runs,
                              const CheckpointCopier& copier);
    Result<> importStagedRun(ImportedRun& run, const CheckpointCopier& copier);
    // A run that is here already and lacks checkpoints that an earlier import could not copy.
    Result<> addMissingCheckpoints(const ImportedRun& run, const CheckpointCopier& copier);
    // Of one run: a row that readers pass over, what belongs to it in many transactions, and the moment in
    // which it appears. `owner` holds it meanwhile.
    Result<> begin(RunId there, ImportedRun& run, std::optional<RunLock>& owner);
    Result<> moveRows(RunId there, RunId here);
    Result<> moveBlocks(RunId there, std::int64_t series);
    Result<> show(RunId there, ImportedRun& run, const std::vector<CopiedCheckpoint>& before,
                  const std::vector<CopiedCheckpoint>& after);
    Result<> findStaged(RunId there, ImportedRun& run);
};

}  // namespace seedbed
