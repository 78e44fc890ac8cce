// SPDX-License-Identifier: Apache-2.0
// Memory available to this process, to compare it with an estimate before allocating.
#pragma once

#include <cstdint>
#include <filesystem>

#include "core/base/error.hpp"

namespace seedbed {

struct MemoryInfo {
    std::uint64_t total_bytes = 0;  // of the machine or the lowest cgroup limit, without swap; from
                                    // /proc/meminfo and all parent cgroups (v2, v1) of this process
    std::uint64_t available_bytes = 0;
    bool limited = false;  // a cgroup limit is below the machine's memory
};

// Reads the current limits. Tests pass a different `root`.
Result<MemoryInfo> readMemory(const std::filesystem::path& root = "/");

// Returns memory that was freed but retained by malloc to the system. Takes a few milliseconds per 100 MB,
// during which allocations of other threads may block; call it after releasing something large. Thread: any.
void releaseFreeMemory();

// From now on, blocks of 4 MiB or more return to the system when they are freed. Otherwise glibc keeps ever
// larger ones in the heap, and a resume needs up to 5 % more memory. Call once, when the process starts.
void returnLargeBlocks();

// Loads what passes exceptions through functions of the C library. It is otherwise loaded on first use, and
// the C library ends the process if memory is exhausted at that moment. Call once, when the process starts.
void prepareUnwinding();

// The largest resident size of this process so far.
std::uint64_t peakResidentBytes();

}  // namespace seedbed
