// SPDX-License-Identifier: Apache-2.0
// Goals: one leaf of an observation contains the goal, another the result that was achieved. Hindsight
// replaces the goal with a result achieved later (Andrychowicz et al. 2017, "Hindsight Experience Replay").
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace seedbed {

// How an environment scores its goals. Both leaves are f32 vectors of the same size without a frame stack.
struct GoalScore {
    int achieved = 0, desired = 0;  // observation leaves
    // The reward of a decision that led to `achieved` when `desired` was the goal. Depends on its arguments
    // only. Thread: any.
    std::function<float(std::span<const float> achieved, std::span<const float> desired)> reward;
};

// The goal that replaces the desired one in a window's rows t < end, which belong to one episode.
struct Relabel {
    std::uint64_t goal = 0;  // the row whose achieved goal is the new one
    std::uint64_t end = 0;   // 0: the rows keep their goal
};

}  // namespace seedbed
