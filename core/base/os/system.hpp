// SPDX-License-Identifier: Apache-2.0
// The file and clock seams together, for the storage code: tests pass implementations in which any file
// operation can fail and any clock can be changed. Waits (locks, condition variables, poll) use the kernel's
// monotonic clock.
#pragma once

#include "core/base/os/clock.hpp"
#include "core/base/os/files.hpp"

namespace seedbed {

// Both objects must outlive every copy of this struct.
struct System {
    FileSystem* files = nullptr;
    const Clock* clock = nullptr;

    double wallSeconds() const { return static_cast<double>(clock->wallNs()) * 1e-9; }
};

// The file system and clock of this machine. Thread: any.
System realSystem();

}  // namespace seedbed
