// SPDX-License-Identifier: Apache-2.0
// The peak memory use of a run, computed before anything is allocated. Every class reports the bytes of its
// own buffers; this class adds them up.
#pragma once

#include <cstddef>
#include <vector>

#include "core/algo/algorithm.hpp"
#include "core/nn/net_plan.hpp"

namespace seedbed {

struct SessionPlan;

// All members are in bytes.
struct MemoryNeed {
    std::size_t rings = 0;         // recorded steps
    std::size_t replay = 0;        // rings of a replay buffer, as far as the run fills it, and its priorities
    std::size_t full_replay = 0;   // the same if it is full; not part of total()
    std::size_t learner = 0;       // batch, chunks, gradients, optimiser
    std::size_t networks = 0;      // published parameters
    std::size_t inference = 0;     // buffers of groups and of central inference
    std::size_t environments = 0;  // state of the environments
    std::size_t fleet = 0;         // messages and parameters of groups on other machines
    std::size_t evaluation = 0;
    std::size_t saving = 0;   // the latest snapshot
    std::size_t process = 0;  // threads, database, libraries of the engine
    std::size_t device = 0;   // memory on an accelerator; not part of total()

    std::size_t total() const {
        // Snapshots are also written during evaluations, so `saving` is always included.
        const std::size_t sum = rings + replay + learner + networks + inference + environments + fleet +
                                evaluation + saving + process;
        return sum + sum / 20;  // unused parts of pages and of the heap: measured 2 to 7 %
    }
};

// `plan` is fully resolved; `algorithm` and `nets` belong to it.
MemoryNeed memoryNeed(const SessionPlan& plan, const Algorithm& algorithm, const std::vector<NetPlan>& nets);

}  // namespace seedbed
