// SPDX-License-Identifier: Apache-2.0
// Windows of rings, and copies of their elements into the dense rows that networks and losses read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/rollout/ring.hpp"

namespace seedbed {

// A rectangle of history: rows [t0, t0 + length), columns [column, column + columns) of a group's ring.
struct Window {
    int group = 0;
    std::uint64_t t0 = 0;
    int length = 0;
    int column = 0;
    int columns = 0;
    bool operator==(const Window&) const = default;
};

// One row of one column.
struct RowRef {
    std::uint64_t t = 0;
    std::int32_t column = 0;
    std::int32_t group = 0;
};

// Appends the elements of a window in time-major order: all columns of row t0, then of row t0 + 1, and so on.
void appendRows(const Window& window, std::vector<RowRef>& rows);
// The number of elements of row t, in columns [column, column + columns), that have an action of the
// learner: valid = 1 and policyId = 0.
std::size_t learnerRows(Ring& ring, std::uint64_t t, int column, int columns);
// The number of such elements of a window.
std::size_t validRows(const std::vector<Ring*>& rings, const Window& window);

// Copies the (stacked) observation of each element into `out` [count, stack * leaf bytes], oldest frame
// first. Frames before the start of an episode repeat its first frame, like the padding of Gymnasium's
// FrameStackObservation. Thread: any thread that has pinned the rows, or the writer.
void gatherObs(const std::vector<Ring*>& rings, int leaf, const RowRef* rows, std::size_t count,
               std::uint8_t* out);
// Copies the action [count, A] and reward [count] of the row before each element; zeros at the first row of
// an episode.
void gatherPrevious(const std::vector<Ring*>& rings, const RowRef* rows, std::size_t count,
                    float* prev_action, float* prev_reward);

}  // namespace seedbed
