// SPDX-License-Identifier: Apache-2.0
// Action distributions over policy-head columns: sample, log-probability, entropy, KL and their derivatives, masks included.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/rng.hpp"
#include "core/base/spaces.hpp"

namespace seedbed {

enum class Selection : std::uint8_t { sample, greedy };

// Which random numbers a sampling call uses: row i draws from (seed, purpose, lane + i) at the block of `step`.
struct SampleKey {
    std::uint64_t seed = 0;
    RngPurpose purpose = RngPurpose::action;
    std::uint32_t lane = 0;
    std::uint64_t step = 0;
};

// The product over the leaves of a space, independent given the parameters. Columns of the policy head, leaf by leaf:
//   discrete leaf: n logits          categorical; choices with mask 0 have probability 0 in sampling, log-probability, entropy and KL
//   box leaf:      dim means, then dim log standard deviations
//     diagonal Gaussian, unclipped: the action word is the Gaussian draw; environments receive it clipped to the bounds (envAction)
//     squashed: action = centre + half_range * tanh(u), u Gaussian; log-probability with the change of variables
//               log(1 - tanh(u)^2) = 2 (log 2 - u - softplus(-2 u)); the stored word is the action; entropy is that of u plus the mean log
//               Jacobian at the sampled action (single-sample estimate)
// All functions work on rows: params f32 [rows, words()], mask u8 [rows, mask_bytes] or null, action f32 [rows, action_words]. Thread: any.
class ActionDistribution {
public:
    ActionDistribution() = default;
    ActionDistribution(Spaces spaces, bool squash);

    int words() const;   // P
    const Spaces& spaces() const { return spaces_; }

    // Writes actions and their log-probabilities [rows] (either sampled or the mode).
    void sample(int rows, const float* params, const std::uint8_t* mask, Selection selection, SampleKey key, float* action, float* log_prob) const;
    void logProb(int rows, const float* params, const std::uint8_t* mask, const float* action, float* log_prob) const;
    void entropy(int rows, const float* params, const std::uint8_t* mask, const float* action, float* entropy) const;
    // KL(p || q) for each row, exact for Gaussian and categorical (squashing leaves it unchanged).
    void kl(int rows, const float* p, const float* q, const std::uint8_t* mask, float* kl) const;

    // grad [rows, words()] += weight[row] * d f / d params.
    void addLogProbGradient(int rows, const float* params, const std::uint8_t* mask, const float* action, const float* weight, float* grad) const;
    void addEntropyGradient(int rows, const float* params, const std::uint8_t* mask, const float* action, const float* weight, float* grad) const;
    // With respect to q.
    void addKlGradient(int rows, const float* p, const float* q, const std::uint8_t* mask, const float* weight, float* grad) const;

    // What the environment is given: box words clipped to their bounds. [rows, action_words]
    void envAction(int rows, const float* action, float* env_action) const;
    // The first not-a-number parameter as "row r, column c", or "".
    std::string findNan(int rows, const float* params) const;

private:
    Spaces spaces_;
    bool squash_ = false;
};

}  // namespace seedbed
