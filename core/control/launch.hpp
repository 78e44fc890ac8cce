// SPDX-License-Identifier: Apache-2.0
// Starts this program in the background: runs and the queue's scheduler, which keep running without a
// terminal or window.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/os/system.hpp"
#include "core/ipc/child_process.hpp"

namespace seedbed {

// Path of this program's executable.
Result<std::filesystem::path> ownProgram();

// Starts a process in a new session without input; its output is appended to `log`. The caller must call
// wait() or release().
Result<ChildProcess> launchInBackground(const std::vector<std::string>& arguments,
                                        const std::filesystem::path& log,
                                        FileSystem& files = *realSystem().files);

// The last non-blank line of a log, or ""; for reporting why a process failed.
std::string lastLine(const std::filesystem::path& log, FileSystem& files = *realSystem().files);

}  // namespace seedbed
