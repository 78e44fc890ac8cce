// SPDX-License-Identifier: Apache-2.0
// The command that starts a worker for an environment.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/error.hpp"
#include "core/worker/worker_process.hpp"

namespace seedbed {

// Sets the data folder whose packs workers use. The default is SEEDBED_DATA or the user's data folder. Call
// it before any other function of this folder.
void usePacksOf(std::filesystem::path data_folder);

// "ADDRESS:PORT" on which a worker of `id` listens for a game that the user starts (godot:HOST:PORT,
// unity:editor); "" for other ids.
std::string waitingAddressOf(const std::string& id);

// The memory limit of each of the `processes` workers of one group: an equal share of half of the machine's
// memory, but at least 2 GiB.
Result<std::uint64_t> defaultWorkerMemory(int processes);

// Sets the command, variables and network of `plan` for the environment `id`, and its memory limit as for a
// single process. error: config, if the pack of the environment is not installed; failure, if the files of
// the worker are missing.
Result<> addWorkerCommand(const std::string& id, WorkerPlan& plan);

}  // namespace seedbed
