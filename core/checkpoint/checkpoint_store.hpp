// SPDX-License-Identifier: Apache-2.0
// The checkpoints of a run: folders <data>/checkpoints/<run>/<step>, each written under a temporary name and
// renamed when complete.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/os/files.hpp"
#include "core/base/os/system.hpp"
#include "core/checkpoint/checkpoint.hpp"

namespace seedbed {

Path checkpointsFolder(const Path& data_folder, std::int64_t run);

// Thread: one owner at a time; readers in other processes see only complete folders.
class CheckpointStore {
public:
    // `files` and `clock` must outlive the store.
    CheckpointStore(FileSystem& files, const Path& data_folder, std::int64_t run,
                    const Clock& clock = *realSystem().clock);
    const Clock& clock() const { return *clock_; }

    // Removes incomplete folders left by a crash. The owner of the run calls it when the run starts.
    Result<> clean();
    // Writes a checkpoint durably: after success it survives a power failure; after an error all earlier
    // checkpoints are unchanged. Replaces a checkpoint at the same step; if that was a milestone, the new one
    // is also a milestone.
    Result<CheckpointInfo> save(const CheckpointData& data);
    // Marks the checkpoint of `step` as the best one. The mark refers to its parameters, so it does not apply
    // to a later checkpoint at the same step.
    Result<> markBest(std::int64_t step, std::optional<double> score);
    // Applies retention; returns the steps of removed checkpoints.
    Result<std::vector<std::int64_t>> prune(const Retention& retention = {});
    // For a resume at `step`: renames all later checkpoints, which are superseded or damaged; prune() removes
    // them once a later checkpoint is complete. Returns the original names. After an error the renames are
    // reverted as far as possible.
    Result<std::vector<std::string>> supersedeAfter(std::int64_t step);
    // Reverts supersedeAfter() if the resume failed.
    Result<> restoreSuperseded(const std::vector<std::string>& names);

    // Complete checkpoints (with a readable manifest), ordered by step.
    Result<std::vector<CheckpointInfo>> list() const;
    // `selector`: "" or "newest", "best", or a step. For "" and "best", damaged checkpoints are skipped with
    // a notice in favour of the next older one. error: the checkpoint cannot be read now (I/O, memory, file
    // descriptors) or was written by a newer version; an unknown step (the message lists the existing ones).
    Result<LoadedCheckpoint> load(std::string_view selector = "") const;
    Result<LoadedPolicy> loadPolicy(std::string_view selector = "") const;
    // Like load(), but without reading parameters and state.
    Result<CheckpointInfo> find(std::string_view selector = "") const;

private:
    FileSystem* files_;
    const Clock* clock_;
    Path folder_;
    std::int64_t run_;
};

}  // namespace seedbed
