// SPDX-License-Identifier: Apache-2.0
// Giving space back to the disk: leftovers of crashes, runs of the bin, empty pages of the database.
#include <algorithm>
#include <utility>

#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/store/maintenance.hpp"
#include "core/store/run_lock.hpp"
#include "core/store/schema.hpp"
#include "core/store/staged_runs.hpp"

namespace seedbed {
namespace {

// Half-made files of processes that are gone, in the data folder and beside the checkpoints of every run.
Result<> removeAllLeftovers(FileSystem& files, const std::filesystem::path& data_folder) {
    SEEDBED_TRY(removeLeftovers(files, data_folder));
    const Path checkpoints = data_folder / "checkpoints";
    SEEDBED_ASSIGN(const auto there, files.info(checkpoints));
    if (!there) return {};
    SEEDBED_TRY(removeLeftovers(files, checkpoints));
    SEEDBED_ASSIGN(const auto runs, files.list(checkpoints));
    for (const FileInfo& run : runs)
        if (run.kind == FileInfo::Kind::folder && !run.is_link) SEEDBED_TRY(removeLeftovers(files, checkpoints / run.name));
    return {};
}

// Everything of a run but its rows and its lock.
Result<> removeFilesOf(FileSystem& files, const std::filesystem::path& data_folder, RunId run) {
    const std::string name = "run-" + std::to_string(run);
    const Path checkpoints = data_folder / "checkpoints" / std::to_string(run);
    SEEDBED_ASSIGN(const auto there, files.info(checkpoints));
    if (there) {
        // First to a name that means nothing: what is half removed is no checkpoint.
        const Path temporary = temporaryBeside(checkpoints);
        SEEDBED_TRY(files.rename(checkpoints, temporary));
        SEEDBED_TRY(removeTree(files, temporary));
    }
    for (const Path& file : {data_folder / "logs" / (name + ".log"), data_folder / "control" / (name + ".sock")}) {
        SEEDBED_ASSIGN(const auto found, files.info(file));
        if (found) SEEDBED_TRY(files.remove(file));
    }
    return {};
}

Result<> emptyBin(FileSystem& files, const std::filesystem::path& data_folder, Database& database, WriteLockFile& lock,
                  VacuumReport& report) {
    std::vector<RunId> bin;
    SEEDBED_ASSIGN(Statement list, database.prepare("SELECT id FROM runs WHERE in_bin = 1 ORDER BY id"));
    SEEDBED_TRY(list.each([&] { bin.push_back(list.integer(0)); }));
    std::vector<RunLock> owned;
    for (const RunId run : bin) {
        auto owner = RunLock::acquire(data_folder, run, {&files, realSystem().clock});
        // One that is trained at the moment stays, whatever its user thinks of it.
        if (!owner && RunLock::isHeld(data_folder, run)) continue;
        Result<> removed = owner ? removeFilesOf(files, data_folder, run) : Result<>(tl::unexpected<Error>(owner.error()));
        if (removed) owned.push_back(std::move(*owner));
        else report.problems.push_back("run " + std::to_string(run) + " stays in the bin: " + removed.error().text());
    }
    if (owned.empty()) return {};
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(database, lock));
    SEEDBED_ASSIGN(Statement remove, database.prepare("DELETE FROM runs WHERE id = ?"));
    for (const RunLock& run : owned) SEEDBED_TRY(remove.run(run.run()));
    SEEDBED_TRY(transaction.commit());
    for (const RunLock& run : owned) {
        report.removed.push_back(run.run());
        // Nobody can ask for this run any more: ids are never used again.
        (void)files.remove(data_folder / "locks" / ("run-" + std::to_string(run.run()) + ".lock"));
    }
    return {};
}

// A run that is going, if there is one.
Result<std::optional<RunId>> runThatGoes(const std::filesystem::path& data_folder, Database& database) {
    std::optional<RunId> going;
    SEEDBED_ASSIGN(Statement list, database.prepare("SELECT id FROM runs WHERE status IN ('starting', 'running', 'paused', 'stopping')"));
    SEEDBED_TRY(list.each([&] {
        if (!going && RunLock::isHeld(data_folder, list.integer(0))) going = list.integer(0);
    }));
    return going;
}

Result<> makeSmaller(const std::filesystem::path& data_folder, Database& database, WriteLockFile& lock, const VacuumOptions& options) {
    SEEDBED_ASSIGN(const auto going, runThatGoes(data_folder, database));
    const std::uint64_t bytes = databaseBytes(data_folder);
    if (going && bytes > options.most_bytes_beside_runs)
        return fail("the database was left as it is: run " + std::to_string(*going) + " is going and would have to wait while " +
                    formatBytes(bytes) + " are copied; try again when it rests");
    SEEDBED_ASSIGN(const WriteTurn turn, WriteTurn::take(database, lock));
    SEEDBED_TRY(database.execute("VACUUM"));
    database.cutLog();
    return {};
}

}  // namespace

Result<VacuumReport> vacuumDatabase(FileSystem& files, const std::filesystem::path& data_folder, const VacuumOptions& options) {
    const System system{&files, realSystem().clock};
    SEEDBED_ASSIGN(WriteLockFile lock, WriteLockFile::open(data_folder, system));
    SEEDBED_ASSIGN(const auto database, openExisting(data_folder, Database::Access::write, storeMigrations(), {}, system));
    VacuumReport report;
    report.bytes_before = databaseBytes(data_folder);
    const auto note = [&](const Result<>& done) {
        if (!done) report.problems.push_back(done.error().text());
    };
    note(removeAllLeftovers(files, data_folder));
    note(removeUnfinishedImports(data_folder, *database, lock));
    if (options.empty_bin) note(emptyBin(files, data_folder, *database, lock, report));
    note(makeSmaller(data_folder, *database, lock, options));
    report.bytes_after = databaseBytes(data_folder);
    return report;
}

}  // namespace seedbed
