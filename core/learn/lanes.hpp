// SPDX-License-Identifier: Apache-2.0
// Gradient lanes: partial sums of gradients over chunks. They are added in a fixed binary tree, so the result
// does not depend on which thread computed which chunk.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/thread.hpp"

namespace seedbed {

// The lanes of one network. Thread: lane(): any, one user per lane; other functions: the learner's.
class Lanes {
public:
    Lanes() = default;
    explicit Lanes(std::size_t floats) : floats_(floats) {}

    // Ensures that at least `count` lanes exist; new lanes are zero.
    void require(std::size_t count);
    // Sets all lanes to zero, for use after an error has left partial sums.
    void clear();
    float* lane(std::size_t index) { return lanes_[index].data(); }
    // Lane 0 = sum of the lanes of all shards, which have `counts` lanes each: a binary tree over the lanes
    // of a shard (0+1, 2+3, ..., then pairs of pairs), and one over the shards. All other lanes become zero.
    // Returns whether the sum is finite. Uses the pool if that is faster.
    bool sum(std::span<const std::size_t> counts, WorkerPool& pool);
    bool sum(std::size_t count, WorkerPool& pool) { return sum(std::span(&count, 1), pool); }
    // The sum. Call clearSum() after using it, before the next minibatch.
    std::vector<float>& total() { return lanes_[0]; }
    void clearSum();
    std::size_t bytes(std::size_t count) const { return count * floats_ * sizeof(float); }

private:
    void addTree(std::size_t first, std::size_t count, std::size_t begin, std::size_t end);
    void add(std::size_t lane, std::size_t other, std::size_t begin, std::size_t end);
    bool sumRange(std::span<const std::size_t> counts, std::size_t begin, std::size_t end);

    std::size_t floats_ = 0;
    std::vector<std::vector<float>> lanes_;
};

}  // namespace seedbed
