// SPDX-License-Identifier: Apache-2.0
// The history that counting environments must write to a ring, computed one environment at a time from the
// rules in ring.hpp.
#pragma once

#include <string>
#include <vector>

#include "core/env/vector_env.hpp"
#include "core/rollout/gather.hpp"
#include "tests/unit/env/counting_env.hpp"

namespace seedbed::test {

// The action of column c at row t, one of 3 choices.
inline float actionAt(std::uint64_t t, int column) {
    return static_cast<float>((t * 7 + static_cast<std::uint64_t>(column) * 5 + t / 3) % 3);
}

struct ExpectedRow {
    Place place;
    float reward = 0, discount = 0;
    bool valid = true, first = false;
    int episode_start = 0;  // row at which the episode starts
};

struct ExpectedHistory {
    std::vector<std::vector<ExpectedRow>> columns;  // [column][row]
    std::vector<EpisodeEnd> ended;                  // by row, then by column

    ExpectedHistory(const CountingOptions& counting, int envs, const VectorEnvOptions& options, int rows);
};

// Compares a window with the expected rows, through gatherObs and gatherPrevious as well as directly; returns
// a description of the first difference, or "". The rows of the window are complete (below head) and pinned.
std::string differenceIn(Ring& ring, const ExpectedHistory& expected, const Window& window);

}  // namespace seedbed::test
