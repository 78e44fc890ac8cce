// SPDX-License-Identifier: Apache-2.0
// Memory that is available to this process, for comparison with an estimate before anything is allocated.
#pragma once

#include <cstdint>
#include <filesystem>

#include "core/base/error.hpp"

namespace seedbed {

struct MemoryInfo {
    std::uint64_t total_bytes = 0;  // of the machine, or the lowest cgroup limit
    // without swapping, by /proc/meminfo and every cgroup (v2, v1) above this process
    std::uint64_t available_bytes = 0;
    bool limited = false;  // a cgroup limit is below the machine's memory
};

// Reads the current limits. Tests pass another `root`.
Result<MemoryInfo> readMemory(const std::filesystem::path& root = "/");

// Returns freed memory that malloc keeps to the system. Takes a few milliseconds per 100 MB, during which
// allocations of other threads may block; call it after releasing something large. Thread: any.
void releaseFreeMemory();

// The largest resident size of this process so far.
std::uint64_t peakResidentBytes();

}  // namespace seedbed
