// SPDX-License-Identifier: Apache-2.0
// Names temporary files and folders, and removes those that a crashed process left behind.
//
// A name contains the process id and the start time of its creator, so a later process with the same id is
// not mistaken for the creator. It also contains the PID namespace: files of other containers count as in use
// for a day.
#pragma once

#include "core/base/os/files.hpp"

namespace seedbed {

// A unique name in the folder of `path` for a file or folder that is renamed to `path` once it is complete:
// ".<name>.<process>-<start>-<counter>-<space>.tmp". Creates nothing. Thread: any.
Path temporaryPathFor(const Path& path);

// Removes temporary files and folders in `folder` that were created by this process or by one that is no
// longer running. Returns the number removed. Call it before this process creates temporary files in the
// folder.
Result<int> removeStaleFiles(FileSystem& files, const Path& folder);

// Removes all temporary files and folders in `folder`. The caller holds the lock that is required to create
// them.
Result<int> removeTemporaryFiles(FileSystem& files, const Path& folder);

// Like removeStaleFiles(), but keeps the files of this process. Thread: any.
Result<int> removeStaleFilesOfOthers(FileSystem& files, const Path& folder);

// Like removeStaleFilesOfOthers(), but only for names made by temporaryPathFor(path). Ignores errors.
void removeStaleFilesFor(FileSystem& files, const Path& path);

}  // namespace seedbed
