// SPDX-License-Identifier: Apache-2.0
#include "core/checkpoint/checkpoint_store.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "core/base/log.hpp"
#include "core/base/os/temporary_files.hpp"
#include "core/base/strict_json.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/checkpoint_folder.hpp"
#include "core/policy/manifest.hpp"
#include "core/policy/observed_files.hpp"

namespace seedbed {

namespace {

constexpr const char* kBestName = "best.json";
constexpr std::uint64_t kMaxBestBytes = 4096;
constexpr std::string_view kSupersededSuffix = ".superseded";

// The name of a folder: "<step>", or "<step>.<copy>" if it replaces a checkpoint at the same step;
// either can end with ".superseded".
struct Entry {
    std::string name;
    std::int64_t step = 0;
    std::int64_t copy = 0;
    bool superseded = false;
};

std::optional<std::int64_t> digits(std::string_view text) {
    const bool plain =
        !text.empty() && text.size() <= 18 &&
        std::all_of(text.begin(), text.end(), [](char letter) { return letter >= '0' && letter <= '9'; });
    return plain ? parseInteger(text) : std::nullopt;
}

std::optional<Entry> entryFrom(const FileInfo& info) {
    if (info.kind != FileInfo::Kind::folder) return std::nullopt;
    Entry entry;
    entry.name = info.name;
    std::string_view text = info.name;
    if (text.ends_with(kSupersededSuffix)) {
        entry.superseded = true;
        text.remove_suffix(kSupersededSuffix.size());
    }
    const auto dot = text.find('.');
    const auto step = digits(text.substr(0, dot));
    const auto copy =
        dot == std::string_view::npos ? std::optional<std::int64_t>(0) : digits(text.substr(dot + 1));
    if (!step || !copy) return std::nullopt;
    entry.step = *step;
    entry.copy = *copy;
    return entry;
}

// Folders ordered by step and copy.
Result<std::vector<Entry>> entries(FileSystem& files, const Path& folder) {
    SEEDBED_ASSIGN(const auto existing, files.info(folder));
    std::vector<Entry> found;
    if (!existing) return found;
    SEEDBED_ASSIGN(const auto names, files.list(folder));
    for (const auto& info : names)
        if (auto entry = entryFrom(info)) found.push_back(std::move(*entry));
    std::sort(found.begin(), found.end(), [](const Entry& a, const Entry& b) {
        return std::pair(a.step, a.copy) < std::pair(b.step, b.copy);
    });
    return found;
}

// Renames the folder first, so that a partly removed one is never mistaken for a checkpoint.
Result<> removeFolder(FileSystem& files, const Path& folder) {
    const Path temporary = temporaryPathFor(folder);
    SEEDBED_TRY(files.rename(folder, temporary));
    return removeTree(files, temporary);
}

// Contents of best.json. If it is missing or damaged, the scores in the manifests are used.
struct BestMark {
    std::int64_t step = 0;
    std::optional<double> score;
    std::string params_sha256;  // "" in a mark written by an earlier version

