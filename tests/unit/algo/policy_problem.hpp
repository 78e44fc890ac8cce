// SPDX-License-Identifier: Apache-2.0
// Random chunks over any action space for tests of policy losses, and their policy terms in double from the
// formulas of the papers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/algo/algorithm.hpp"
#include "core/base/rng.hpp"

namespace seedbed {

ActionLeaf choice(int n);
ActionLeaf box(std::vector<double> low, std::vector<double> high);

struct PolicyCase {
    std::string name;
    std::vector<ActionLeaf> actions;
    bool mask = false, squash = false;
    Json params = Json::object();
};

// A chunk and the arrays it points to. The value head comes first, so the policy head has a non-zero offset.
struct PolicyProblem {
    Spaces spaces;
    bool squash = false;
    ActionDistribution distribution;
    NetPlan plan;
    int rows = 0;
    std::vector<float> heads, action, log_prob, policy, value, reward, discount, advantage, target;
    std::vector<std::uint8_t> valid, first, mask;
    Chunk chunk;
};

// Rows of length-1 sequences with about one row in six invalid; `valid_rows` exceeds the chunk's valid rows,
// as in a minibatch of several chunks.
PolicyProblem randomPolicyProblem(const PolicyCase& c, std::uint64_t seed, int rows);

// Terms of one action leaf, in double.
struct LeafTerms {
    double log_prob = 0, entropy = 0, kl = 0;
};

// Terms of one row for the parameters `policy` of the current policy.
LeafTerms rowTerms(const PolicyProblem& p, std::size_t row, const double* policy);
// Value and policy parameters of one row of heads.
std::vector<double> headsOf(const PolicyProblem& p, std::size_t row);

}  // namespace seedbed
