// SPDX-License-Identifier: Apache-2.0
#include "core/session/windows/sum_tree.hpp"

#include <bit>

namespace seedbed {

SumTree::SumTree(std::size_t leaves) : first_leaf_(std::bit_ceil(leaves < 2 ? 2 : leaves)) {
    nodes_.assign(2 * first_leaf_, 0.0);
}

std::size_t SumTree::bytes(std::size_t leaves) {
    return 2 * std::bit_ceil(leaves < 2 ? std::size_t{2} : leaves) * sizeof(double);
}

void SumTree::set(std::size_t leaf, double weight) {
    std::size_t node = first_leaf_ + leaf;
    nodes_[node] = weight;
    while (node > 1) {
        node /= 2;
        nodes_[node] = nodes_[2 * node] + nodes_[2 * node + 1];
    }
}

std::size_t SumTree::find(double position) const {
    std::size_t node = 1;
    while (node < first_leaf_) {
        node *= 2;
        // Rounding may leave a position beyond the last positive weight.
        if (position < nodes_[node] || nodes_[node + 1] == 0) continue;
        position -= nodes_[node];
        ++node;
    }
    return node - first_leaf_;
}

}  // namespace seedbed
