// SPDX-License-Identifier: Apache-2.0
// Reads, writes and copies checkpoint folders.
#pragma once

#include <stop_token>
#include <string_view>

#include "core/base/error.hpp"
#include "core/base/os/system.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/policy/manifest.hpp"

namespace seedbed {

// Writes `data` to a folder that appears at `place` once it is complete. error: `place` is unchanged, unless
// only the last sync failed.
Result<CheckpointInfo> writeCheckpointFolder(const System& system, const Path& place,
                                             const CheckpointData& data, bool milestone);
// Reads only the manifest. error: damaged, not a checkpoint, or not readable; `damaged` as in readManifest().
Result<CheckpointInfo> readCheckpointInfo(FileSystem& files, const Path& folder, bool* damaged = nullptr);
// Whether the folder is undamaged but in a format that only newer versions support.
bool isOfNewerVersion(FileSystem& files, const Path& folder);
// Loads the policy of a checkpoint or of an exported folder; the metadata of an exported folder is in its
// provenance record.
Result<LoadedPolicy> readPolicyFolder(FileSystem& files, const Path& folder);
// error: damaged, with file and reason.
Result<LoadedCheckpoint> loadCheckpoint(FileSystem& files, const Path& folder);
// Copies a complete checkpoint folder and checks every byte; `to` appears complete or not at all. Its parent
// must exist. Copies only files that `wanted` accepts; null accepts all. error: also `interrupted` after a
// stop request.
Result<> copyCheckpoint(FileSystem& files, const Path& from, const Path& to, FileFilter wanted = nullptr,
                        const std::stop_token& stop = {});

}  // namespace seedbed
