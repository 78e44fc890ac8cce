// SPDX-License-Identifier: Apache-2.0
// The state of a learner before an update, which is restored if the update is abandoned.
#pragma once

#include <cstdint>
#include <vector>

#include "core/algo/algorithm.hpp"
#include "core/learn/learning_net.hpp"

namespace seedbed {

// Counters that change during an update.
struct LearnerCounters {
    std::uint64_t version = 0;          // newest version number of parameters
    std::uint64_t optimiser_steps = 0;  // counted only if networks follow others
};

// Saves or loads the moments of all optimisers.
void archiveOptimisers(Archive& archive, std::vector<LearningNet>& states);

// The published parameters serve as the copy of the parameters. Thread: the learner's.
class UpdateBackup {
public:
    // `optimisers`: also saves their state, in `floats` numbers; otherwise only an update that has not
    // changed parameters can be abandoned.
    void keep(Algorithm& algorithm, std::vector<LearningNet>& states, const LearnerCounters& counters,
              bool optimisers, std::size_t floats);
    bool hasOptimisers() const { return !optimisers_.empty(); }
    // Restores everything and returns the counters.
    LearnerCounters revert(Algorithm& algorithm, std::vector<LearningNet>& states);

private:
    std::vector<std::uint8_t> algorithm_, optimisers_;  // archives; empty: not saved
    std::vector<std::uint64_t> versions_;               // versions of the working copies
    LearnerCounters counters_;
};

}  // namespace seedbed
