// SPDX-License-Identifier: Apache-2.0
// A run saves its rows before the checkpoint that needs them, so a database that is copied after the
// checkpoints contains all their rows. Newer checkpoints that have rows in the copied database are copied
// last, while their run may be replacing them.
#include "core/run/data_copy.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "core/base/os/temporary_files.hpp"
#include "core/checkpoint/checkpoint_folder.hpp"
#include "core/checkpoint/checkpoint_store.hpp"
#include "core/policy/manifest.hpp"
#include "core/run/resume.hpp"
#include "core/run/saving/catch_up.hpp"
#include "core/store/database.hpp"
#include "core/store/export_database.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed {
namespace {

constexpr const char* kBestName = "best.json";
constexpr std::uint64_t kMaxMarkBytes = 4096;

// Options of a copy.
struct CopyKind {
    bool state = false;  // also copies the training state
    bool links = false;  // follows links to folders; in an untrusted source they could point to any file
};

// Copies checkpoints of runs between two data folders.
class CheckpointCopy {
public:
    CheckpointCopy(FileSystem& files, Path from, Path to, CopyKind kind, CopyReport& report,
                   const std::stop_token& stop)
        : files_(files),
          from_(std::move(from)),
          to_(std::move(to)),
          kind_(kind),
          report_(report),
          stop_(stop) {}

    // For an export: copies the existing checkpoints before the database. copyNamed() retries those that
    // failed and reports those that fail again.
    Result<> copyExisting(RunId run) {
        SEEDBED_ASSIGN(const auto existing, CheckpointStore(files_, from_, run).list());
        SEEDBED_TRY(makeFolders(files_, checkpointsFolder(to_, run)));
        for (const CheckpointInfo& info : existing) {
            const Result<> copied = copy(info.folder, checkpointsFolder(to_, run) / info.folder.filename());
            if (stop_.stop_requested()) return fail(ErrorCode::interrupted, "interrupted");
            if (copied) ++report_.checkpoints[run];
        }
        return {};
    }

    // Copies the checkpoints that the rows refer to.
    Result<> copyNamed(const CopiedRun& run, std::vector<CopiedCheckpoint>& rows) {
        SEEDBED_ASSIGN(const auto offered, byName(from_, run.source_id));
        SEEDBED_ASSIGN(auto present, byName(to_, run.id));
        // Checkpoints that retention removed from an existing run are not copied again.
        const bool wants_removed = run.existed && present.empty();
        const std::size_t wanted = static_cast<std::size_t>(std::count_if(
            rows.begin(), rows.end(), [](const auto& row) { return isLive(row) && !row.removed; }));
        const std::size_t reported = report_.not_copied.size();
        for (CopiedCheckpoint& row : rows) {
            if (!isLive(row)) continue;
            if (present.contains(row.name) && isOf(present[row.name], row)) {
                if (!run.existed) row.removed = false;
                else SEEDBED_TRY(addState(run, row.name));
                continue;
            }
            if (row.removed && !wants_removed) continue;
            SEEDBED_TRY(copyOne(run, row, offered, present));
        }
        if (!run.existed) SEEDBED_TRY(removeOrphans(run, rows, present));
        if (wanted > 0 && present.empty() && !run.existed && report_.not_copied.size() == reported)
            report_.not_copied.push_back("all checkpoints of run " + std::to_string(run.source_id) +
                                         " were replaced by newer ones during the copy; try again");
        if (!run.existed) copyBestMark(run);
        return {};
    }

private:
    using ByName = std::map<std::string, CheckpointInfo>;

    static bool isLive(const CopiedCheckpoint& row) { return !row.superseded; }
    // Two runs, or two segments of one run, can have a checkpoint at the same step.
    static bool isOf(const CheckpointInfo& info, const CopiedCheckpoint& row) {
        return row.params_sha256.empty() || info.params_sha256 == row.params_sha256;
    }

    // error: the folder of a checkpoint, or one that contains it, is a link.
    Result<> refuseLinks(const Path& checkpoint) const {
        if (kind_.links) return {};
        const Path of_run = checkpoint.parent_path();
        for (const Path& folder : {of_run.parent_path(), of_run, checkpoint}) {
            SEEDBED_ASSIGN(const auto info, files_.info(folder));
            if (info && info->is_link)
                return fail("'" + folder.string() + "' is a link, which is followed only with --trust");
        }
        return {};
    }

    Result<> copy(const Path& from, const Path& to) {
        SEEDBED_TRY(refuseLinks(from));
        if (kind_.state) return copyCheckpoint(files_, from, to, nullptr, stop_);
        return copyCheckpoint(
            files_, from, to, [](std::string_view file) { return !isState(file); }, stop_);
    }

