// SPDX-License-Identifier: Apache-2.0
// The second half of an import: moves checked runs and leagues from the temporary database into the data
// folder's database. Internal to core/store.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/store/import.hpp"
#include "core/store/run_lock.hpp"
#include "core/store/staged_runs.hpp"
#include "core/store/store_impl.hpp"

namespace seedbed {

// Sets id, name and `existed` of `run` if this database has a run with the same unique id.
Result<> findByUid(Database& database, const std::string& uid, ImportedRun& run);

// `name`, or with a number appended if `is_taken` (a statement whose parameter is a name) finds a row.
Result<std::string> freeName(const std::string& name, Statement& is_taken);

// Each run and league is moved in one transaction, unchanged except for its name and its numbers. A run's
// checkpoints are copied afterwards, under the run's lock; after a crash in between, the next
// import of the same run copies the missing checkpoints.
class StagedImport {
public:
    // All of these must outlive this object.
    StagedImport(Store::Impl& store, const CheckpointCopier& copier, const std::stop_token& stop)
        : store_(store), copier_(copier), stop_(stop) {}

    // `runs[i].id` is the number in the temporary database on entry, and in the data folder's database on
    // return. Appends to `leagues`.
    Result<> run(const StagedRuns& staged, std::vector<ImportedRun>& runs,
                 std::vector<ImportedLeague>& leagues);

private:
    Result<> importRun(ImportedRun& run);
    Result<> importLeagues(const std::vector<ImportedRun>& runs, std::vector<ImportedLeague>& leagues);
    // `owner` is set to the run's lock, unless another process has imported the run in the meantime.
    Result<> moveRun(ImportedRun& run, std::optional<RunLock>& owner);
    Result<> findStaged(RunId staged_id, ImportedRun& run);
    Result<> insertRow(RunId staged_id, ImportedRun& run);
    Result<> copyCheckpoints(const ImportedRun& run);

    Store::Impl& store_;
    const CheckpointCopier& copier_;
    const std::stop_token& stop_;
    bool has_written_ = false;
};

}  // namespace seedbed
