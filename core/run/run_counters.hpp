// SPDX-License-Identifier: Apache-2.0
// State of the training loop outside the session, saved with each checkpoint.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/base/archive.hpp"
#include "core/session/evaluation.hpp"
#include "core/session/settings.hpp"

namespace seedbed {

// Thread: the run's.
struct RunCounters {
    double trained_s = 0;                // training time over all segments, excluding evaluations and pauses
    std::uint64_t evaluation_every = 0;  // steps; fixed when the run began
    std::uint64_t next_evaluation = 0;   // steps
    std::uint64_t next_milestone = 0;    // steps
    std::vector<double> returns;         // returns of the latest training episodes, oldest first
    double return_sum = 0;               // sum of `returns`, added in the order of training
    std::uint64_t episodes_since_evaluation = 0;
    std::uint64_t evaluated_version = ~std::uint64_t{0};  // version of the evaluated parameters
    std::vector<EpisodeResult> evaluation;                // episodes of the latest evaluation; empty before
                                                          // the first one
    std::uint64_t evaluation_decisions = 0;
    double best_score = -INFINITY;  // best evaluation so far
    bool target_reached = false;
    std::uint32_t rollbacks = 0;          // number of rollbacks after non-finite numbers
    std::vector<std::uint64_t> versions;  // parameter version of each network

    // Initialises the counters of a new run. Intervals of evaluations and milestones must not depend on when
    // the run is stopped.
    void begin(const TrainingConfig& config);
    // Steps between two evaluations.
    std::uint64_t evaluationInterval(const TrainingConfig& config) const {
        return config.eval.every_steps > 0 ? static_cast<std::uint64_t>(config.eval.every_steps)
                                           : evaluation_every;
    }
    // Applies changed intervals from `steps` on. `changes`: as difference() returns them.
    void changeIntervals(const TrainingConfig& config, const Json& changes, std::uint64_t steps);
    static constexpr std::size_t kReturnWindow = 100;  // training episodes in the displayed mean
    void addReturn(double value);
    double meanReturn() const { return return_sum / static_cast<double>(returns.size()); }
    // error: the bytes are incomplete or from a different version.
    Result<> archive(Archive& archive);
};

// The first multiple of `every` after `steps`.
inline std::uint64_t nextMultiple(std::uint64_t steps, std::uint64_t every) {
    return (steps / every + 1) * every;
}

// Checks that a run that resumes at `steps` has not already exceeded the changed totals; `changes`: as
// difference() returns them. A total may equal the current value, which finishes the run. error: config.
Result<> checkTotalsAreAhead(const Json& changes, const RunSettings& settings, const RunCounters& memory,
                             std::int64_t id, std::int64_t steps);

// Checks that a run that resumes at `steps` has not reached its goal. error: config, with the options that
// set a new goal.
Result<> checkGoalIsOpen(const RunSettings& settings, const RunCounters& memory, std::int64_t id,
                         std::int64_t steps, bool settings_changed);

}  // namespace seedbed
