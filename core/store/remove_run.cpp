// SPDX-License-Identifier: Apache-2.0
#include "core/store/remove_run.hpp"

#include <string>
#include <vector>

#include "core/base/os/files.hpp"
#include "core/base/os/temporary_files.hpp"

namespace seedbed {
namespace {

// Limits of one transaction:
constexpr int kBlocksPerTurn = 128;   // blocks of up to 512 points, with their buckets
constexpr int kRowsPerTurn = 10'000;  // rows of other tables

// Statements for tables with many rows per run, which remove up to ?2 rows of run ?1. Rows of other tables
// are removed together with the run.
struct LargeRemoval {
    const char* sql;
    int at_once;
};
constexpr LargeRemoval kLargeRemovals[] = {
    {"DELETE FROM metric_blocks WHERE id IN (SELECT b.id FROM metric_series s JOIN metric_blocks b ON "
     "b.series_id = s.id WHERE s.run_id = "
     "?1 LIMIT ?2)",
     kBlocksPerTurn},
    {"DELETE FROM episode_rows WHERE run_id = ?1 AND number IN (SELECT number FROM episode_rows WHERE run_id "
     "= ?1 ORDER BY number LIMIT "
     "?2)",
     kRowsPerTurn},
    {"DELETE FROM evaluation_rows WHERE id IN (SELECT id FROM evaluation_rows WHERE run_id = ?1 LIMIT ?2)",
     kRowsPerTurn},
    {"DELETE FROM event_rows WHERE id IN (SELECT id FROM event_rows WHERE run_id = ?1 LIMIT ?2)",
     kRowsPerTurn},
    {"DELETE FROM artifact_rows WHERE id IN (SELECT id FROM artifact_rows WHERE run_id = ?1 LIMIT ?2)",
     kRowsPerTurn}};

// Removes all files of a run except its lock.
Result<> removeFilesOf(FileSystem& files, const std::filesystem::path& data_folder, RunId run) {
    const std::string name = "run-" + std::to_string(run);
    const Path checkpoints = data_folder / "checkpoints" / std::to_string(run);
    SEEDBED_ASSIGN(const auto folder, files.info(checkpoints.parent_path()));
    if (folder) {
        // Folders left by an interrupted removal; only the owner of the run creates them.
        SEEDBED_ASSIGN(const auto entries, files.list(checkpoints.parent_path()));
        const std::string begin = "." + checkpoints.filename().string() + ".";
        for (const FileInfo& entry : entries)
            if (entry.name.starts_with(begin) && entry.name.ends_with(".tmp"))
                SEEDBED_TRY(removeTree(files, checkpoints.parent_path() / entry.name));
    }
    SEEDBED_ASSIGN(const auto existing, files.info(checkpoints));
    if (existing) {
        // Renamed first, so that a partly removed folder is never mistaken for the run's checkpoints.
        const Path temporary = temporaryPathFor(checkpoints);
        SEEDBED_TRY(files.rename(checkpoints, temporary));
        SEEDBED_TRY(removeTree(files, temporary));
    }
    for (const Path& file :
         {data_folder / "logs" / (name + ".log"), data_folder / "control" / (name + ".sock")}) {
        SEEDBED_ASSIGN(const auto found, files.info(file));
        if (found) SEEDBED_TRY(files.remove(file));
    }
    return {};
}

// Executes one statement in its own transaction; returns the number of changed rows.
template <class... Args>
Result<std::int64_t> change(Database& database, WriteLockFile& lock, const char* sql, const Args&... args) {
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(database, lock));
    SEEDBED_ASSIGN(Statement statement, database.prepare(sql));
    SEEDBED_TRY(statement.run(args...));
    SEEDBED_ASSIGN(const std::int64_t changed, database.integer("SELECT changes()"));
    SEEDBED_TRY(transaction.commit());
    return changed;
}

// Call within a write transaction, so that the result remains valid until the transaction ends.
Result<bool> isInTrash(Database& database, RunId run) {
    SEEDBED_ASSIGN(const std::int64_t found,
                   database.integer("SELECT count(*) FROM runs WHERE in_bin = 1 AND id = " +
                                    std::to_string(run) + " AND NOT uid GLOB 'importing-*'"));
    return found == 1;
}

// Hides the run from readers; removeHiddenRuns() completes an interrupted removal. Returns false if the run
// is no longer in the trash.
Result<bool> hide(Database& database, WriteLockFile& lock, RunId run) {
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(database, lock));
    SEEDBED_ASSIGN(const bool trashed, isInTrash(database, run));
    if (!trashed) return false;
    SEEDBED_ASSIGN(Statement update,
                   database.prepare("UPDATE runs SET uid = ?2 || uid, name = NULL WHERE id = ?1"));
    SEEDBED_TRY(update.run(run, kHiddenUidPrefix));
    SEEDBED_TRY(transaction.commit());
    return true;
}

