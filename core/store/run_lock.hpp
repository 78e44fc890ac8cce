// SPDX-License-Identifier: Apache-2.0
// Who owns a run: a lock on a file that the kernel drops with its process, so that a vanished owner is
// recognised at once.
#pragma once

#include <filesystem>

#include "core/base/error.hpp"
#include "core/base/system.hpp"
#include "core/store/records.hpp"

namespace seedbed {

// In place of a run: who works on the queue. Runs are counted from 1.
inline constexpr RunId kQueueLock = 0;

// Held from acquire() to destruction, or to the end of the process, however it ends. Not inherited by
// programs it starts.
class RunLock {
public:
    // error: failure, naming the process that owns the run now. Never waits.
    static Result<RunLock> acquire(const std::filesystem::path& data_folder, RunId run,
                                   const System& system = realSystem());
    // Whether some process (this one included) owns the run; asks only, takes nothing. A lock file that
    // cannot be read counts as held.
    static bool isHeld(const std::filesystem::path& data_folder, RunId run);

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
