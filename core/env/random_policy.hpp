// SPDX-License-Identifier: Apache-2.0
// The uniformly random policy: the baseline of every environment.
#pragma once

#include <cstdint>
#include <vector>

#include "core/env/env.hpp"
#include "core/env/vector_env.hpp"

namespace seedbed {

// Samples an action for each of `columns` agents: uniform among the allowed choices (mask u8 [columns,
// mask_bytes], or null), uniform within finite bounds, and standard normal if a bound is infinite, as in
// Gymnasium. actions: f32 [columns, A].
void randomActions(const Spaces& spaces, int columns, const std::uint8_t* mask, Rng& rng, float* actions);

// Statistics over complete episodes.
struct PolicyScore {
    std::int64_t episodes = 0;
    double mean = 0;            // mean of undiscounted raw returns
    double standard_error = 0;  // standard error of the mean
    double mean_length = 0;     // decisions
};

// Plays at least `episodes` complete episodes with the random policy, with the same number in every
// environment, so that short episodes are not over-represented. Returns one score per agent. error: from the
// environment; out_of_memory.
Result<std::vector<PolicyScore>> scoreRandomPolicy(std::unique_ptr<EnvBatch> batch, std::int64_t episodes,
                                                   const VectorEnvOptions& options);

// Seconds per decision of one environment of `batch` when it plays at random. Measures for about `budget_s`
// seconds and returns the smallest of several means, so that interruptions by other programs have little
// effect. error: as for scoreRandomPolicy().
Result<double> secondsPerDecision(std::unique_ptr<EnvBatch> batch, const VectorEnvOptions& options,
                                  double budget_s = 0.1);

}  // namespace seedbed
