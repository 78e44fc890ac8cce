// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/resume_step.hpp"

#include <algorithm>

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

std::optional<std::int64_t> earlierStep(const RunRecord& run,
                                        const std::vector<CheckpointRecord>& checkpoints) {
    if (run.status != RunStatus::interrupted && run.status != RunStatus::failed) return std::nullopt;
    const auto newest = std::find_if(checkpoints.rbegin(), checkpoints.rend(),
                                     [](const CheckpointRecord& c) { return !c.removed; });
    if (newest == checkpoints.rend() || newest->step >= run.progress.steps) return std::nullopt;
    return newest->step;
}

}  // namespace seedbed
