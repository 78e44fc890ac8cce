// SPDX-License-Identifier: Apache-2.0
// The queue's scheduler: starts waiting runs as processes of their own, a number at a time, until nothing
// waits.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "core/base/error.hpp"
#include "core/store/records.hpp"

namespace seedbed {

// Whether a scheduler works on the queue of this data folder.
bool queueIsRun(const std::filesystem::path& data_folder);
// Output of a run that the queue started.
std::filesystem::path runLog(const std::filesystem::path& data_folder, RunId run);

// Works on the queue until nothing is left to start and nothing it started is going, or the stop request
// (runs then go on by themselves, and the next scheduler finds them). A run that is trained by hand counts as
// going. A run whose process vanished is resumed, up to three times without a new checkpoint in between; one
// that a signal stopped while no scheduler was there (the computer was shut down) is resumed always; one that
// fails is noted and does not stop the rest. What hinders the queue itself (full disk, locked database) is
// told, and tried again. `program` is this program's file; `tell` gets a line for each thing that happens.
// error: another scheduler works there, or the folder cannot be used.
Result<> runQueue(const std::filesystem::path& data_folder, const std::filesystem::path& program,
                  const std::function<void(const std::string&)>& tell, const std::stop_token& stop);

}  // namespace seedbed
