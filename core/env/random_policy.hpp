// SPDX-License-Identifier: Apache-2.0
// The uniformly random policy: the baseline every environment is checked against.
#pragma once

#include <cstdint>
#include <vector>

#include "core/env/env.hpp"
#include "core/env/vector_env.hpp"

namespace seedbed {

// Draws an action for each of `columns` agents, uniformly among the allowed choices (mask u8 [columns,
// mask_bytes], or null) and within the bounds; standard normal where a bound is infinite, as Gymnasium
// samples. actions: f32 [columns, A].
void randomActions(const Spaces& spaces, int columns, const std::uint8_t* mask, Rng& rng, float* actions);

// Statistics of returns and lengths over complete episodes.
struct PolicyScore {
    std::int64_t episodes = 0;
    double mean = 0;            // of the undiscounted, raw returns
    double standard_error = 0;  // of the mean
    double mean_length = 0;     // decisions
};

// Plays at least `episodes` complete episodes with the random policy, the same number in every environment of
// the batch (so that short episodes do not count more). Returns one score per agent. `options` as for
// training: horizon, seed. error: from the environment; no memory.
Result<std::vector<PolicyScore>> scoreRandomPolicy(std::unique_ptr<EnvBatch> batch, std::int64_t episodes,
                                                   const VectorEnvOptions& options);

}  // namespace seedbed
