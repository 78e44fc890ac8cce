// SPDX-License-Identifier: Apache-2.0
// The order of a copy. A run saves its rows before the checkpoint that needs them, so checkpoints that were
// copied before the database have all their rows in it; those that rows of the database name and that are
// newer come afterwards, while their run may be replacing them.
#include "core/run/data_copy.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "core/base/temporary_files.hpp"
#include "core/store/database.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed {
namespace {

constexpr const char* kBestName = "best.json";
constexpr std::uint64_t kLongestMark = 4096;

// Checkpoints of the runs of one data folder, on their way into another.
class CheckpointCopy {
public:
    CheckpointCopy(FileSystem& files, Path from, Path to, CopyReport& report)
        : files_(files), from_(std::move(from)), to_(std::move(to)), report_(report) {}

    // What is there now, of a run of an export. What cannot be copied is tried again, and told, when the rows
    // are known.
    Result<> ahead(RunId run) {
        SEEDBED_ASSIGN(const auto there, CheckpointStore(files_, from_, run).list());
        SEEDBED_TRY(makeFolders(files_, checkpointsFolder(to_, run)));
        for (const CheckpointInfo& info : there)
            if (copyCheckpoint(files_, info.folder, checkpointsFolder(to_, run) / info.folder.filename()))
                ++report_.checkpoints[run];
        return {};
    }

    Result<> bring(const CopiedRun& run, std::vector<CopiedCheckpoint>& rows) {
        SEEDBED_ASSIGN(const auto offered, byName(from_, run.there));
        SEEDBED_ASSIGN(auto present, byName(to_, run.here));
        // Of a run that was here already, what retention has removed stays removed.
        const bool wants_removed = run.known && present.empty();
        const std::size_t wanted = static_cast<std::size_t>(std::count_if(
            rows.begin(), rows.end(), [](const auto& row) { return isLive(row) && !row.removed; }));
        const std::size_t told = report_.not_copied.size();
        for (CopiedCheckpoint& row : rows) {
            if (!isLive(row)) continue;
            if (present.contains(row.name) && isOf(present[row.name], row)) {
                if (!run.known) row.removed = false;
                continue;
            }
            if (row.removed && !wants_removed) continue;
            SEEDBED_TRY(copyOne(run, row, offered, present));
        }
        if (!run.known) SEEDBED_TRY(removeOrphans(run, rows, present));
        if (wanted > 0 && present.empty() && !run.known && report_.not_copied.size() == told)
            report_.not_copied.push_back("all checkpoints of run " + std::to_string(run.there) +
                                         " were replaced by newer ones while they were copied; try again");
        if (!run.known) copyMark(run);
        return {};
    }

private:
    using ByName = std::map<std::string, CheckpointInfo>;

    static bool isLive(const CopiedCheckpoint& row) { return !row.superseded; }
    // Two runs, or two lives of one, may each have one of the same step.
    static bool isOf(const CheckpointInfo& info, const CopiedCheckpoint& row) {
        return row.params_sha256.empty() || info.params_sha256 == row.params_sha256;
    }

    Result<ByName> byName(const Path& data_folder, RunId run) const {
        SEEDBED_ASSIGN(const auto complete, CheckpointStore(files_, data_folder, run).list());
        ByName found;
        for (const CheckpointInfo& info : complete) found[info.folder.filename().string()] = info;
        return found;
    }

    Result<> copyOne(const CopiedRun& run, CopiedCheckpoint& row, const ByName& offered, ByName& present) {
        const Path source = checkpointsFolder(from_, run.there) / row.name,
                   target = checkpointsFolder(to_, run.here) / row.name;
        const auto found = offered.find(row.name);
        const bool another = found != offered.end() && !isOf(found->second, row);
        if (const auto taken = present.find(row.name); taken != present.end()) {
            if (run.known) return {};
            // Copied ahead, and its run has gone back and made another one since.
            SEEDBED_TRY(removeTree(files_, target));
            present.erase(taken);
        }
        SEEDBED_TRY(makeFolders(files_, target.parent_path()));
        Result<> copied =
            another ? fail("'" + source.string() + "' is another checkpoint than the one of the run's row")
                    : copyCheckpoint(files_, source, target);
        if (copied) {
            row.removed = false;
            ++report_.checkpoints[run.here];
            present[row.name] = found != offered.end() ? found->second : CheckpointInfo{};
            return {};
        }
        SEEDBED_ASSIGN(const auto there, files_.info(source));
        if (run.known && (!there || another)) return {};
        SEEDBED_ASSIGN(const bool replaced,
                       wasReplaced(files_, from_, run.there, row.name, row.step, row.milestone));
        if (replaced && (!there || another)) row.removed = true;
        else report_.not_copied.push_back(copied.error().text());
        return {};
    }

