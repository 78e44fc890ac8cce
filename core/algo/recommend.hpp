// SPDX-License-Identifier: Apache-2.0
// The choice of an algorithm for a task (--algo auto): a pure function of the known properties of the task.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/spaces.hpp"

namespace seedbed {

// A preset for exactly this task: the same environment with the same parameters.
struct TaskPreset {
    std::string name, algo;
    bool is_solved = false;     // its recorded result reaches its goal
    bool is_default = false;    // it is the default preset of the environment
    bool is_recurrent = false;  // its network has memory
    std::int64_t steps = 0;     // decisions for which it trains
};

struct TaskFacts {
    Spaces spaces;
    int agents = 1;
    bool has_goals = false, needs_memory = false, sparse_reward = false;  // as EnvSpec and TaskTraits declare
    double decision_s = 0;  // seconds that one environment takes per decision; 0: unknown
    int cores = 1;          // cores that the run may use
    std::vector<TaskPreset> presets = {};
};

struct Recommendation {
    std::string algo;         // id
    std::string preset = {};  // preset to start from; empty: none of `presets` reaches its goal
    std::string why;          // one to three sentences
    // Without a preset: the settings that the task needs, such as {"network.core", "gru"}; other settings
    // keep their defaults.
    std::vector<std::pair<std::string, std::string>> settings = {};
};

// Prefers the algorithm that suits the task if a solved preset uses it, then other solved presets, then the
// algorithm that suits the task. Recommends only algorithms that fit the spaces. Thread: any.
Recommendation recommendAlgorithm(const TaskFacts& task);

}  // namespace seedbed
