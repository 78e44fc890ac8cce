// SPDX-License-Identifier: Apache-2.0
// The second half of an import: moves checked runs from the temporary database into the data folder's.
// Internal to core/store.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/store/import.hpp"
#include "core/store/run_lock.hpp"
#include "core/store/staged_runs.hpp"
#include "core/store/store_impl.hpp"

namespace seedbed {

// Sets id, name and `existed` of `run` if this database has a run with the same unique id.
Result<> findByUid(Database& database, const std::string& uid, ImportedRun& run);

// Rows move unchanged except for the numbers of runs, curves and blocks. Transactions are short so that
// running jobs do not wait long: the run stays hidden until its last transaction.
class StagedImport {
public:
    // Both outlive this object.
    StagedImport(Store::Impl& store, const CheckpointCopier& copier) : store_(store), copier_(copier) {}

    // `runs[i].id` is the number in the temporary database on entry and in the data folder's on return.
    Result<> run(const StagedRuns& staged, std::vector<ImportedRun>& runs);

private:
    Result<> importRun(ImportedRun& run);
    Result<> importOwned(RunId staged_id, ImportedRun& run, std::optional<RunLock>& owner);
    // For a run that already existed: copies checkpoints that an earlier import could not copy.
    Result<> addMissingCheckpoints(const ImportedRun& run);
    // Adds a hidden row, owned by this process.
    Result<> insertHiddenRun(RunId staged_id, ImportedRun& run, std::optional<RunLock>& owner);
    Result<> moveRows(RunId staged_id, RunId id);
    Result<> moveBlocks(RunId staged_id, std::int64_t series_offset);
    Result<> publish(RunId staged_id, ImportedRun& run, const std::vector<CopiedCheckpoint>& before,
                     const std::vector<CopiedCheckpoint>& after);
    // Another process may have imported the run in the meantime.
    Result<> findStaged(RunId staged_id, ImportedRun& run);

    Store::Impl& store_;
    const CheckpointCopier& copier_;
};

}  // namespace seedbed