    // Adds the missing training state by replacing the checkpoint with a complete copy.
    Result<> addState(const CopiedRun& run, const std::string& name) {
        const Path source = checkpointsFolder(from_, run.source_id) / name;
        const Path target = checkpointsFolder(to_, run.id) / name;
        const auto stored = readManifest(files_, target), offered = readManifest(files_, source);
        if (!stored || !offered || stored->find(kSessionFile) || !offered->find(kSessionFile)) return {};
        if (!kind_.state) {
            report_.without_state.insert(run.id);
            return {};
        }
        if (const auto plain = refuseLinks(source); !plain) {
            addNotCopied(plain.error().text());
            return {};
        }
        const Path complete = temporaryPathFor(target);
        SEEDBED_TRY(copyCheckpoint(files_, source, complete, nullptr, stop_));
        SEEDBED_TRY(removeTree(files_, target));
        SEEDBED_TRY(files_.rename(complete, target));
        ++report_.checkpoints[run.id];
        return files_.syncFolder(target.parent_path());
    }

    Result<ByName> byName(const Path& data_folder, RunId run) const {
        SEEDBED_ASSIGN(const auto complete, CheckpointStore(files_, data_folder, run).list());
        ByName found;
        for (const CheckpointInfo& info : complete) found[info.folder.filename().string()] = info;
        return found;
    }

    Result<> copyOne(const CopiedRun& run, CopiedCheckpoint& row, const ByName& offered, ByName& present) {
        const Path source = checkpointsFolder(from_, run.source_id) / row.name;
        const Path target = checkpointsFolder(to_, run.id) / row.name;
        const auto found = offered.find(row.name);
        const bool another = found != offered.end() && !isOf(found->second, row);
        if (const auto taken = present.find(row.name); taken != present.end()) {
            if (run.existed) return {};
            // copyExisting() copied this checkpoint, but the run has since resumed at an earlier step and
            // saved a different one.
            SEEDBED_TRY(removeTree(files_, target));
            present.erase(taken);
        }
        SEEDBED_TRY(makeFolders(files_, target.parent_path()));
        Result<> copied =
            another ? fail("'" + source.string() + "' is not the checkpoint that the run's row describes")
                    : copy(source, target);
        if (copied) {
            if (!kind_.state) report_.without_state.insert(run.id);
            row.removed = false;
            ++report_.checkpoints[run.id];
            present[row.name] = found != offered.end() ? found->second : CheckpointInfo{};
            return {};
        }
        if (stop_.stop_requested()) return copied;
        SEEDBED_ASSIGN(const auto existing, files_.info(source));
        if (run.existed && (!existing || another)) return {};
        SEEDBED_ASSIGN(const bool replaced,
                       wasReplaced(files_, from_, run.source_id, row.name, row.step, row.milestone));
        if (replaced && (!existing || another)) row.removed = true;
        else addNotCopied(copied.error().text());
        return {};
    }

    // Several checkpoints can fail for the same reason, such as a link instead of the folder that contains
    // them.
    void addNotCopied(const std::string& text) {
        std::vector<std::string>& all = report_.not_copied;
        if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(text);
    }

    // Removes copies that were superseded before the rows were copied, or by a resume at an earlier step.
    Result<> removeOrphans(const CopiedRun& run, const std::vector<CopiedCheckpoint>& rows, ByName& present) {
        for (auto one = present.begin(); one != present.end();) {
            const auto named = [&](const CopiedCheckpoint& row) { return row.name == one->first; };
            const bool live = std::any_of(rows.begin(), rows.end(),
                                          [&](const auto& row) { return isLive(row) && named(row); });
            const bool old = std::any_of(rows.begin(), rows.end(), named) && !live;
            SEEDBED_ASSIGN(const auto existing,
                           files_.info(checkpointsFolder(from_, run.source_id) / one->first));
            if (live || (!old && existing)) {
                ++one;
                continue;
            }
            SEEDBED_TRY(removeTree(files_, checkpointsFolder(to_, run.id) / one->first));
            one = present.erase(one);
        }
        return {};
    }

    // Optional: without the file, the best checkpoint is determined from the scores in the checkpoints.
    void copyBestMark(const CopiedRun& run) {
        const Path mark = checkpointsFolder(from_, run.source_id) / kBestName;
        const auto info = files_.info(mark);
        if (!info || !*info || (*info)->kind != FileInfo::Kind::file) return;
        if (const auto text = readFile(files_, mark, kMaxMarkBytes))
            (void)writeFileAtomically(files_, checkpointsFolder(to_, run.id) / kBestName, *text);
    }

    FileSystem& files_;
    Path from_;
    Path to_;
    CopyKind kind_;
    CopyReport& report_;
    const std::stop_token& stop_;
};

// Removes leftovers of killed imports from the folders of all runs.
void removeStaleCopies(FileSystem& files, const Path& data_folder) {
    const Path folder = checkpointsFolder(data_folder, 0).parent_path();
    const auto runs = files.list(folder);
    if (!runs) return;
    for (const FileInfo& run : *runs)
        if (run.kind == FileInfo::Kind::folder && !run.is_link)
            (void)removeStaleFilesOfOthers(files, folder / run.name);
}

// For a copy without checkpoints: marks the checkpoints that the target does not have as removed.
Result<> markMissing(FileSystem& files, const Path& to, const CopiedRun& run,
                     std::vector<CopiedCheckpoint>& rows) {
    for (CopiedCheckpoint& row : rows) {
        SEEDBED_ASSIGN(const auto existing, files.info(checkpointsFolder(to, run.id) / row.name));
        row.removed = row.removed || (!row.superseded && !existing);
    }
    return {};
}

}  // namespace

