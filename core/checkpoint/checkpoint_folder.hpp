// SPDX-License-Identifier: Apache-2.0
// One checkpoint folder: its contents and its description. Inner part of core/policy.
#pragma once

#include "core/checkpoint/checkpoint.hpp"
#include "core/policy/manifest.hpp"

namespace seedbed {

// Writes all of `data` into a folder that appears at `place`. error: then there is nothing new, unless only
// the last sync failed.
Result<CheckpointInfo> writeCheckpointFolder(const System& system, const Path& place,
                                             const CheckpointData& data, bool milestone);
// From the manifest only. error: damaged, no checkpoint, or not readable (readManifest() says what `damaged`
// is).
Result<CheckpointInfo> readCheckpointInfo(FileSystem& files, const Path& folder, bool* damaged = nullptr);
// Whether the folder is whole, and of a format that only newer versions know.
bool isOfNewerVersion(FileSystem& files, const Path& folder);
// Also of an exported policy, whose info comes from its provenance.
Result<LoadedPolicy> readPolicyFolder(FileSystem& files, const Path& folder);

}  // namespace seedbed
