// SPDX-License-Identifier: Apache-2.0
// Draws from a discrete distribution whose weights change: a binary tree of sums.
#pragma once

#include <cstddef>
#include <vector>

namespace seedbed {

// Every inner node is the rounded sum of its two children, so that the tree depends only on its leaves, not
// on the order of changes. Thread: one owner at a time.
class SumTree {
public:
    // All weights are 0.
    explicit SumTree(std::size_t leaves);
    static std::size_t bytes(std::size_t leaves);

    double total() const { return nodes_[1]; }
    double weight(std::size_t leaf) const { return nodes_[first_leaf_ + leaf]; }
    // `weight` >= 0.
    void set(std::size_t leaf, double weight);
    // The leaf at which the cumulative sum of weights passes `position` in [0, total()). Never a leaf of
    // weight 0; requires total() > 0.
    std::size_t find(double position) const;

private:
    std::size_t first_leaf_;
    std::vector<double> nodes_;  // children of i: 2 i and 2 i + 1
};

}  // namespace seedbed