    // Copied ahead, and superseded before the rows were copied; or put aside by a resume to an earlier step.
    Result<> removeOrphans(const CopiedRun& run, const std::vector<CopiedCheckpoint>& rows, ByName& present) {
        for (auto one = present.begin(); one != present.end();) {
            const auto named = [&](const CopiedCheckpoint& row) { return row.name == one->first; };
            const bool live = std::any_of(rows.begin(), rows.end(),
                                          [&](const auto& row) { return isLive(row) && named(row); });
            const bool old = std::any_of(rows.begin(), rows.end(), named) && !live;
            SEEDBED_ASSIGN(const auto there, files_.info(checkpointsFolder(from_, run.there) / one->first));
            if (live || (!old && there)) {
                ++one;
                continue;
            }
            SEEDBED_TRY(removeTree(files_, checkpointsFolder(to_, run.here) / one->first));
            one = present.erase(one);
        }
        return {};
    }

    // Which one is the best. Scores in the checkpoints say nearly the same.
    void copyMark(const CopiedRun& run) {
        const Path mark = checkpointsFolder(from_, run.there) / kBestName;
        const auto there = files_.info(mark);
        if (!there || !*there || (*there)->kind != FileInfo::Kind::file) return;
        if (const auto text = readFile(files_, mark, kLongestMark))
            (void)writeFileAtomically(files_, checkpointsFolder(to_, run.here) / kBestName, *text);
    }

    FileSystem& files_;
    Path from_, to_;
    CopyReport& report_;
};

// Of a copy without checkpoints: only those that are there already.
Result<> noteMissing(FileSystem& files, const Path& to, const CopiedRun& run,
                     std::vector<CopiedCheckpoint>& rows) {
    for (CopiedCheckpoint& row : rows) {
        SEEDBED_ASSIGN(const auto there, files.info(checkpointsFolder(to, run.here) / row.name));
        row.removed = row.removed || (!row.superseded && !there);
    }
    return {};
}

}  // namespace

Result<bool> wasReplaced(FileSystem& files, const Path& data_folder, RunId run, const std::string& name,
                         std::int64_t step, bool milestone) {
    // Put aside by a resume to an earlier step, which comes before the rows know of it.
    SEEDBED_ASSIGN(const auto aside,
                   files.info(checkpointsFolder(data_folder, run) / (name + ".superseded")));
    if (aside) return true;
    SEEDBED_ASSIGN(const auto complete, CheckpointStore(files, data_folder, run).list());
    const auto newer =
        std::count_if(complete.begin(), complete.end(), [&](const auto& info) { return info.step > step; });
    const bool same =
        std::any_of(complete.begin(), complete.end(), [&](const auto& info) { return info.step == step; });
    return same || (!milestone && newer >= Retention{}.generations);
}

Result<CopyReport> exportRuns(const Path& data_folder, const Path& target, const std::vector<RunId>& runs,
                              bool with_checkpoints, const System& system) {
    FileSystem& files = *system.files;
    const Path place = target.has_filename() ? target : target.parent_path();
    const Path parent = place.parent_path().empty() ? Path(".") : place.parent_path();
    SEEDBED_ASSIGN(const auto taken, files.info(place));
    if (taken)
        return fail(ErrorCode::config, "'" + place.string() + "' is there already; choose another name");
    std::vector<RunRecord> all;
    {
        SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(data_folder));
        SEEDBED_ASSIGN(all, reader.runs());
    }
    SEEDBED_TRY(makeFolders(files, parent));
    removeStaleFilesFor(files, place);
    const Path made = temporaryPathFor(place);
    CopyReport report;
    Result<> done = [&]() -> Result<> {
        SEEDBED_TRY(files.makeFolder(made));
        CheckpointCopy copy(files, data_folder, made, report);
        for (const RunRecord& run : all)
            if (with_checkpoints &&
                (runs.empty() || std::find(runs.begin(), runs.end(), run.id) != runs.end()))
                SEEDBED_TRY(copy.ahead(run.id));
        SEEDBED_TRY(exportDatabase(data_folder, made / kDatabaseName, runs, system,
                                   [&](const CopiedRun& run, std::vector<CopiedCheckpoint>& rows) {
                                       return with_checkpoints ? copy.bring(run, rows)
                                                               : noteMissing(files, made, run, rows);
                                   }));
        SEEDBED_TRY(files.rename(made, place));
        return files.syncFolder(parent);
    }();
    if (done) return report;
    (void)removeTree(files, made);
    return tl::unexpected<Error>(
        std::move(done.error()).withContext("exporting to '" + place.string() + "'"));
}

Result<CopyReport> importRuns(const Path& data_folder, const Path& source, bool with_checkpoints,
                              const System& system) {
    FileSystem& files = *system.files;
    SEEDBED_ASSIGN(const auto there, files.info(source));
    if (!there) return fail(ErrorCode::config, "'" + source.string() + "' is not there");
    const bool folder = there->kind == FileInfo::Kind::folder;
    CopyReport report;
    CheckpointCopy copy(files, folder ? source : source.parent_path(), data_folder, report);
    SEEDBED_ASSIGN(report.imported,
                   importDatabase(data_folder, folder ? source / kDatabaseName : source, system,
                                  [&](const CopiedRun& run, std::vector<CopiedCheckpoint>& rows) {
                                      return folder && with_checkpoints
                                                 ? copy.bring(run, rows)
                                                 : noteMissing(files, data_folder, run, rows);
                                  }));
    return report;
}

}  // namespace seedbed
