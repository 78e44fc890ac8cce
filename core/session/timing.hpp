// SPDX-License-Identifier: Apache-2.0
// The timing tree: time of each kind of thread by phase, and the bottleneck. Recorded as metrics and shown by
// `seedbed bench train`.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/json.hpp"
#include "core/learn/learner.hpp"
#include "core/rollout/thread_times.hpp"

namespace seedbed {

// The threads of one kind: actor, inference, learner; in the sync schedule `worker`, which acts and learns.
struct RoleTimes {
    std::string role;
    double thread_s = 0;  // threads times wall time
    PhaseSums seconds{};

    double of(Phase phase) const { return seconds[static_cast<std::size_t>(phase)]; }
    double busy() const;     // all phases except waiting and idle
    double waiting() const;  // all waiting phases, and idle
    // Adds the remaining time of the threads to idle.
    void fillIdle();
};

struct TimingTree {
    double wall_s = 0;
    std::vector<RoleTimes> roles;

    RoleTimes& role(const std::string& name);
    void add(const TimingTree& other);
    double sum(Phase phase) const;  // sum over all roles
    // Names the bottleneck: "env", "inference", "learning", "waiting for inference" (hand-over and batching,
    // not the network), "waiting for actors", "idle threads"; empty if there is no data.
    std::string bottleneck() const;
    // In seconds: time/env, time/inference, the learner's phases, time/wait and time/idle over all threads,
    // and time/<role>/<phase> for other phases that took time.
    std::vector<std::pair<std::string, double>> metrics() const;
    // {role: {thread_s, phase: seconds, ...}, ...}
    Json json() const;
};

// The learner's phases of an update.
void addUpdate(const UpdateStats& update, RoleTimes& role);
// Difference of two readings.
PhaseSums operator-(const PhaseSums& after, const PhaseSums& before);
PhaseSums& operator+=(PhaseSums& sums, const PhaseSums& more);

}  // namespace seedbed
