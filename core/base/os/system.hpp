// SPDX-License-Identifier: Apache-2.0
// The file and clock seams together, for the storage code: tests pass implementations that make any file
// operation fail or move any clock. Waiting (locks, condition variables, poll) uses the kernel's monotonic
// clock.
#pragma once

#include "core/base/os/clock.hpp"
#include "core/base/os/files.hpp"

namespace seedbed {

// The caller keeps both objects alive while the copy is in use.
struct System {
    FileSystem* files = nullptr;
    const Clock* clock = nullptr;

    double wallSeconds() const { return static_cast<double>(clock->wallNs()) * 1e-9; }
};

// The file system and clock of this machine. Thread: any.
System realSystem();

}  // namespace seedbed
