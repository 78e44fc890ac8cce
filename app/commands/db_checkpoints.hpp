// SPDX-License-Identifier: Apache-2.0
// Checkpoints of all runs together, read through. For `seedbed db`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/files.hpp"

namespace seedbed::app {

// Reads every byte of every checkpoint, those without a row too (a process was killed before it could note
// them). A row without its checkpoint is a problem, unless retention has removed it: three newer ones are
// there then, and it was no milestone. A problem names the file and what is used instead. `good` counts.
Result<> checkCheckpoints(FileSystem& files, const Path& data_folder, std::vector<std::string>& problems,
                          std::int64_t& good);

}  // namespace seedbed::app
