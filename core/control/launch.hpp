// SPDX-License-Identifier: Apache-2.0
// Starting our own program in the background: runs and the queue's scheduler, which outlive terminal and
// window.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/system.hpp"
#include "core/ipc/child_process.hpp"

namespace seedbed {

// This program's file, for starting it again.
Result<std::filesystem::path> ownProgram();

// A session of its own, no input, output appended to `log`. The caller may wait() for it, or release() and
// end before it.
Result<ChildProcess> launchInBackground(const std::vector<std::string>& arguments,
                                        const std::filesystem::path& log,
                                        FileSystem& files = *realSystem().files);

// The last line of a log that says something; for telling why a process ended. "" when there is none.
std::string lastLine(const std::filesystem::path& log, FileSystem& files = *realSystem().files);

}  // namespace seedbed