Result<> removeRows(Database& database, WriteLockFile& lock, RunId run) {
    for (const LargeRemoval& part : kLargeRemovals) {
        std::int64_t removed = part.at_once;
        while (removed == part.at_once) {
            SEEDBED_ASSIGN(removed, change(database, lock, part.sql, run, part.at_once));
        }
    }
    return change(database, lock, "DELETE FROM runs WHERE id = ?", run).map([](std::int64_t) {});
}

// Locks of all hidden runs that no process owns.
Result<std::vector<RunLock>> lockHiddenRuns(const std::filesystem::path& data_folder, Database& database,
                                            const System& system) {
    std::vector<RunId> hidden;
    SEEDBED_ASSIGN(Statement list, database.prepare("SELECT id FROM runs WHERE uid GLOB 'importing-*'"));
    SEEDBED_TRY(list.each([&] { hidden.push_back(list.integer(0)); }));
    std::vector<RunLock> owned;
    for (const RunId run : hidden) {
        auto owner = RunLock::acquire(data_folder, run, system);
        if (!owner && RunLock::isHeld(data_folder, run)) continue;
        if (!owner) return tl::unexpected<Error>(owner.error());
        owned.push_back(std::move(*owner));
    }
    return owned;
}

// Removes a run that is already hidden, with its files.
Result<> removeHiddenRun(const RunLock& owner, const std::filesystem::path& data_folder, Database& database,
                         WriteLockFile& lock, const System& system) {
    const RunId run = owner.run();
    SEEDBED_TRY(removeFilesOf(*system.files, data_folder, run));
    SEEDBED_TRY(removeRows(database, lock, run));
    // No longer needed: ids are never reused.
    (void)system.files->remove(data_folder / "locks" / ("run-" + std::to_string(run) + ".lock"));
    return {};
}

// Used if the disk is full: nothing can be written until files are removed. Called within the transaction, so
// that the run cannot be restored in the meantime.
Result<> removeOnlyFiles(const RunLock& owner, const std::filesystem::path& data_folder, Database& database,
                         WriteLockFile& lock, const System& system) {
    SEEDBED_ASSIGN(const WriteTransaction transaction, WriteTransaction::begin(database, lock));
    SEEDBED_ASSIGN(const bool trashed, isInTrash(database, owner.run()));
    return trashed ? removeFilesOf(*system.files, data_folder, owner.run()) : Result<>();
}

}  // namespace

Result<bool> removeTrashedRun(const RunLock& owner, const std::filesystem::path& data_folder,
                              Database& database, WriteLockFile& lock, const System& system) {
    const Result<bool> hidden = hide(database, lock, owner.run());
    if (!hidden && hidden.error().code == ErrorCode::disk_full)
        SEEDBED_TRY(removeOnlyFiles(owner, data_folder, database, lock, system));
    if (!hidden || !*hidden) return hidden;
    SEEDBED_TRY(removeHiddenRun(owner, data_folder, database, lock, system));
    return true;
}

Result<> removeHiddenRuns(const std::filesystem::path& data_folder, Database& database, WriteLockFile& lock,
                          const System& system) {
    SEEDBED_ASSIGN(const auto hidden, lockHiddenRuns(data_folder, database, system));
    for (const RunLock& owner : hidden)
        SEEDBED_TRY(removeHiddenRun(owner, data_folder, database, lock, system));
    return {};
}

Result<> removeHiddenRunFiles(const std::filesystem::path& data_folder, Database& database,
                              const System& system) {
    SEEDBED_ASSIGN(const auto hidden, lockHiddenRuns(data_folder, database, system));
    for (const RunLock& owner : hidden) SEEDBED_TRY(removeFilesOf(*system.files, data_folder, owner.run()));
    return {};
}

}  // namespace seedbed
