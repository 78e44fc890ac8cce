// SPDX-License-Identifier: Apache-2.0
// The seams to the machine together, as storage is given them: whoever passes another one can fail every file
// operation and move every clock. What waits (locks, condition variables, poll) waits on the kernel's
// monotonic clock.
#pragma once

#include "core/base/clock.hpp"
#include "core/base/files.hpp"

namespace seedbed {

// A value; both outlive whatever was given it.
struct System {
    FileSystem* files = nullptr;
    const Clock* clock = nullptr;

    double wallSeconds() const { return static_cast<double>(clock->wallNs()) * 1e-9; }
};

// Of this machine. Thread: any.
System realSystem();

}  // namespace seedbed
