// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/resume_step.hpp"

#include <charconv>

namespace seedbed {

Result<> markMissing(FileSystem& files, const std::filesystem::path& data_folder,
                     std::vector<CheckpointRecord>& checkpoints) {
    for (CheckpointRecord& checkpoint : checkpoints) {
        if (checkpoint.removed) continue;
        SEEDBED_ASSIGN(const auto found, files.info(data_folder / checkpoint.folder));
        checkpoint.removed = !found;
    }
    return {};
}

Result<std::optional<std::int64_t>> resumeStep(FileSystem& files, const std::filesystem::path& data_folder,
                                               const RunRecord& run) {
    if (run.status != RunStatus::interrupted && run.status != RunStatus::failed) return std::nullopt;
    const std::filesystem::path checkpoints = data_folder / "checkpoints" / std::to_string(run.id);
    SEEDBED_ASSIGN(const auto exists, files.info(checkpoints));
    if (!exists) return std::nullopt;
    SEEDBED_ASSIGN(const auto entries, files.list(checkpoints));
    std::optional<std::int64_t> newest;
    for (const auto& entry : entries) {
        // Complete checkpoints have their step as the name; temporary and superseded ones have other names.
        std::int64_t step = 0;
        const char* end = entry.name.data() + entry.name.size();
        const auto [rest, error] = std::from_chars(entry.name.data(), end, step);
        if (error != std::errc() || rest != end || step < newest.value_or(0)) continue;
        SEEDBED_ASSIGN(const auto manifest, files.info(checkpoints / entry.name / "manifest.json"));
        if (manifest) newest = step;
    }
    return newest && *newest != run.progress.steps ? newest : std::nullopt;
}

}  // namespace seedbed
