// SPDX-License-Identifier: Apache-2.0
#include "core/run/saving/catch_up.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/log.hpp"
#include "core/base/os/files.hpp"
#include "core/checkpoint/checkpoint_store.hpp"
#include "core/policy/manifest.hpp"
#include "core/run/resume.hpp"
#include "core/run/run_recorder.hpp"
#include "core/store/run_writer.hpp"

namespace seedbed {
namespace {

constexpr std::chrono::milliseconds kListTimeout{200};

// Differences between the list of checkpoints in the database and the folders.
struct ListChanges {
    std::vector<CheckpointRecord> found;
    std::vector<std::int64_t> removed;
};

ListChanges compareLists(const std::vector<CheckpointRecord>& rows,
                         const std::vector<CheckpointInfo>& complete, const Path& data_folder) {
    ListChanges changes;
    for (const CheckpointInfo& info : complete) {
        const CheckpointRecord record = checkpointRecord(info, data_folder);
        const bool is_listed = std::any_of(rows.begin(), rows.end(), [&](const CheckpointRecord& row) {
            return row.step == record.step && row.folder == record.folder && !row.removed;
        });
        if (!is_listed) changes.found.push_back(record);
    }
    // Retention never removes the newest checkpoint, the best one or milestones; missing ones were moved by
    // the user.
    for (const CheckpointRecord& row : rows) {
        const bool exists = std::any_of(complete.begin(), complete.end(),
                                        [&](const CheckpointInfo& info) { return info.step == row.step; });
        if (!exists && !row.removed && !row.best && !row.milestone && !complete.empty() &&
            row.step < complete.back().step)
            changes.removed.push_back(row.step);
    }
    return changes;
}

// Returns whether any rows were missing.
bool addRows(FileSystem& files, const std::vector<CheckpointInfo>& complete, RunWriter& writer) {
    bool added = false;
    for (const CheckpointInfo& info : complete) {
        const auto manifest = readManifest(files, info.folder);
        const ManifestFile* rows = manifest ? manifest->find(kRowsFile) : nullptr;
        if (rows == nullptr) continue;
        const auto bytes = readChecked(files, info.folder, *rows);
        if (!bytes) continue;  // `db check` reports the damage; a later checkpoint has the same rows
        const auto any = writer.addUnsavedRows(*bytes);
        if (!any)
            log::warning("rows that were saved with a checkpoint cannot be written to the database",
                         {{"folder", info.folder.string()}, {"reason", any.error().text()}});
        added = added || (any && *any);
    }
    return added;
}

bool hasRows(FileSystem& files, const std::vector<CheckpointInfo>& complete) {
    return std::any_of(complete.begin(), complete.end(), [&](const CheckpointInfo& info) {
        const auto found = files.info(info.folder / kRowsFile);
        return found && *found;
    });
}

// The checkpoints on disk, and the rows that the database lacks.
struct Missing {
    std::vector<CheckpointInfo> complete;
    bool has_rows = false;  // rows were saved with a checkpoint; the database may already have them
    ListChanges changes;

    bool isNothing() const { return !has_rows && changes.found.empty() && changes.removed.empty(); }
};

Result<Missing> findMissing(FileSystem& files, const Path& data_folder, RunId run) {
    Missing missing;
    SEEDBED_ASSIGN(missing.complete, CheckpointStore(files, data_folder, run).list());
    if (missing.complete.empty()) return missing;
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(data_folder));
    SEEDBED_ASSIGN(const auto rows, reader.checkpoints(run));
    missing.changes = compareLists(rows, missing.complete, data_folder);
    missing.has_rows = hasRows(files, missing.complete);
    return missing;
}

}  // namespace

Result<> catchUp(const System& system, const std::filesystem::path& data_folder, const RunLock& owner,
                 std::chrono::milliseconds timeout) {
    FileSystem& files = *system.files;
    SEEDBED_ASSIGN(Missing missing, findMissing(files, data_folder, owner.run()));
    if (missing.isNothing()) return {};

    RunWriterOptions options;
    options.system = system;
    options.lock_timeout = timeout;
    options.shutdown_timeout = std::min(timeout, options.shutdown_timeout);
    SEEDBED_ASSIGN(const auto writer, RunWriter::open(data_folder, owner, options));
    if (missing.has_rows && addRows(files, missing.complete, *writer)) {
        SEEDBED_TRY(writer->flush());
        SEEDBED_ASSIGN(missing, findMissing(files, data_folder, owner.run()));
    }
    for (CheckpointRecord& row : missing.changes.found) writer->checkpoint(std::move(row));
    if (!missing.changes.removed.empty()) writer->checkpointsRemoved(missing.changes.removed);
    SEEDBED_TRY(writer->flush());
    // Also updates the time of the newest row, which catchUpRuns() uses to find runs.
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(data_folder));
    SEEDBED_ASSIGN(const RunRecord run, reader.run(owner.run()));
    writer->progress(run.progress);
    return writer->flush();
}

Result<> catchUpRun(const System& system, const std::filesystem::path& data_folder, RunId run,
                    std::chrono::milliseconds timeout) {
    if (RunLock::isHeld(data_folder, run)) return {};
    // Checked before acquiring the run, so that a process that resumes the run does not wait for one that
    // only displays it.
    SEEDBED_ASSIGN(const Missing missing, findMissing(*system.files, data_folder, run));
    if (missing.isNothing()) return {};
    auto owner = RunLock::acquire(data_folder, run, system);
    if (!owner && RunLock::isHeld(data_folder, run)) return {};
    if (!owner) return tl::unexpected<Error>(std::move(owner).error());
    return catchUp(system, data_folder, *owner, timeout);
}

void catchUpRuns(const System& system, const std::filesystem::path& data_folder, StoreReader& reader) {
    const auto runs = reader.interruptedRuns();
    if (!runs) return;
    for (const auto& [run, updated] : *runs) {
        // Saving a checkpoint changes the folder's time, and recording it changes the row's time.
        const auto folder = system.files->info(checkpointsFolder(data_folder, run));
        if (!folder || !*folder || static_cast<double>((*folder)->modified_ns) * 1e-9 <= updated) continue;
        (void)catchUpRun(system, data_folder, run, kListTimeout);
    }
}

}  // namespace seedbed
