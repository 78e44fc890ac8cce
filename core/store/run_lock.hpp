// SPDX-License-Identifier: Apache-2.0
// Ownership of a run: a file lock that the kernel releases when the process exits for any reason.
#pragma once

#include <chrono>
#include <filesystem>

#include "core/base/error.hpp"
#include "core/base/os/system.hpp"
#include "core/store/records.hpp"

namespace seedbed {

// The lock of the queue's scheduler, in place of a run's lock; run ids start at 1.
inline constexpr RunId kQueueLock = 0;

// The lock is held until destruction or process exit. Child processes do not inherit it.
class RunLock {
public:
    // Never waits. error: failure if another process owns the run; the message names that process.
    static Result<RunLock> acquire(const std::filesystem::path& data_folder, RunId run,
                                   const System& system = realSystem());
    // Like acquire(), but waits up to `timeout` if another process owns the run. A command that shows a run
    // owns it for a few milliseconds to update its checkpoint rows.
    static Result<RunLock> acquireWithin(std::chrono::milliseconds timeout,
                                         const std::filesystem::path& data_folder, RunId run,
                                         const System& system = realSystem());
    // Whether any process, including this one, owns the run. A lock file that cannot be read counts as held.
    static bool isHeld(const std::filesystem::path& data_folder, RunId run);
    // The process that owns the run; 0 if none does or its number is not known.
    static int owner(const std::filesystem::path& data_folder, RunId run);

    RunLock(RunLock&& other) noexcept;
    RunLock& operator=(RunLock&& other) noexcept;
    ~RunLock();

    RunId run() const { return run_; }

private:
    RunLock(int descriptor, RunId run) : descriptor_(descriptor), run_(run) {}

    int descriptor_ = -1;
    RunId run_ = 0;
};

}  // namespace seedbed
