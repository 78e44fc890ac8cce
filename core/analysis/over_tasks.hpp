// SPDX-License-Identifier: Apache-2.0
// Compares methods over several tasks by normalised scores (Agarwal et al. 2021, "Deep Reinforcement Learning
// at the Edge of the Statistical Precipice").
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.hpp"

namespace seedbed {

// The score of a run: 0 for random play, 1 for the reference of its task; finite.
struct NormalisedScore {
    std::string method, task;
    double score = 0;
};

// With its 95 % interval: the percentile bootstrap that draws runs again within each task (section 4.1).
struct Estimate {
    double value = 0, low = 0, high = 0;
};

struct MethodScores {
    std::string method;
    std::size_t runs = 0, fewest = 0;  // of all tasks, and of the task with the fewest
    Estimate iqm;                      // mean of the middle half of all runs of all tasks
    Estimate mean;                     // mean over tasks of the mean over runs
    Estimate median;                   // median over tasks of the mean over runs
    Estimate optimality_gap;           // mean over runs of max(0, 1 - score)
    // Probability that a run scores higher than one of the first method, averaged over tasks; ties count
    // half. 0.5 for the first method.
    Estimate improvement;
    // Share of runs with a score above each of OverTasks::thresholds, averaged over tasks (section 4.2).
    std::vector<Estimate> profile;
};

struct OverTasks {
    std::vector<std::string> tasks;
    std::vector<MethodScores> methods;  // in order of their first score
    std::vector<double> thresholds;     // ascending; the last one is the highest score or 1
};

// error: usage, if there are no scores, or a method lacks a run of a task that another one has.
// Thread: any; the same scores give the same numbers.
Result<OverTasks> compareOverTasks(const std::vector<NormalisedScore>& scores, int resamples = 2000);

}  // namespace seedbed
