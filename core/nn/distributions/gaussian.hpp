// SPDX-License-Identifier: Apache-2.0
// Diagonal Gaussians over the means and log standard deviations of one box leaf, optionally scaled to bounds
// or squashed into them with tanh.
#pragma once

#include <cstddef>
#include <cstdint>

namespace seedbed::gaussian {

// Parameters of one row: dim means, then dim log standard deviations. Also the range of a scaled or squashed
// leaf, otherwise null. The action is u, centre + half_range u, or centre + half_range tanh(u), where u is
// Gaussian.
struct Box {
    int dim = 0;
    const float* params = nullptr;
    const float* centre = nullptr;
    const float* half_range = nullptr;
    bool squashed = false;

    const float* mean() const { return params; }
    const float* logStd() const { return params + dim; }
    bool scaled() const { return centre != nullptr; }
};

// normals: [dim] standard normal draws, or null for the mode.
void draw(const Box& box, const double* normals, float* action);
float logProb(const Box& box, const float* action);
// Writes the action for standard normal noise [dim] and returns its log-probability.
float fromNoise(const Box& box, const float* noise, float* action);
// Log density of a standard normal variable.
double logDensity(double normal);
float entropy(const Box& box, const float* action);
float kl(const Box& p, const Box& q);

// gradient [2 dim] += weight * df / dparams (of q for KL).
void addLogProbGradient(const Box& box, const float* action, float weight, float* gradient);
void addEntropyGradient(const Box& box, float weight, float* gradient);
// gradient [2 dim] += df/dparams for fixed noise, given d_action [dim] and d_log_prob, the derivatives of f
// with respect to the results of fromNoise().
void addPathGradient(const Box& box, const float* noise, const float* d_action, float d_log_prob,
                     float* gradient);
void addKlGradient(const Box& p, const Box& q, float weight, float* gradient);

// Two independent standard normal draws from two random words (Box & Muller 1958).
void boxMuller(std::uint32_t word0, std::uint32_t word1, double& first, double& second);

}  // namespace seedbed::gaussian
