// SPDX-License-Identifier: Apache-2.0
// Copies elements of rings into the dense rows that networks and losses read.
#include "core/rollout/gather.hpp"

#include <algorithm>
#include <cstring>

namespace seedbed {
namespace {

Ring& ringOf(const std::vector<Ring*>& rings, const RowRef& row) {
    return *rings[static_cast<std::size_t>(row.group)];
}

// The number of elements from `index` on that are adjacent in one row of one ring and can be copied together.
std::size_t pieceLength(const RowRef* rows, std::size_t index, std::size_t count) {
    const RowRef& start = rows[index];
    std::size_t length = 1;
    while (index + length < count) {
        const RowRef& next = rows[index + length];
        if (next.t != start.t || next.group != start.group ||
            next.column != start.column + static_cast<std::int32_t>(length))
            break;
        ++length;
    }
    return length;
}

// Writes the frames of one element, oldest first. Frames before the start of the episode repeat its first
// frame.
void copyStack(Ring& ring, int leaf, const RowRef& row, std::size_t frame_bytes, int stack,
               std::uint8_t* out) {
    const auto column = static_cast<std::size_t>(row.column);
    std::uint64_t t = row.t;
    for (int frame = stack - 1; frame >= 0; --frame) {
        std::memcpy(out + static_cast<std::size_t>(frame) * frame_bytes,
                    ring.obs(leaf, t) + column * frame_bytes, frame_bytes);
        if (ring.first(t)[column] == 0 && t > 0) --t;
    }
}

}  // namespace

void appendRows(const Window& window, std::vector<RowRef>& rows) {
    rows.reserve(rows.size() +
                 static_cast<std::size_t>(window.length) * static_cast<std::size_t>(window.columns));
    for (int step = 0; step < window.length; ++step)
        for (int column = window.column; column < window.column + window.columns; ++column)
            rows.push_back({window.t0 + static_cast<std::uint64_t>(step), column, window.group});
}

std::size_t learnerRows(Ring& ring, std::uint64_t t, int column, int columns) {
    const std::uint8_t* valid = ring.valid(t) + column;
    const std::uint16_t* policy = ring.policyId(t) + column;
    std::size_t count = 0;
    for (int n = 0; n < columns; ++n) count += valid[n] != 0 && policy[n] == 0 ? 1 : 0;
    return count;
}

std::size_t validRows(const std::vector<Ring*>& rings, const Window& window) {
    Ring& ring = *rings[static_cast<std::size_t>(window.group)];
    std::size_t count = 0;
    for (int step = 0; step < window.length; ++step)
        count +=
            learnerRows(ring, window.t0 + static_cast<std::uint64_t>(step), window.column, window.columns);
    return count;
}

void gatherObs(const std::vector<Ring*>& rings, int leaf, const RowRef* rows, std::size_t count,
               std::uint8_t* out) {
    if (count == 0) return;
    const ObsLeaf& spec = ringOf(rings, rows[0]).spec().spaces.obs[static_cast<std::size_t>(leaf)];
    const std::size_t frame_bytes = spec.bytes();
    if (spec.stack > 1) {
        const std::size_t bytes = frame_bytes * static_cast<std::size_t>(spec.stack);
        for (std::size_t i = 0; i < count; ++i)
            copyStack(ringOf(rings, rows[i]), leaf, rows[i], frame_bytes, spec.stack, out + i * bytes);
        return;
    }
    for (std::size_t i = 0; i < count;) {
        const std::size_t length = pieceLength(rows, i, count);
        const std::uint8_t* from = ringOf(rings, rows[i]).obs(leaf, rows[i].t) +
                                   static_cast<std::size_t>(rows[i].column) * frame_bytes;
        std::memcpy(out + i * frame_bytes, from, length * frame_bytes);
        i += length;
    }
}

void gatherPrevious(const std::vector<Ring*>& rings, const RowRef* rows, std::size_t count,
                    float* prev_action, float* prev_reward) {
    if (count == 0) return;
    const auto words = static_cast<std::size_t>(ringOf(rings, rows[0]).spec().spaces.actionWords());
    for (std::size_t i = 0; i < count; ++i) {
        Ring& ring = ringOf(rings, rows[i]);
        const auto column = static_cast<std::size_t>(rows[i].column);
        const std::uint64_t t = rows[i].t;
        float* action = prev_action + i * words;
        if (t == 0 || ring.first(t)[column] != 0) {
            std::fill_n(action, words, 0.0F);
            prev_reward[i] = 0;
        } else {
            std::memcpy(action, ring.action(t - 1) + column * words, words * sizeof(float));
            prev_reward[i] = ring.reward(t - 1)[column];
        }
    }
}

}  // namespace seedbed