    bool refersTo(const CheckpointInfo& info) const {
        return info.step == step && (params_sha256.empty() || info.params_sha256 == params_sha256);
    }
};

Result<std::optional<BestMark>> readBest(FileSystem& files, const Path& folder) {
    std::optional<BestMark> mark;
    SEEDBED_ASSIGN(const auto info, files.info(folder / kBestName));
    if (!info || info->bytes > kMaxBestBytes || info->kind != FileInfo::Kind::file) return mark;
    SEEDBED_ASSIGN(const std::string text, readFile(files, folder / kBestName, kMaxBestBytes));
    const Json json = parseStrictJson(text);
    if (!json.is_object() || !json.contains("step") || !json["step"].is_number_integer()) return mark;
    mark = BestMark{json["step"].get<std::int64_t>(), {}, {}};
    if (json.contains("params_sha256") && json["params_sha256"].is_string())
        mark->params_sha256 = json["params_sha256"].get<std::string>();
    if (json.contains("score") && json["score"].is_number()) mark->score = json["score"].get<double>();
    return mark;
}

// Sets `best` of the marked checkpoint, or of the one with the highest score.
void markBestOf(std::vector<CheckpointInfo>& list, const std::optional<BestMark>& mark) {
    auto best = std::find_if(list.begin(), list.end(),
                             [&](const auto& info) { return mark && mark->refersTo(info); });
    if (best != list.end()) {
        best->best = true;
        if (mark->score) best->score = mark->score;
        return;
    }
    for (auto info = list.begin(); info != list.end(); ++info)
        if (info->score && (best == list.end() || *info->score > *best->score)) best = info;
    if (best != list.end()) best->best = true;
}

}  // namespace

Path checkpointsFolder(const Path& data_folder, std::int64_t run) {
    return data_folder / "checkpoints" / std::to_string(run);
}

CheckpointStore::CheckpointStore(FileSystem& files, const Path& data_folder, std::int64_t run,
                                 const Clock& clock)
    : files_(&files), clock_(&clock), folder_(checkpointsFolder(data_folder, run)), run_(run) {}

Result<> CheckpointStore::clean() {
    SEEDBED_ASSIGN(const auto existing, files_->info(folder_));
    if (!existing) return {};
    // The caller holds the run's lock, so no other process creates checkpoints.
    SEEDBED_TRY(removeTemporaryFiles(*files_, folder_));
    return {};
}

Result<CheckpointInfo> CheckpointStore::save(const CheckpointData& data) {
    SEEDBED_CHECK(data.step >= 0);
    SEEDBED_ASSIGN(const auto present, entries(*files_, folder_));
    std::vector<Entry> same;
    for (const auto& entry : present)
        if (!entry.superseded && entry.step == data.step) same.push_back(entry);
    std::string name = std::to_string(data.step);
    if (!same.empty()) name += "." + std::to_string(same.back().copy + 1);
    bool milestone = data.milestone;
    for (const auto& entry : same) {
        const auto replaced = readCheckpointInfo(*files_, folder_ / entry.name);
        milestone = milestone || (replaced && replaced->milestone);
    }
    auto written = writeCheckpointFolder({files_, clock_}, folder_ / name, data, milestone);
    if (!written)
        return tl::unexpected<Error>(
            std::move(written.error())
                .withContext("saving the checkpoint for step " + std::to_string(data.step)));
    // The new checkpoint is complete; if those that it replaces cannot be removed now, prune() removes them
    // later.
    for (const auto& entry : same) {
        const auto removed = removeFolder(*files_, folder_ / entry.name);
        if (!removed)
            log::debug("a replaced checkpoint could not be removed", {{"reason", removed.error().text()}});
    }
    return written;
}

Result<> CheckpointStore::markBest(std::int64_t step, std::optional<double> score) {
    SEEDBED_ASSIGN(const auto present, entries(*files_, folder_));
    Json json = {{"step", step}, {"score", score ? Json(*score) : Json()}};
    for (const auto& entry : present) {
        if (entry.superseded || entry.step != step) continue;
        SEEDBED_ASSIGN(const CheckpointInfo info, readCheckpointInfo(*files_, folder_ / entry.name));
        json["params_sha256"] = info.params_sha256;  // the newest copy is last
    }
    return writeFileAtomically(*files_, folder_ / kBestName, json.dump() + "\n");
}

namespace {

// `certain`: a checkpoint that cannot be read is an error instead of being skipped as damaged. Required
// before removing checkpoints and for finding the best one.
Result<std::vector<CheckpointInfo>> completeCheckpoints(FileSystem& files, const Path& folder, bool certain) {
    SEEDBED_ASSIGN(const auto present, entries(files, folder));
    std::vector<CheckpointInfo> list;
    for (const auto& entry : present) {
        if (entry.superseded) continue;
        bool damaged = false;
        auto info = readCheckpointInfo(files, folder / entry.name, &damaged);
        if (!info && certain && !damaged) return tl::unexpected<Error>(std::move(info).error());
        if (!info || info->step != entry.step) continue;
        // Of several copies of a step, the newest is used.
        if (!list.empty() && list.back().step == info->step) list.pop_back();
        list.push_back(std::move(*info));
    }
    auto best = readBest(files, folder);
    if (!best && certain) return tl::unexpected<Error>(std::move(best).error());
    if (!list.empty()) markBestOf(list, best ? *best : std::nullopt);
    return list;
}

}  // namespace

Result<std::vector<CheckpointInfo>> CheckpointStore::list() const {
    return completeCheckpoints(*files_, folder_, false);
}

Result<std::vector<std::int64_t>> CheckpointStore::prune(const Retention& retention) {
    SEEDBED_ASSIGN(const auto complete, completeCheckpoints(*files_, folder_, true));
    std::vector<std::int64_t> removed;
    if (complete.empty()) return removed;
    std::set<std::string> kept;
    const auto generations = static_cast<std::size_t>(std::max(retention.generations, 1));
    const std::size_t first = complete.size() - std::min(complete.size(), generations);
    for (std::size_t i = 0; i < complete.size(); ++i)
        if (i >= first || complete[i].best || complete[i].milestone)
            kept.insert(complete[i].folder.filename().string());

    SEEDBED_ASSIGN(const auto present, entries(*files_, folder_));
    for (const auto& entry : present) {
        if (kept.contains(entry.name)) continue;
        const bool known = std::any_of(complete.begin(), complete.end(), [&](const auto& info) {
            return info.folder.filename() == entry.name;
        });
        // Damaged and superseded folders are removed once enough newer checkpoints are complete.
        if (!known && entry.step >= (entry.superseded ? complete.back().step : complete[first].step))
            continue;
        SEEDBED_TRY(removeFolder(*files_, folder_ / entry.name));
        if (known) removed.push_back(entry.step);
    }
    return removed;
}

Result<std::vector<std::string>> CheckpointStore::supersedeAfter(std::int64_t step) {
    SEEDBED_ASSIGN(const auto present, entries(*files_, folder_));
    std::vector<std::string> names;
    const auto put = [&](const std::string& name) -> Result<> {
        const Path place = folder_ / (name + std::string(kSupersededSuffix));
        SEEDBED_ASSIGN(const auto taken, files_->info(place));
        if (taken) SEEDBED_TRY(removeFolder(*files_, place));
        SEEDBED_TRY(files_->rename(folder_ / name, place));
        names.push_back(name);
        return {};
    };
    Result<> done;
    for (const auto& entry : present)
        if (done && !entry.superseded && entry.step > step) done = put(entry.name);
    if (done && !names.empty()) done = files_->syncFolder(folder_);
    if (done) return names;
    (void)restoreSuperseded(names);
    return tl::unexpected<Error>(std::move(done).error());
}

Result<> CheckpointStore::restoreSuperseded(const std::vector<std::string>& names) {
    Result<> done;
    for (const std::string& name : names)
        if (auto back = files_->rename(folder_ / (name + std::string(kSupersededSuffix)), folder_ / name);
            !back && done)
            done = back;
    if (!done || names.empty()) return done;
    return files_->syncFolder(folder_);
}

namespace {

// The folders that match a selector, the preferred one first.
Result<std::vector<Path>> matchingFolders(FileSystem& files, const Path& folder, std::int64_t run,
                                          std::string_view selector,
                                          const std::vector<CheckpointInfo>& complete) {
    const std::string name = "run " + std::to_string(run);
    SEEDBED_ASSIGN(auto present, entries(files, folder));
    std::erase_if(present, [](const Entry& entry) { return entry.superseded; });
    if (present.empty())
        return fail(ErrorCode::config,
                    name +
                        " has no checkpoint: it stopped before the first one was saved, or "
                        "they were removed; choose another run or train again");
    std::int64_t newest = std::numeric_limits<std::int64_t>::max();
    std::vector<Path> paths;
    if (selector == "best") {
        const auto best =
            std::find_if(complete.begin(), complete.end(), [](const auto& info) { return info.best; });
        if (best == complete.end())
            return fail(ErrorCode::config,
                        name + " has no best checkpoint yet: none of its checkpoints was evaluated");
        newest = best->step;
    } else if (!selector.empty() && selector != "newest") {
        const auto step = parseInteger(selector);
        if (!step)
            return fail(ErrorCode::config, "'" + std::string(selector) +
                                               "' does not select a checkpoint: use best, newest or a step");
        std::vector<std::string> steps;
        for (const auto& entry : present) {
            if (entry.step == *step) paths = {folder / entry.name};
            if (steps.empty() || steps.back() != std::to_string(entry.step))
                steps.push_back(std::to_string(entry.step));
        }
        if (!paths.empty()) return paths;
        return fail(ErrorCode::config, name + " has no checkpoint at step " + std::to_string(*step) +
                                           "; existing steps: " + join(steps, ", "));
    }
    for (auto entry = present.rbegin(); entry != present.rend(); ++entry)
        if (entry->step <= newest) paths.push_back(folder / entry->name);
    return paths;
}

// The first folder that is not damaged, with a notice for each one skipped. Skips only folders whose contents
// are provably damaged, because a resume supersedes all checkpoints that are newer than the loaded one.
template <class T, class Read>
Result<T> firstUndamaged(FileSystem& files, const std::vector<Path>& paths, std::int64_t run,
                         const Read& read) {
    std::vector<std::string> reasons;
    for (const auto& path : paths) {
        ObservedFiles observed(files);
        Result<T> found = read(observed, path);
        if (!found) {
            const bool newer = isOfNewerVersion(observed, path);
            if (observed.failed() || newer || found.error().code == ErrorCode::out_of_memory) {
                // The run may have removed the checkpoint in the meantime.
                const auto still = files.info(path);
                if (still && !*still) continue;
                found.error().message +=
                    newer ? "" : "; nothing was changed; try again, or name an older checkpoint by its step";
                return found;
            }
            reasons.push_back(found.error().text());
            continue;
        }
        for (const auto& reason : reasons)
            found->notices.push_back(reason + "; the checkpoint at step " + std::to_string(found->info.step) +
                                     " is used instead");
        return found;
    }
    return fail("no checkpoint of run " + std::to_string(run) + " can be used: " + join(reasons, "; "));
}

void copyBestMark(CheckpointInfo& to, const std::vector<CheckpointInfo>& complete) {
    for (const auto& info : complete)
        if (info.folder == to.folder) {
            to.best = info.best;
            to.score = info.score;
        }
}

}  // namespace

Result<LoadedCheckpoint> CheckpointStore::load(std::string_view selector) const {
    SEEDBED_ASSIGN(const auto complete, completeCheckpoints(*files_, folder_, selector == "best"));
    SEEDBED_ASSIGN(const auto paths, matchingFolders(*files_, folder_, run_, selector, complete));
    SEEDBED_ASSIGN(
        LoadedCheckpoint loaded,
        firstUndamaged<LoadedCheckpoint>(*files_, paths, run_, [](FileSystem& files, const Path& path) {
            return loadCheckpoint(files, path);
        }));
    copyBestMark(loaded.info, complete);
    return loaded;
}

Result<LoadedPolicy> CheckpointStore::loadPolicy(std::string_view selector) const {
    SEEDBED_ASSIGN(const auto complete, completeCheckpoints(*files_, folder_, selector == "best"));
    SEEDBED_ASSIGN(const auto paths, matchingFolders(*files_, folder_, run_, selector, complete));
    SEEDBED_ASSIGN(LoadedPolicy loaded, firstUndamaged<LoadedPolicy>(*files_, paths, run_,
                                                                     [](FileSystem& files, const Path& path) {
                                                                         return readPolicyFolder(files, path);
                                                                     }));
    copyBestMark(loaded.info, complete);
    return loaded;
}

Result<CheckpointInfo> CheckpointStore::find(std::string_view selector) const {
    SEEDBED_ASSIGN(const auto complete, completeCheckpoints(*files_, folder_, selector == "best"));
    SEEDBED_ASSIGN(const auto paths, matchingFolders(*files_, folder_, run_, selector, complete));
    for (const auto& path : paths)
        for (const auto& info : complete)
            if (info.folder == path) return info;
    return fail("no checkpoint of run " + std::to_string(run_) + " can be used: their manifests are damaged");
}

}  // namespace seedbed
