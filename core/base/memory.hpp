// SPDX-License-Identifier: Apache-2.0
// How much memory this process may still take, so that a run's need can be compared with it before anything
// is allocated.
#pragma once

#include <cstdint>
#include <filesystem>

#include "core/base/error.hpp"

namespace seedbed {

struct MemoryInfo {
    std::uint64_t total_bytes = 0;  // of the machine, or of the tightest cgroup limit
    std::uint64_t available_bytes =
        0;                 // without swapping, by /proc/meminfo and every cgroup (v2, v1) above this process
    bool limited = false;  // a cgroup is tighter than the machine
};

// `root` stands for "/" in tests.
Result<MemoryInfo> readMemory(const std::filesystem::path& root = "/");

// Gives memory that was freed, and that malloc keeps for later, back to the system. Takes a few milliseconds
// for 100 MB, in which other threads may wait for memory: for after something large has gone. Thread: any.
void releaseFreeMemory();

// Largest resident size that this process has had.
std::uint64_t peakResidentBytes();

}  // namespace seedbed
