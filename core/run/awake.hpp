// SPDX-License-Identifier: Apache-2.0
// Being a good process on a desktop: the computer stays awake while training, and memory pressure takes the
// run rather than the window.
#pragma once

#include <optional>
#include <string>

#include "core/ipc/child_process.hpp"

namespace seedbed {

// Holds a logind inhibitor against suspend by a helper that ends with us, however we end. Does nothing where
// logind is not there.
class StayAwake {
public:
    // `why` is what the desktop shows.
    explicit StayAwake(const std::string& why);
    bool holds() const { return helper_.has_value(); }

private:
    std::optional<ChildProcess> helper_;
};

// Raises /proc/self/oom_score_adj to `score` when it is lower; any process may. False: not possible here.
bool offerToOomKiller(int score = 500);

}  // namespace seedbed
