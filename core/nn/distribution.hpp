// SPDX-License-Identifier: Apache-2.0
// Action distributions over policy-head columns: sample, log-probability, entropy, KL and their derivatives,
// including masks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/rng.hpp"
#include "core/base/spaces.hpp"

namespace seedbed {

enum class Selection : std::uint8_t { sample, greedy };

// How a run chooses its actions; published together with the parameters.
struct ActingRule {
    enum class Kind : std::uint8_t {
        selection,       // as the caller's Selection specifies (sampling in training)
        epsilon_greedy,  // the mode, or with probability epsilon a uniform choice
        gaussian,        // box actions: the mode plus Gaussian noise
        uniform          // box actions: uniform draws within their bounds
    };
    Kind kind = Kind::selection;
    double epsilon = 0;
    int hold = 1;      // uniform: number of rows for which a draw is kept
    double noise = 0;  // gaussian: standard deviation in units of half the action's range, above 0
    // Column i of n uses epsilon^(1 + ladder i / (n - 1)) (Horgan et al. 2018, "Distributed Prioritized
    // Experience Replay", section 4, with ladder 7).
    double ladder = 0;
    int columns = 1;  // n: number of columns in all groups
    // If above 1, the network is an ensemble of this many members, and each episode follows one member, drawn
    // at the first row of the episode (Osband et al. 2016, "Deep Exploration via Bootstrapped DQN", algorithm
    // 1).
    int members = 1;

    double epsilonOf(std::uint32_t column) const;
    bool operator==(const ActingRule&) const = default;
};

// Identifies the random numbers of a sampling call: row i draws from the stream (seed, purpose, lane + i). A
// step uses as many blocks of four words as the space needs: one word for a discrete leaf (inverse of the
// cumulative distribution), two for each pair of dimensions of a box leaf (Box-Muller), in leaf order.
struct SampleKey {
    std::uint64_t seed = 0;
    RngPurpose purpose = RngPurpose::action;
    std::uint32_t lane = 0;
    std::uint64_t step = 0;
};

// The product distribution over the leaves of a space, independent given the parameters (columns of the
// policy head, described in distribution.cpp). All functions work on rows: params f32 [rows, words()], mask
// u8 [rows, mask_bytes] or null, action f32 [rows, action_words]. `stride`: floats between rows of parameters
// and gradients; 0 means words(). Rows are independent. Nothing is allocated. Thread: any.
class ActionDistribution {
public:
    ActionDistribution() = default;
    // Squashing requires finite bounds (checked by buildPlan for specs). Box leaves are squashed into their
    // bounds, otherwise scaled to them if ActionLeaf::scaled, otherwise only clipped.
    ActionDistribution(Spaces spaces, bool squash);

    int words() const { return words_; }  // P
    const Spaces& spaces() const { return spaces_; }
    bool squash() const { return squash_; }

    // Writes actions (samples or the mode) and their log-probabilities [rows]. The mode of a box leaf is its
    // mean, scaled or squashed.
    void sample(int rows, const float* params, const std::uint8_t* mask, Selection selection, SampleKey key,
                float* action, float* log_prob, int stride = 0) const;
    // Epsilon-greedy actions for spaces of discrete leaves: with probability epsilon[row] every leaf is a
    // uniform draw from its allowed choices, otherwise its mode. The log-probability refers to this mixture,
    // leaf by leaf. Uses the same random stream as sample().
    void sampleEpsilonGreedy(int rows, const float* params, const std::uint8_t* mask, const float* epsilon,
                             SampleKey key, float* action, float* log_prob) const;
    // For box leaves with finite bounds: the mode plus Gaussian noise (see ActingRule), clipped to the
    // bounds, and uniform draws. Log-probabilities are log densities; with Gaussian noise, they apply to the
    // actions before clipping. Both functions use the same random stream as sample().
    void sampleNoisy(int rows, const float* params, double noise, SampleKey key, float* action,
                     float* log_prob) const;
    void sampleUniform(int rows, SampleKey key, float* action, float* log_prob) const;
    void logProb(int rows, const float* params, const std::uint8_t* mask, const float* action,
                 float* log_prob, int stride = 0) const;

    // Draws of box leaves as functions of the parameters and standard normal noise [rows, action_words]
    // (Kingma & Welling 2014, section 2.4). sample() is equivalent to fromNoise() with the noise of the same
    // key. The log-probability is computed from the noise, so it is exact even where tanh saturates.
    void noise(int rows, SampleKey key, float* noise) const;
    // log_prob may be null.
    void fromNoise(int rows, const float* params, const float* noise, float* action, float* log_prob,
                   int stride = 0) const;
    // Propagates d_action [rows, action_words] and d_log_prob [rows], the derivatives with respect to the
    // results of fromNoise(), to the parameters for fixed noise; adds the result to grad [rows, words()].
    void addPathGradient(int rows, const float* params, const float* noise, const float* d_action,
                         const float* d_log_prob, float* grad, int stride = 0) const;
    void entropy(int rows, const float* params, const std::uint8_t* mask, const float* action, float* entropy,
                 int stride = 0) const;
    // KL(p || q) for each row, exact for Gaussian and categorical distributions (squashing does not change
    // it).
    void kl(int rows, const float* p, const float* q, const std::uint8_t* mask, float* kl, int p_stride = 0,
            int q_stride = 0) const;

    // grad [rows, words()] += weight[row] * d f / d params.
    void addLogProbGradient(int rows, const float* params, const std::uint8_t* mask, const float* action,
                            const float* weight, float* grad, int stride = 0) const;
    void addEntropyGradient(int rows, const float* params, const std::uint8_t* mask, const float* action,
                            const float* weight, float* grad, int stride = 0) const;
    // The gradient with respect to q; `q_stride` is also the stride of grad.
    void addKlGradient(int rows, const float* p, const float* q, const std::uint8_t* mask,
                       const float* weight, float* grad, int p_stride = 0, int q_stride = 0) const;

    // The actions for the environment, [rows, action_words]: box words clipped to their bounds.
    void envAction(int rows, const float* action, float* env_action) const;
    // The position of the first non-finite parameter as "row r, column c", or "".
    std::string findNan(int rows, const float* params, int stride = 0) const;

private:
    // One leaf and its first column in rows of parameters, actions and masks and in the random words of a
    // step.
    struct Leaf {
        bool discrete = true;
        int size = 0;  // choices or dimensions
        int param = 0, action = 0, mask = 0, random = 0;
        std::vector<float> centre, half_range, low, high;  // box
    };

    // Calls body(leaf, row, i, first, second) with two random words for each pair of dimensions i, i + 1.
    template <class Body>
    void forPairs(int rows, const SampleKey& key, const Body& body) const;
    void drawBox(const Leaf& leaf, const float* params, Selection selection, const SampleKey& key, int row,
                 float* action) const;

    Spaces spaces_;
    bool squash_ = false;
    std::vector<Leaf> leaves_;
    int words_ = 0, action_words_ = 0, mask_bytes_ = 0, random_blocks_ = 0;
};

}  // namespace seedbed
