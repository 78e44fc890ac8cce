// SPDX-License-Identifier: Apache-2.0
// The queue's scheduler: starts queued runs as separate processes, a limited number at a time.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "core/base/error.hpp"
#include "core/store/records.hpp"

namespace seedbed {

// Whether a scheduler is running on this data folder.
bool isQueueRunning(const std::filesystem::path& data_folder);
// The file with the output of a run that the queue started.
std::filesystem::path runLog(const std::filesystem::path& data_folder, RunId run);

// Starts queued runs until none is left and none is running, or until a stop request; running runs then
// continue, and the next scheduler finds them. Runs that were started by hand count as running. A run whose
// process vanished is resumed, up to three times without a new checkpoint in between; a run that a signal
// stopped while no scheduler was running (such as a shutdown of the computer) is always resumed; a failed run
// leaves the queue. Problems of the queue itself (full disk, locked database) are reported and retried.
// `program`: the file of this program. `report` gets a line for each change. Thread: the caller's, which
// blocks. error: another scheduler is running, or the folder cannot be used.
Result<> runQueue(const std::filesystem::path& data_folder, const std::filesystem::path& program,
                  const std::function<void(const std::string&)>& report, const std::stop_token& stop);

}  // namespace seedbed
