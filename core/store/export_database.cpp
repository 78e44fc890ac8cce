// SPDX-License-Identifier: Apache-2.0
#include "core/store/export_database.hpp"

#include <string>
#include <utility>

#include "core/base/os/temporary_files.hpp"
#include "core/base/text.hpp"
#include "core/store/remove_run.hpp"
#include "core/store/schema.hpp"

namespace seedbed {
namespace {

Result<> copyAllCheckpoints(Database& copy, const CheckpointCopier& copier) {
    std::vector<RunId> runs;
    SEEDBED_ASSIGN(Statement list, copy.prepare("SELECT id FROM runs ORDER BY id"));
    SEEDBED_TRY(list.each([&] { runs.push_back(list.integer(0)); }));
    for (const RunId run : runs) {
        SEEDBED_ASSIGN(const auto before, checkpointRowsOf(copy, run));
        auto after = before;
        SEEDBED_TRY(copier({run, run, false}, after));
        SEEDBED_TRY(updateRemovedFlags(copy, before, after));
    }
    return {};
}

// Copies the whole database to `file`, then removes what was not requested.
Result<> writeCopy(const std::filesystem::path& data_folder, const std::filesystem::path& file,
                   const std::vector<RunId>& runs, const System& system, const CheckpointCopier& copier) {
    {
        SEEDBED_ASSIGN(const auto source,
                       openExisting(data_folder, Database::Access::read, storeMigrations(), {}, system));
        SEEDBED_TRY(source->backUpTo(file));
    }
    SEEDBED_ASSIGN(const auto copy, Database::open(file, Database::Access::write));
    SEEDBED_TRY(copy->execute(
        std::string(
            "PRAGMA journal_mode=DELETE; BEGIN; DELETE FROM queue_entries; DELETE FROM runs WHERE NOT ") +
        kVisibleRuns));
    if (!runs.empty()) {
        std::vector<std::string> ids;
        for (const RunId run : runs) ids.push_back(std::to_string(run));
        SEEDBED_TRY(copy->execute("DELETE FROM runs WHERE id NOT IN (" + join(ids, ", ") + ")"));
    }
    if (copier) SEEDBED_TRY(copyAllCheckpoints(*copy, copier));
    return copy->execute("COMMIT; VACUUM");
}

}  // namespace

Result<> exportDatabase(const std::filesystem::path& data_folder, const std::filesystem::path& file,
                        const std::vector<RunId>& runs, const System& system,
                        const CheckpointCopier& copier) {
    FileSystem& files = *system.files;
    SEEDBED_ASSIGN(const auto existing, files.info(file));
    if (existing) return fail("'" + file.string() + "' already exists; choose another name");
    removeStaleFilesFor(files, file);
    const auto temporary = temporaryPathFor(file);
    Result<> done = writeCopy(data_folder, temporary, runs, system, copier);
    if (done) done = files.rename(temporary, file);
    if (done) return files.syncFolder(file.has_parent_path() ? file.parent_path() : ".");
    for (const char* end : {"", "-journal", "-wal", "-shm"}) (void)files.remove(temporary.string() + end);
    return tl::unexpected<Error>(std::move(done.error()).withContext("exporting to '" + file.string() + "'"));
}

}  // namespace seedbed
