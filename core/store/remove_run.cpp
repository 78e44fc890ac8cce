// SPDX-License-Identifier: Apache-2.0
// Removing runs for good: what is left of imports that were interrupted, and runs of the bin. In short
// transactions, as an import.
#include "core/base/files.hpp"
#include "core/base/temporary_files.hpp"
#include "core/store/staged_runs.hpp"

namespace seedbed {
namespace {

constexpr int kBlocksPerTurn = 128;   // of up to 512 points each, with their buckets
constexpr int kRowsPerTurn = 10'000;  // of other tables

// What may be many rows of a run; ?2 of them at once. The rest goes with the run itself.
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

// Everything of a run but its rows and its lock.
Result<> removeFilesOf(FileSystem& files, const std::filesystem::path& data_folder, RunId run) {
    const std::string name = "run-" + std::to_string(run);
    const Path checkpoints = data_folder / "checkpoints" / std::to_string(run);
    SEEDBED_ASSIGN(const auto folder, files.info(checkpoints.parent_path()));
    if (folder) {
        // Half removed before; only the owner of the run makes such a name.
        SEEDBED_ASSIGN(const auto entries, files.list(checkpoints.parent_path()));
        const std::string begin = "." + checkpoints.filename().string() + ".";
        for (const FileInfo& entry : entries)
            if (entry.name.starts_with(begin) && entry.name.ends_with(".tmp"))
                SEEDBED_TRY(removeTree(files, checkpoints.parent_path() / entry.name));
    }
    SEEDBED_ASSIGN(const auto there, files.info(checkpoints));
    if (there) {
        // First to a name that means nothing: what is half removed is no checkpoint.
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

// One statement as a transaction of its own; returns how many rows it changed.
template <class... Args>
Result<std::int64_t> change(Database& database, WriteLockFile& lock, const char* sql, const Args&... args) {
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(database, lock));
    SEEDBED_ASSIGN(Statement statement, database.prepare(sql));
    SEEDBED_TRY(statement.run(args...));
    SEEDBED_ASSIGN(const std::int64_t changed, database.integer("SELECT changes()"));
    SEEDBED_TRY(transaction.commit());
    return changed;
}

// From now on nobody sees a part of it, and whoever removes what crashes have left goes on with it.
Result<> hide(Database& database, WriteLockFile& lock, RunId run) {
    const char* sql = "UPDATE runs SET uid = ?2 || uid, name = NULL WHERE id = ?1 AND NOT uid GLOB ?2 || '*'";
    return change(database, lock, sql, run, kHiddenUidPrefix).map([](std::int64_t) {});
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

// Hidden runs that no process is at, each with its lock.
Result<std::vector<RunLock>> unfinishedRuns(const std::filesystem::path& data_folder, Database& database,
                                            const System& system) {
    std::vector<RunId> unfinished;
    SEEDBED_ASSIGN(Statement list, database.prepare("SELECT id FROM runs WHERE uid GLOB 'importing-*'"));
    SEEDBED_TRY(list.each([&] { unfinished.push_back(list.integer(0)); }));
    std::vector<RunLock> owned;
    for (const RunId run : unfinished) {
        auto owner = RunLock::acquire(data_folder, run, system);
        if (!owner && RunLock::isHeld(data_folder, run)) continue;
        if (!owner) return tl::unexpected<Error>(owner.error());
        owned.push_back(std::move(*owner));
    }
    return owned;
}

}  // namespace

Result<> removeRun(const RunLock& owner, const std::filesystem::path& data_folder, Database& database,
                   WriteLockFile& lock, const System& system) {
    const RunId run = owner.run();
    const Result<> hidden = hide(database, lock, run);
    SEEDBED_TRY(removeFilesOf(*system.files, data_folder, run));
    SEEDBED_TRY(hidden);
    SEEDBED_TRY(removeRows(database, lock, run));
    // Nobody can ask for this run any more: ids are never used again.
    (void)system.files->remove(data_folder / "locks" / ("run-" + std::to_string(run) + ".lock"));
    return {};
}

Result<> removeHiddenRuns(const std::filesystem::path& data_folder, Database& database, WriteLockFile& lock,
                          const System& system) {
    SEEDBED_ASSIGN(const auto unfinished, unfinishedRuns(data_folder, database, system));
    for (const RunLock& owner : unfinished)
        SEEDBED_TRY(removeRun(owner, data_folder, database, lock, system));
    return {};
}

Result<> removeHiddenRunFiles(const std::filesystem::path& data_folder, Database& database,
                              const System& system) {
    SEEDBED_ASSIGN(const auto unfinished, unfinishedRuns(data_folder, database, system));
    for (const RunLock& owner : unfinished)
        SEEDBED_TRY(removeFilesOf(*system.files, data_folder, owner.run()));
    return {};
}

}  // namespace seedbed
