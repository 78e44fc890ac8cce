// SPDX-License-Identifier: Apache-2.0
// The memory available to this process, which is compared with an estimate before allocating.
#pragma once

#include <cstdint>
#include <filesystem>

#include "core/base/error.hpp"

namespace seedbed {

struct MemoryInfo {
    std::uint64_t total_bytes = 0;  // memory of the machine or the lowest cgroup limit, without swap; from
                                    // /proc/meminfo and all parent cgroups (v2, v1) of this process
    std::uint64_t available_bytes = 0;
    bool limited = false;  // a cgroup limit is below the machine's memory
};

// Reads the current limits. Tests pass a different `root`.
Result<MemoryInfo> readMemory(const std::filesystem::path& root = "/");

// Makes malloc return unused memory to the system. Takes a few milliseconds per 100 MB, during which
// allocations of other threads may block; call it after releasing something large. Thread: any.
void releaseFreeMemory();

// Makes glibc return freed blocks of 4 MiB or more to the system. Without this call, glibc keeps larger and
// larger blocks in the heap, and a resume needs up to 5 % more memory. Call once, when the process starts.
void returnLargeBlocks();

// Loads the unwinder that the C library uses for exceptions. Otherwise the C library loads it on first use,
// and aborts the process if memory is exhausted at that moment. Call once, when the process starts.
void prepareUnwinding();

// The largest resident size of this process so far.
std::uint64_t peakResidentBytes();

}  // namespace seedbed
