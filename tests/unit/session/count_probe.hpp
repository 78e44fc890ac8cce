// SPDX-License-Identifier: Apache-2.0
// A replacement for PPO that checks the rows of the counting environment and then learns from zeros.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "core/session/settings.hpp"

namespace seedbed::test {

// The findings of the probe. At most one object exists at a time.
struct CountSeen {
    std::mutex mutex;
    std::map<int, std::int64_t> next;      // per environment: the step that must come next
    std::set<int> may_skip;                // environments that may skip steps once
    std::uint64_t rows = 0, repeated = 0;  // in first and in later passes
    std::string error;                     // the first error
};
CountSeen& countSeen();
void resetCountSeen();
// Replaces PPO with the probe.
void useCountProbe(TrainingConfig& config);

}  // namespace seedbed::test
