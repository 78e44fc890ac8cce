// SPDX-License-Identifier: Apache-2.0
// Rows against folders, folders against their manifests.
#include "app/commands/db_checkpoints.hpp"

#include <algorithm>
#include <set>

#include "core/policy/checkpoint.hpp"
#include "core/store/run_lock.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed::app {
namespace {

std::string nameOf(RunId run) { return "run " + std::to_string(run); }

// Why the checkpoint of this row need not be there; looked at only when it is missing.
Result<bool> mayBeMissing(FileSystem& files, const Path& data_folder, RunId run, const CheckpointRecord& row) {
    // Put aside by a resume to an earlier step, which comes before the rows know of it.
    SEEDBED_ASSIGN(const auto aside, files.info(data_folder / (row.folder + ".superseded")));
    if (aside) return true;
    SEEDBED_ASSIGN(const auto complete, CheckpointStore(files, data_folder, run).list());
    const auto newer = std::count_if(complete.begin(), complete.end(), [&](const auto& info) { return info.step > row.step; });
    // Another one of the same step has taken its place.
    const bool replaced = std::any_of(complete.begin(), complete.end(), [&](const auto& info) { return info.step == row.step; });
    return replaced || (!row.milestone && newer >= Retention{}.generations);
}

Result<> checkRun(FileSystem& files, const Path& data_folder, RunId run, const std::vector<CheckpointRecord>& rows,
                  std::vector<std::string>& problems, std::int64_t& good) {
    std::set<std::string> folders;
    for (const CheckpointRecord& row : rows)
        if (!row.removed) folders.insert((data_folder / row.folder).string());
    SEEDBED_ASSIGN(const auto complete, CheckpointStore(files, data_folder, run).list());
    for (const CheckpointInfo& info : complete) folders.insert(info.folder.string());
    for (const std::string& folder : folders) {
        const auto loaded = loadCheckpoint(files, folder);
        if (loaded) ++good;
        // Removed in this moment is not damaged; whether it may be missing is asked below.
        SEEDBED_ASSIGN(const auto there, files.info(folder));
        if (!loaded && there) problems.push_back(nameOf(run) + ": " + loaded.error().text());
    }
    for (const CheckpointRecord& row : rows) {
        if (row.removed) continue;
        SEEDBED_ASSIGN(const auto there, files.info(data_folder / row.folder));
        if (there) continue;
        SEEDBED_ASSIGN(const bool fine, mayBeMissing(files, data_folder, run, row));
        if (!fine) problems.push_back(nameOf(run) + ": the checkpoint '" + row.folder + "' is missing");
    }
    return {};
}

}  // namespace

Result<> checkCheckpoints(FileSystem& files, const Path& data_folder, std::vector<std::string>& problems, std::int64_t& good) {
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(data_folder));
    SEEDBED_ASSIGN(const auto runs, reader.runs());
    for (const RunRecord& run : runs) {
        SEEDBED_ASSIGN(const auto rows, reader.checkpoints(run.id));
        SEEDBED_TRY(checkRun(files, data_folder, run.id, rows, problems, good));
    }
    return {};
}

Result<std::size_t> copyCheckpoints(FileSystem& files, const Path& from, const Path& to, std::vector<std::string>& notices) {
    SEEDBED_ASSIGN(const auto there, files.info(from));
    if (!there) return std::size_t{0};
    SEEDBED_ASSIGN(const auto entries, files.list(from));
    std::size_t copied = 0;
    for (const FileInfo& entry : entries) {
        if (entry.kind != FileInfo::Kind::folder || entry.is_link || entry.name.find_first_not_of("0123456789.") != std::string::npos)
            continue;
        SEEDBED_TRY(makeFolders(files, to));
        if (auto done = copyCheckpoint(files, from / entry.name, to / entry.name)) ++copied;
        else notices.push_back(done.error().text());
    }
    return copied;
}

Result<std::size_t> takeCheckpoints(FileSystem& files, const Path& there, const Path& data_folder, const ImportedRun& run,
                                    std::vector<std::string>& notices) {
    const Path from = there / run.checkpoints_there;
    if (!run.known) return copyCheckpoints(files, from, checkpointsFolder(data_folder, run.here), notices);
    const auto owner = RunLock::acquire(data_folder, run.here);
    if (!owner) return std::size_t{0};
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(data_folder));
    SEEDBED_ASSIGN(const auto rows, reader.checkpoints(run.here));
    std::size_t copied = 0;
    for (const CheckpointRecord& row : rows) {
        const Path source = from / Path(row.folder).filename(), target = data_folder / row.folder;
        SEEDBED_ASSIGN(const auto present, files.info(target));
        SEEDBED_ASSIGN(const auto offered, files.info(source));
        if (row.removed || present || !offered) continue;
        SEEDBED_TRY(makeFolders(files, target.parent_path()));
        if (auto done = copyCheckpoint(files, source, target)) ++copied;
        else notices.push_back(done.error().text());
    }
    return copied;
}

}  // namespace seedbed::app
