// SPDX-License-Identifier: Apache-2.0
// Names of checkpoints and policies on the command line.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/error.hpp"
#include "core/base/os/files.hpp"
#include "core/checkpoint/checkpoint.hpp"

namespace seedbed {

// RUN, RUN:best, RUN:STEP, the name of an imported policy, or the path of a checkpoint or exported policy.
struct CheckpointName {
    Path folder;           // empty unless the name is a path
    std::string run;       // otherwise: id or name of a run, or name of an imported policy
    std::string selector;  // "", "best", "newest" or a step
};
Result<CheckpointName> parseCheckpointName(FileSystem& files, std::string_view text);

// The folder with one folder per imported policy.
Path policiesFolder(const Path& data_folder);

// Resolves the id or name of a run to its id, like StoreReader::resolveRun().
using RunResolver = std::function<Result<std::int64_t>(std::string_view)>;
Result<LoadedCheckpoint> loadCheckpoint(FileSystem& files, const Path& data_folder, std::string_view text,
                                        const RunResolver& resolve);
// Loads only the policy; also from an exported folder or an imported policy. Skips damaged checkpoints with a
// notice, like CheckpointStore::load().
Result<LoadedPolicy> loadPolicy(FileSystem& files, const Path& data_folder, std::string_view text,
                                const RunResolver& resolve);

}  // namespace seedbed
