// SPDX-License-Identifier: Apache-2.0
// Prevents suspend during training, and makes the kernel kill the run rather than the window if memory runs
// out.
#pragma once

#include <optional>
#include <string>

#include "core/ipc/child_process.hpp"

namespace seedbed {

// Inhibits suspend through logind while this object exists, using a child process that exits when this
// process exits for any reason. Does nothing without logind.
class StayAwake {
public:
    // `why`: the reason that the desktop shows.
    explicit StayAwake(const std::string& why);

private:
    std::optional<ChildProcess> helper_;
};

// Raises /proc/self/oom_score_adj to at least `score`, which needs no privileges. Returns false on failure.
bool raiseOomScore(int score = 500);

}  // namespace seedbed
