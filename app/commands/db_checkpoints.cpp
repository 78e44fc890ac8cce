// SPDX-License-Identifier: Apache-2.0
// Compares database rows with folders, and folders with their manifests.
#include "app/commands/db_checkpoints.hpp"

#include <optional>
#include <set>
#include <utility>

#include "core/base/text.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/checkpoint/checkpoint_folder.hpp"
#include "core/checkpoint/checkpoint_store.hpp"
#include "core/run/data_copy.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed::app {
namespace {

std::string nameOf(RunId run) { return "run " + std::to_string(run); }

// Returns the step in the name of a checkpoint folder, "<step>" or "<step>.<copy>"; nothing for other names.
std::optional<std::int64_t> stepOf(const std::string& name) {
    if (name.empty() || name.find_first_not_of("0123456789.") != std::string::npos) return std::nullopt;
    return parseInteger(name.substr(0, name.find('.')));
}

// Returns all checkpoint folders of a run, named by rows or found on disk, oldest first.
Result<std::vector<std::pair<std::int64_t, Path>>> foldersOf(FileSystem& files, const Path& data_folder,
                                                             RunId run,
                                                             const std::vector<CheckpointRecord>& rows) {
    std::set<std::pair<std::int64_t, Path>> folders;
    for (const CheckpointRecord& row : rows)
        if (!row.removed) folders.emplace(row.step, data_folder / row.folder);
    const Path folder = checkpointsFolder(data_folder, run);
    SEEDBED_ASSIGN(const auto there, files.info(folder));
    if (there) {
        SEEDBED_ASSIGN(const auto entries, files.list(folder));
        for (const FileInfo& entry : entries)
            if (const auto step = stepOf(entry.name); step && entry.kind == FileInfo::Kind::folder)
                folders.emplace(*step, folder / entry.name);
    }
    return std::vector<std::pair<std::int64_t, Path>>(folders.begin(), folders.end());
}

// Describes which checkpoint a resume uses instead of the damaged checkpoint at `step`. `good`: steps of the
// intact checkpoints, ascending.
std::string insteadOf(std::int64_t step, const std::vector<std::int64_t>& good, RunId run) {
    const std::string resume = "; 'seedbed resume " + std::to_string(run) + "'";
    if (good.empty()) return "; this run has no intact checkpoint and cannot be resumed";
    if (good.back() >= step) return resume + " uses the newer checkpoint at step " + formatCount(good.back());
    return resume + " uses the checkpoint at step " + formatCount(good.back()) + " instead";
}

Result<> checkRun(FileSystem& files, const Path& data_folder, RunId run,
                  const std::vector<CheckpointRecord>& rows, std::vector<std::string>& problems,
                  std::int64_t& good) {
    SEEDBED_ASSIGN(const auto folders, foldersOf(files, data_folder, run, rows));
    std::vector<std::int64_t> good_steps;
    std::vector<std::pair<std::int64_t, std::string>> damaged;
    for (const auto& [step, folder] : folders) {
        const auto loaded = loadCheckpoint(files, folder);
        if (loaded) good_steps.push_back(step);
        // A folder that was removed in the meantime is not damaged; the loop over the rows handles it.
        SEEDBED_ASSIGN(const auto there, files.info(folder));
        if (!loaded && there) damaged.emplace_back(step, loaded.error().text());
    }
    good += static_cast<std::int64_t>(good_steps.size());
    for (const auto& [step, reason] : damaged)
        problems.push_back(nameOf(run) + ": " + reason + insteadOf(step, good_steps, run));
    for (const CheckpointRecord& row : rows) {
        if (row.removed) continue;
        SEEDBED_ASSIGN(const auto there, files.info(data_folder / row.folder));
        if (there) continue;
        SEEDBED_ASSIGN(const bool fine,
                       wasReplaced(files, data_folder, run, Path(row.folder).filename().string(), row.step,
                                   row.milestone));
        if (!fine)
            problems.push_back(nameOf(run) + ": the checkpoint '" + row.folder + "' is missing" +
                               insteadOf(row.step, good_steps, run));
    }
    return {};
}

}  // namespace

Result<> checkCheckpoints(FileSystem& files, const Path& data_folder, std::vector<std::string>& problems,
                          std::int64_t& good) {
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(data_folder));
    SEEDBED_ASSIGN(const auto runs, reader.runs());
    for (const RunRecord& run : runs) {
        SEEDBED_ASSIGN(const auto rows, reader.checkpoints(run.id));
        SEEDBED_TRY(checkRun(files, data_folder, run.id, rows, problems, good));
    }
    return {};
}

}  // namespace seedbed::app
