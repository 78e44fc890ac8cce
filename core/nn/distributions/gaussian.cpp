// SPDX-License-Identifier: Apache-2.0
// Formulas for the diagonal Gaussian, evaluated in double from float parameters.
#include "core/nn/distributions/gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace seedbed::gaussian {

namespace {

constexpr double kHalfLogTwoPi = 0.91893853320467274178;
// Limit of |tanh(u)|, which keeps u finite (|u| <= 8.7) for stored actions that were rounded to their bounds.
constexpr double kInside = 1 - 0x1p-24;

double wide(float x) { return static_cast<double>(x); }

// The Gaussian variable of action word i, before scaling and squashing.
double before(const Box& box, const float* action, int i) {
    if (!box.scaled()) return wide(action[i]);
    const double y = (wide(action[i]) - wide(box.centre[i])) / wide(box.half_range[i]);
    return box.squashed ? std::atanh(std::clamp(y, -kInside, kInside)) : y;
}

float actionOf(const Box& box, double u, int i) {
    if (!box.scaled()) return static_cast<float>(u);
    return static_cast<float>(wide(box.centre[i]) +
                              wide(box.half_range[i]) * (box.squashed ? std::tanh(u) : u));
}

double softplus(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }

// log |d action / d u|; the tanh part as in Haarnoja et al., arXiv:1812.05905, appendix C, in a form that
// avoids cancellation.
double logJacobian(const Box& box, double u, int i) {
    if (!box.scaled()) return 0;
    const double scale = std::log(wide(box.half_range[i]));
    return box.squashed ? scale + 2 * (std::numbers::ln2 - u - softplus(-2 * u)) : scale;
}

}  // namespace

void boxMuller(std::uint32_t word0, std::uint32_t word1, double& first, double& second) {
    // The argument of the logarithm is in (0, 1].
    const double radius = std::sqrt(-2 * std::log((word0 + 1.0) * 0x1p-32)),
                 angle = 2 * std::numbers::pi * (word1 * 0x1p-32);
    first = radius * std::cos(angle);
    second = radius * std::sin(angle);
}

void draw(const Box& box, const double* normals, float* action) {
    for (int i = 0; i < box.dim; ++i) {
        double u = wide(box.mean()[i]);
        if (normals != nullptr) u += std::exp(wide(box.logStd()[i])) * normals[i];
        action[i] = actionOf(box, u, i);
    }
}

float logProb(const Box& box, const float* action) {
    double sum = 0;
    for (int i = 0; i < box.dim; ++i) {
        const double u = before(box, action, i), log_std = wide(box.logStd()[i]);
        const double z = (u - wide(box.mean()[i])) * std::exp(-log_std);
        sum += -0.5 * z * z - log_std - kHalfLogTwoPi;
        sum -= logJacobian(box, u, i);
    }
    return static_cast<float>(sum);
}

double logDensity(double normal) { return -0.5 * normal * normal - kHalfLogTwoPi; }

float fromNoise(const Box& box, const float* noise, float* action) {
    double sum = 0;
    for (int i = 0; i < box.dim; ++i) {
        const double log_std = wide(box.logStd()[i]), normal = wide(noise[i]),
                     u = wide(box.mean()[i]) + std::exp(log_std) * normal;
        sum += logDensity(normal) - log_std;
        action[i] = actionOf(box, u, i);
        sum -= logJacobian(box, u, i);
    }
    return static_cast<float>(sum);
}

// Haarnoja et al., arXiv:1812.05905, equation 10 and appendix C: a = c + h tanh(u), u = mean + std * noise,
// log pi = log N(noise) - log std - log h - log(1 - tanh(u)^2).
void addPathGradient(const Box& box, const float* noise, const float* d_action, float d_log_prob,
                     float* gradient) {
    for (int i = 0; i < box.dim; ++i) {
        const double step = std::exp(wide(box.logStd()[i])) * wide(noise[i]);
        double d_u = wide(d_action[i]);
        if (box.scaled()) d_u *= wide(box.half_range[i]);
        if (box.squashed) {
            const double u = wide(box.mean()[i]) + step, e = std::exp(-2 * std::abs(u));
            // 1 - tanh(u)^2, computed without cancellation.
            const double slope = 4 * e / ((1 + e) * (1 + e));
            d_u = d_u * slope + 2 * wide(d_log_prob) * std::tanh(u);
        }
        gradient[i] += static_cast<float>(d_u);
        gradient[box.dim + i] += static_cast<float>(d_u * step - wide(d_log_prob));
    }
}

float entropy(const Box& box, const float* action) {
    double sum = 0;
    for (int i = 0; i < box.dim; ++i) {
        sum += wide(box.logStd()[i]) + 0.5 + kHalfLogTwoPi;
        if (box.scaled()) sum += logJacobian(box, before(box, action, i), i);
    }
    return static_cast<float>(sum);
}

float kl(const Box& p, const Box& q) {
    double sum = 0;
    for (int i = 0; i < p.dim; ++i) {
        const double distance = wide(p.mean()[i]) - wide(q.mean()[i]),
                     log_ratio = wide(p.logStd()[i]) - wide(q.logStd()[i]);
        const double z = distance * std::exp(-wide(q.logStd()[i]));
        sum += 0.5 * (std::expm1(2 * log_ratio) + z * z) - log_ratio;
    }
    return static_cast<float>(sum);
}

void addLogProbGradient(const Box& box, const float* action, float weight, float* gradient) {
    for (int i = 0; i < box.dim; ++i) {
        const double scale = std::exp(-wide(box.logStd()[i])),
                     z = (before(box, action, i) - wide(box.mean()[i])) * scale;
        gradient[i] += static_cast<float>(wide(weight) * z * scale);
        gradient[box.dim + i] += static_cast<float>(wide(weight) * (z * z - 1));
    }
}

void addEntropyGradient(const Box& box, float weight, float* gradient) {
    for (int i = 0; i < box.dim; ++i) gradient[box.dim + i] += weight;
}

void addKlGradient(const Box& p, const Box& q, float weight, float* gradient) {
    for (int i = 0; i < p.dim; ++i) {
        const double scale = std::exp(-wide(q.logStd()[i])),
                     z = (wide(q.mean()[i]) - wide(p.mean()[i])) * scale;
        const double ratio = std::exp(2 * (wide(p.logStd()[i]) - wide(q.logStd()[i])));
        gradient[i] += static_cast<float>(wide(weight) * z * scale);
        gradient[p.dim + i] += static_cast<float>(wide(weight) * (1 - ratio - z * z));
    }
}

}  // namespace seedbed::gaussian
