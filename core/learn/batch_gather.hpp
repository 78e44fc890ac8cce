// SPDX-License-Identifier: Apache-2.0
// Copies windows of rings into the dense Batch of an update.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/algo/algorithm.hpp"
#include "core/base/thread.hpp"
#include "core/rollout/gather.hpp"
#include "core/rollout/goal.hpp"
#include "core/rollout/ring.hpp"

namespace seedbed {

// Maps the rows of a batch to elements of rings and copies them. Batch row = t * columns + n; rows [T *
// columns, (T + 1) * columns) are the bootstrap rows.
class BatchSource {
public:
    // Sets the windows, which have equal length and stay pinned by the caller until the update has finished.
    // Rows with a version below `oldest_version`, and those of other policies, get valid = 0.
    void assign(const std::vector<Ring*>& rings, const std::vector<Window>& windows,
                std::uint64_t oldest_version = 0);

    // Replaces goals, per column, until the next assign(). `score` must outlive this object.
    void relabel(const std::vector<Relabel>& relabels, const GoalScore& score);

    int steps() const { return steps_; }
    int columns() const { return static_cast<int>(start_.size()); }
    const std::vector<Ring*>& rings() const { return *rings_; }
    Ring& ring(std::size_t column) const {
        return *(*rings_)[static_cast<std::size_t>(start_[column].group)];
    }
    // The element at row 0 of a column; row t is t rows later.
    const RowRef& start(std::size_t column) const { return start_[column]; }
    RowRef ref(std::uint32_t row) const {
        const auto width = static_cast<std::uint32_t>(start_.size());
        RowRef element = start_[row % width];
        element.t += row / width;
        return element;
    }

    // Whether the element has an action of the learner, chosen by a version that is not too old.
    bool isValid(const RowRef& element) const {
        Ring& ring = *(*rings_)[static_cast<std::size_t>(element.group)];
        const auto column = static_cast<std::size_t>(element.column);
        return ring.valid(element.t)[column] != 0 && ring.policyId(element.t)[column] == 0 &&
               ring.version(element.t)[column] >= oldest_version_;
    }

    // Copies all stored fields, rows in parallel, and clears rows with valid = 0. error: kNonFinite for a
    // reward, value, log-probability, action or behaviour parameter of a valid row (names row and column).
    Result<> fill(Batch& batch, WorkerPool& pool) const;

    // Like gatherObs(), but with replaced goals. `refs`: the elements of the batch rows `rows`, or of later
    // rows of the same columns and episodes.
    void gatherLeaf(int leaf, const std::vector<RowRef>& refs, const std::vector<std::uint32_t>& rows,
                    std::size_t count, std::uint8_t* out) const;

private:
    const float* leafOf(int leaf, const RowRef& element) const;
    void scoreGoals(Batch& batch, int t) const;
    Result<> fillRow(Batch& batch, int t) const;

    const std::vector<Ring*>* rings_ = nullptr;
    std::vector<Window> windows_;
    std::vector<RowRef> start_;
    int steps_ = 0;
    std::uint64_t oldest_version_ = 0;
    std::vector<Relabel> relabels_;  // per column; empty: none
    const GoalScore* score_ = nullptr;
};

}  // namespace seedbed
