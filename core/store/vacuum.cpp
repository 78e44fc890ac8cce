// SPDX-License-Identifier: Apache-2.0
// Giving space back to the disk: leftovers of crashes, runs of the bin, empty pages of the database.
#include <algorithm>
#include <utility>

#include "core/base/files.hpp"
#include "core/base/temporary_files.hpp"
#include "core/base/text.hpp"
#include "core/store/maintenance.hpp"
#include "core/store/run_lock.hpp"
#include "core/store/schema.hpp"
#include "core/store/staged_runs.hpp"

namespace seedbed {
namespace {

// Half-made files of processes that are gone, in the data folder and beside the checkpoints of every run.
Result<> removeAllLeftovers(FileSystem& files, const std::filesystem::path& data_folder) {
    SEEDBED_TRY(removeStaleFiles(files, data_folder));
    const Path checkpoints = data_folder / "checkpoints";
    SEEDBED_ASSIGN(const auto there, files.info(checkpoints));
    if (!there) return {};
    SEEDBED_TRY(removeStaleFiles(files, checkpoints));
    SEEDBED_ASSIGN(const auto runs, files.list(checkpoints));
    for (const FileInfo& run : runs)
        if (run.kind == FileInfo::Kind::folder && !run.is_link)
            SEEDBED_TRY(removeStaleFiles(files, checkpoints / run.name));
    return {};
}

// One run after the other, so that neither locks nor file descriptors are held for many.
Result<> emptyTrash(const System& system, const std::filesystem::path& data_folder, Database& database,
                    WriteLockFile& lock, VacuumReport& report) {
    std::vector<RunId> bin;
    SEEDBED_ASSIGN(Statement list, database.prepare(std::string("SELECT id FROM runs WHERE in_bin = 1 AND ") +
                                                    kVisibleRuns + " ORDER BY id"));
    SEEDBED_TRY(list.each([&] { bin.push_back(list.integer(0)); }));
    for (const RunId run : bin) {
        const auto owner = RunLock::acquire(data_folder, run, system);
        // One that is trained at the moment stays, whatever its user thinks of it.
        const Result<> removed = owner ? removeRun(*owner, data_folder, database, lock, system)
                                       : Result<>(tl::unexpected<Error>(owner.error()));
        if (!removed) {
            report.problems.push_back("run " + std::to_string(run) +
                                      " is not removed for good yet: " + removed.error().text());
            continue;
        }
        report.removed.push_back(run);
    }
    return {};
}

// A run that is going, if there is one.
Result<std::optional<RunId>> findRunningRun(const std::filesystem::path& data_folder, Database& database) {
    std::optional<RunId> going;
    SEEDBED_ASSIGN(Statement list,
                   database.prepare(
                       "SELECT id FROM runs WHERE status IN ('starting', 'running', 'paused', 'stopping')"));
    SEEDBED_TRY(list.each([&] {
        if (!going && RunLock::isHeld(data_folder, list.integer(0))) going = list.integer(0);
    }));
    return going;
}

Result<> compact(const std::filesystem::path& data_folder, Database& database, WriteLockFile& lock,
                 const VacuumOptions& options) {
    SEEDBED_ASSIGN(const auto going, findRunningRun(data_folder, database));
    const std::uint64_t bytes = databaseBytes(data_folder);
    if (going && bytes > options.max_bytes_while_running)
        return fail("the database was left as it is: run " + std::to_string(*going) +
                    " is going and would have to wait while " + formatBytes(bytes) +
                    " are copied; try again when it rests");
    SEEDBED_ASSIGN(const WriteLockGuard turn, WriteLockGuard::take(database, lock));
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
    note(removeAllLeftovers(files, data_folder));
    note(removeHiddenRuns(data_folder, *database, lock, system));
    if (options.empty_trash) note(emptyTrash(system, data_folder, *database, lock, report));
    note(compact(data_folder, *database, lock, options));
    report.bytes_after = databaseBytes(data_folder);
    return report;
}

}  // namespace seedbed
