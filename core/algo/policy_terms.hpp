// SPDX-License-Identifier: Apache-2.0
// What policy-gradient losses need of a policy on the rows of a chunk: log ratio, entropy and KL, and the way
// back from weights on the first two to the gradient of the policy head. One implementation for all action
// spaces, with a vectorised path for a single choice.
#pragma once

#include "core/algo/algorithm.hpp"

namespace seedbed {

// Per row of the chunk; 0 where valid = 0. Arrays are padded to a multiple of kRowLanes.
struct PolicyTerms {
    const float* log_ratio = nullptr;  // log pi(a|x) - log mu(a|x), bounded by +-kMaxLogRatio
    const float* entropy = nullptr;    // of pi
    const float* kl = nullptr;         // KL(mu || pi), exact
};

// log mu(a|x) comes from the same arithmetic as log pi(a|x) (the stored one is ActionDistribution's; for a
// single choice it is computed again from the stored behaviour parameters): while the parameters are those
// that acted, the ratio is exactly 1. Thread: any; scratch is per thread and grows to the largest chunk.
// addGradients() belongs to the last evaluate() of its thread.
class PolicyEvaluator {
public:
    static constexpr int kRowLanes = 16;
    static constexpr float kMaxLogRatio = 20;

    explicit PolicyEvaluator(ActionDistribution distribution);

    PolicyTerms evaluate(const Chunk& chunk, const NetIo& io) const;
    // io.gradients (policy head) += log_prob_weight[row] * d log pi(a|x) + entropy_weight * d H(pi); rows
    // with valid = 0 are left out. log_prob_weight [rows, padded as the terms].
    void addGradients(const Chunk& chunk, const NetIo& io, const float* log_prob_weight,
                      float entropy_weight) const;
    // io.gradients (policy head) += weight * d KL(mu || pi) on rows with valid = 1.
    void addKlGradients(const Chunk& chunk, const NetIo& io, float weight) const;

private:
    PolicyTerms evaluateRows(const Chunk& chunk, const NetIo& io) const;
    void addRowGradients(const Chunk& chunk, const NetIo& io, const float* log_prob_weight,
                         float entropy_weight) const;

    ActionDistribution distribution_;
    bool single_choice_ = false;  // the space is one discrete leaf
};

}  // namespace seedbed
