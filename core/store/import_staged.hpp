// SPDX-License-Identifier: Apache-2.0
// The second half of an import: moves checked runs from the temporary database into the data folder's.
// Internal to core/store.
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

// Each run moves in one transaction, unchanged except for its name and the numbers of runs, curves and
// blocks. Its checkpoints are copied afterwards, under the run's lock; after a crash in between, the next
// import of the same run copies those that are missing.
class StagedImport {
public:
    // All of these must outlive this object.
    StagedImport(Store::Impl& store, const CheckpointCopier& copier, const std::stop_token& stop)
        : store_(store), copier_(copier), stop_(stop) {}

    // `runs[i].id` is the number in the temporary database on entry and in the data folder's on return.
    Result<> run(const StagedRuns& staged, std::vector<ImportedRun>& runs);

private:
    Result<> importRun(ImportedRun& run);
    // `owner`: the run's lock, unless another process has imported the run in the meantime.
    Result<> moveRun(ImportedRun& run, std::optional<RunLock>& owner);
    Result<> findStaged(RunId staged_id, ImportedRun& run);
    Result<> chooseFreeName(ImportedRun& run);
    Result<> insertRow(RunId staged_id, ImportedRun& run);
    Result<> copyCheckpoints(const ImportedRun& run);

    Store::Impl& store_;
    const CheckpointCopier& copier_;
    const std::stop_token& stop_;
    bool has_written_ = false;
};

}  // namespace seedbed