Result<bool> wasReplaced(FileSystem& files, const Path& data_folder, RunId run, const std::string& name,
                         std::int64_t step, bool milestone) {
    // When a run resumes at an earlier step, it renames the folder first and updates the rows later.
    SEEDBED_ASSIGN(const auto superseded,
                   files.info(checkpointsFolder(data_folder, run) / (name + ".superseded")));
    if (superseded) return true;
    SEEDBED_ASSIGN(const auto complete, CheckpointStore(files, data_folder, run).list());
    const auto newer =
        std::count_if(complete.begin(), complete.end(), [&](const auto& info) { return info.step > step; });
    const bool same =
        std::any_of(complete.begin(), complete.end(), [&](const auto& info) { return info.step == step; });
    return same || (!milestone && newer >= Retention{}.generations);
}

Result<CopyReport> exportRuns(const Path& data_folder, const Path& target, const std::vector<RunId>& runs,
                              bool with_checkpoints, const System& system, const std::stop_token& stop,
                              const std::function<Result<>(const Path& copy)>& finish) {
    FileSystem& files = *system.files;
    const Path place = target.has_filename() ? target : target.parent_path();
    const Path parent = place.parent_path().empty() ? Path(".") : place.parent_path();
    SEEDBED_ASSIGN(const auto taken, files.info(place));
    if (taken) return fail(ErrorCode::config, "'" + place.string() + "' already exists; choose another name");
    std::vector<RunRecord> all;
    {
        SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(data_folder));
        catchUpRuns(system, data_folder, reader);
        // If the database is damaged, only checkpoints in its readable rows are copied.
        all = reader.runs().value_or(std::vector<RunRecord>());
    }
    std::vector<std::string> lost;
    SEEDBED_TRY(makeFolders(files, parent));
    removeStaleFilesFor(files, place);
    const Path made = temporaryPathFor(place);
    CopyReport report;
    Result<> done = [&]() -> Result<> {
        SEEDBED_TRY(files.makeFolder(made));
        CheckpointCopy copy(files, data_folder, made, {.state = true, .links = true}, report, stop);
        for (const RunRecord& run : all)
            if (with_checkpoints &&
                (runs.empty() || std::find(runs.begin(), runs.end(), run.id) != runs.end()))
                SEEDBED_TRY(copy.copyExisting(run.id));
        SEEDBED_TRY(exportDatabase(
            data_folder, made / kDatabaseName, runs, system,
            [&](const CopiedRun& run, std::vector<CopiedCheckpoint>& rows) {
                return with_checkpoints ? copy.copyNamed(run, rows) : markMissing(files, made, run, rows);
            },
            &lost, stop));
        for (const std::string& table : lost)
            report.not_copied.push_back("the database is damaged: some rows of its table " + table +
                                        " could not be read");
        if (finish) SEEDBED_TRY(finish(made));
        SEEDBED_TRY(files.rename(made, place));
        return files.syncFolder(parent);
    }();
    if (done) return report;
    (void)removeTree(files, made);
    if (stop.stop_requested()) return fail(ErrorCode::interrupted, "interrupted; nothing was written");
    return tl::unexpected<Error>(
        std::move(done.error()).withContext("exporting to '" + place.string() + "'"));
}

namespace {

Result<> requireDatabase(FileSystem& files, const Path& folder) {
    SEEDBED_ASSIGN(const auto database, files.info(folder / kDatabaseName));
    if (database) return {};
    const std::string name = "'" + folder.string() + "'";
    SEEDBED_ASSIGN(const auto manifest, files.info(folder / kManifestName));
    return fail(ErrorCode::config, manifest
                                       ? name + " contains a policy, not runs: 'seedbed import' imports it"
                                       : name + " is not a data folder: it contains no " + kDatabaseName);
}

}  // namespace

Result<CopyReport> importRuns(const Path& data_folder, const Path& source, const ImportOptions& options,
                              const System& system, const std::stop_token& stop) {
    FileSystem& files = *system.files;
    SEEDBED_ASSIGN(const auto info, files.info(source));
    if (!info) return fail(ErrorCode::config, "'" + source.string() + "' does not exist");
    if (info->kind == FileInfo::Kind::folder) SEEDBED_TRY(requireDatabase(files, source));
    removeStaleCopies(files, data_folder);
    const bool folder = info->kind == FileInfo::Kind::folder;
    CopyReport report;
    CheckpointCopy copy(files, folder ? source : source.parent_path(), data_folder,
                        {.state = options.trust, .links = options.trust}, report, stop);
    SEEDBED_ASSIGN(report.imported, importDatabase(
                                        data_folder, folder ? source / kDatabaseName : source, system,
                                        [&](const CopiedRun& run, std::vector<CopiedCheckpoint>& rows) {
                                            return folder && options.checkpoints
                                                       ? copy.copyNamed(run, rows)
                                                       : markMissing(files, data_folder, run, rows);
                                        },
                                        stop, kImportStepLimit, &report.leagues));
    return report;
}

}  // namespace seedbed
