// SPDX-License-Identifier: Apache-2.0
// Rows in which the mask allows one action only, such as those in which a player waits for its opponent. They
// teach the policy nothing: an algorithm can pass over them, so that a decision is followed by the agent's
// next one, as in a semi-Markov decision process (Sutton, Precup & Singh 1999, section 2). gamma and lambda
// still apply per row.
#pragma once

#include <cstdint>
#include <vector>

#include "core/algo/algorithm.hpp"
#include "core/algo/returns.hpp"
#include "core/base/spaces.hpp"

namespace seedbed {

// Whether `mask` (Spaces::maskBytes() bytes) allows exactly one action; false with continuous actions. A mask
// that allows none is treated as allowing all, as in ActionDistribution.
bool allowsOneAction(const Spaces& spaces, const std::uint8_t* mask);

// The forced rows of one batch. Thread: the algorithm's.
class ForcedRows {
public:
    static std::size_t batchBytes(std::size_t rows) { return rows; }
    // Finds the rows in batch.mask. A decision gets valid = 0, so that returns bootstrap from its value, if
    // only forced rows or an extra row follow it in the window, and always in the last row: if only the
    // decisions that end an episode were kept there, values would be biased.
    void find(Batch& batch, const Spaces& spaces);
    // Sets value [T, N] of every forced row to r + gamma V(next row), so that estimators of returns
    // (returns.hpp) use no value estimate there and its temporal difference is 0. `value` is input.value.
    void fill(const ReturnInput& input, float* value) const;
    // Sets valid = 0 in the forced rows; called after the estimate.
    void exclude(Batch& batch) const;

private:
    std::vector<std::uint8_t> forced_;  // [T*N]
    std::vector<std::uint8_t> open_;    // [N] whether the value of the next decision is unknown
};

}  // namespace seedbed
