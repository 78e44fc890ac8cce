// SPDX-License-Identifier: Apache-2.0
#include "core/store/vacuum.hpp"

#include <optional>

#include "core/base/os/temporary_files.hpp"
#include "core/base/text.hpp"
#include "core/store/check_database.hpp"
#include "core/store/remove_run.hpp"
#include "core/store/run_lock.hpp"
#include "core/store/schema.hpp"

namespace seedbed {
namespace {

// Removes temporary files of dead processes from the data folder, and all temporary files of runs without an
// owner. The owner of a run may be in another container, so its process id is ignored.
Result<> removeAllStaleFiles(const System& system, const std::filesystem::path& data_folder) {
    FileSystem& files = *system.files;
    SEEDBED_TRY(removeStaleFiles(files, data_folder));
    const Path checkpoints = data_folder / "checkpoints";
    SEEDBED_ASSIGN(const auto existing, files.info(checkpoints));
    if (!existing) return {};
    SEEDBED_TRY(removeStaleFiles(files, checkpoints));
    SEEDBED_ASSIGN(const auto runs, files.list(checkpoints));
    for (const FileInfo& run : runs) {
        const auto id = parseInteger(run.name);
        if (run.kind != FileInfo::Kind::folder || run.is_link || !id || *id < 1) continue;
        if (const auto owner = RunLock::acquire(data_folder, *id, system); owner)
            SEEDBED_TRY(removeTemporaryFiles(files, checkpoints / run.name));
    }
    return {};
}

// Processes one run at a time, so that only one lock and one file descriptor are held.
Result<> emptyTrash(const System& system, const std::filesystem::path& data_folder, Database& database,
                    WriteLockFile& lock, VacuumReport& report) {
    std::vector<RunId> trash;
    SEEDBED_ASSIGN(Statement list, database.prepare(std::string("SELECT id FROM runs WHERE in_bin = 1 AND ") +
                                                    kVisibleRuns + " ORDER BY id"));
    SEEDBED_TRY(list.each([&] { trash.push_back(list.integer(0)); }));
    for (const RunId run : trash) {
        const auto owner = RunLock::acquire(data_folder, run, system);
        // Fails for a run that is being trained.
        const Result<bool> removed = owner ? removeTrashedRun(*owner, data_folder, database, lock, system)
                                           : Result<bool>(tl::unexpected<Error>(owner.error()));
        if (!removed) {
            report.problems.push_back("run " + std::to_string(run) +
                                      " was not removed: " + removed.error().text());
            continue;
        }
        if (*removed) report.removed.push_back(run);
    }
    return {};
}

// A run that a process is training, if any.
Result<std::optional<RunId>> findRunningRun(const std::filesystem::path& data_folder, Database& database) {
    std::optional<RunId> running;
    SEEDBED_ASSIGN(Statement list,
                   database.prepare(
                       "SELECT id FROM runs WHERE status IN ('starting', 'running', 'paused', 'stopping')"));
    SEEDBED_TRY(list.each([&] {
        if (!running && RunLock::isHeld(data_folder, list.integer(0))) running = list.integer(0);
    }));
    return running;
}

Result<> compact(const std::filesystem::path& data_folder, Database& database, WriteLockFile& lock,
                 const VacuumOptions& options) {
    SEEDBED_ASSIGN(const auto running, findRunningRun(data_folder, database));
    const std::uint64_t bytes = databaseBytes(data_folder);
    if (running && bytes > options.max_bytes_while_running)
        return fail("the database was not compacted: run " + std::to_string(*running) +
                    " is running and would be blocked while " + formatBytes(bytes) +
                    " are copied; try again when it has stopped");
    SEEDBED_ASSIGN(const WriteLockGuard guard, WriteLockGuard::acquire(database, lock));
    SEEDBED_TRY(database.execute("VACUUM"));
    database.truncateLog();
    return {};
}

}  // namespace

Result<VacuumReport> vacuumDatabase(FileSystem& files, const std::filesystem::path& data_folder,
                                    const VacuumOptions& options) {
    const System system{&files, realSystem().clock};
    SEEDBED_ASSIGN(WriteLockFile lock, WriteLockFile::open(data_folder, system));
    SEEDBED_ASSIGN(const auto database,
                   openExisting(data_folder, Database::Access::write, storeMigrations(), {}, system));
    VacuumReport report;
    report.bytes_before = databaseBytes(data_folder);
    const auto note = [&](const Result<>& done) {
        if (!done) report.problems.push_back(done.error().text());
    };
    note(removeAllStaleFiles(system, data_folder));
    note(removeHiddenRuns(data_folder, *database, lock, system));
    if (options.empty_trash) note(emptyTrash(system, data_folder, *database, lock, report));
    note(compact(data_folder, *database, lock, options));
    report.bytes_after = databaseBytes(data_folder);
    return report;
}

}  // namespace seedbed
