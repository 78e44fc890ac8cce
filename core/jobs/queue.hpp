// SPDX-License-Identifier: Apache-2.0
// The queue's scheduler: starts queued runs as separate processes, a limited number at a time.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "core/base/error.hpp"
#include "core/store/records.hpp"

namespace seedbed {

// Whether a scheduler is running for this data folder.
bool isQueueRunning(const std::filesystem::path& data_folder);
// The file with the output of a run that the queue started.
std::filesystem::path runLog(const std::filesystem::path& data_folder, RunId run);

// Rules for resuming runs whose process exited unexpectedly.
struct RestartPolicy {
    std::chrono::milliseconds first_pause{1000};  // pause before the first restart; doubles for each further
                                                  // unexpected exit
    std::chrono::milliseconds longest_pause{60'000};
    // A process that exits earlier than this counts as a failed start, even if it saved a checkpoint.
    double short_life_s = 60;
};

// Starts queued runs and resumes those whose process exited unexpectedly (rules in queue.cpp), until all are
// finished or a stop is requested; after a stop request, active runs continue. `program`: the executable of
// this program. `report` gets a line for each change. Thread: the caller's, which blocks. error: another
// scheduler is running, or the folder cannot be used.
Result<> runQueue(const std::filesystem::path& data_folder, const std::filesystem::path& program,
                  const std::function<void(const std::string&)>& report, const std::stop_token& stop,
                  const RestartPolicy& restarts = {});

}  // namespace seedbed
