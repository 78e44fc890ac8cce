// SPDX-License-Identifier: Apache-2.0
// The policy terms of policy-gradient losses for the rows of a chunk: log ratio, entropy and KL, and their
// gradients with respect to the policy head. Works for all action spaces, with a vectorised path for a single
// discrete leaf.
#pragma once

#include "core/algo/algorithm.hpp"

namespace seedbed {

// Values per row of the chunk; 0 where valid = 0. Arrays are padded to a multiple of kRowLanes.
struct PolicyTerms {
    const float* log_ratio = nullptr;  // log pi(a|x) - log mu(a|x), bounded by +-kMaxLogRatio
    const float* entropy = nullptr;    // entropy of pi
    const float* kl = nullptr;         // KL(mu || pi), exact
};

// Computes the terms and their gradients. For a single discrete leaf log mu(a|x) is recomputed from the
// stored behaviour parameters with the same arithmetic as log pi(a|x), so the ratio is exactly 1 if the
// parameters are those that chose the actions. Thread: any; scratch memory is per thread, so addGradients()
// refers to the last evaluate() of its thread.
class PolicyEvaluator {
public:
    static constexpr int kRowLanes = 16;
    static constexpr float kMaxLogRatio = 20;

    explicit PolicyEvaluator(ActionDistribution distribution);

    PolicyTerms evaluate(const Chunk& chunk, const NetIo& io) const;
    // io.gradients (policy head) += log_prob_weight[row] * d log pi(a|x) + entropy_weight * d H(pi) on rows
    // with valid = 1. log_prob_weight: [rows], padded like the terms.
    void addGradients(const Chunk& chunk, const NetIo& io, const float* log_prob_weight,
                      float entropy_weight) const;
    // io.gradients (policy head) += weight * d KL(mu || pi) on rows with valid = 1.
    void addKlGradients(const Chunk& chunk, const NetIo& io, float weight) const;

private:
    PolicyTerms evaluateRows(const Chunk& chunk, const NetIo& io) const;
    void addRowGradients(const Chunk& chunk, const NetIo& io, const float* log_prob_weight,
                         float entropy_weight) const;

    ActionDistribution distribution_;
    bool single_choice_ = false;  // the action space is one discrete leaf
};

}  // namespace seedbed
