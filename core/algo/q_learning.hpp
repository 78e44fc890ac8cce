// SPDX-License-Identifier: Apache-2.0
// Common parts of algorithms that learn the values of actions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/algo/actor_critic.hpp"
#include "core/base/describe.hpp"

namespace seedbed {

// The allowed action with the highest value, the first one in case of ties. `mask` may be null.
inline int bestAction(const float* q, int actions, const std::uint8_t* mask) {
    int best = -1;
    for (int a = 0; a < actions; ++a)
        if ((mask == nullptr || mask[a] != 0) && (best < 0 || q[a] > q[best])) best = a;
    return std::max(best, 0);
}

// Kapturowski et al. 2019, section 2.3: h(x) = sign(x) (sqrt(|x| + 1) - 1) + epsilon x with epsilon = 0.001,
// and its inverse. This form of the inverse subtracts no nearly equal numbers, so it is accurate to rounding
// even near 0, unlike the form with a square (Pohlen et al. 2018, proposition A.2).
constexpr double kScaleEpsilon = 1e-3;
inline double scaledValue(double x) {
    const double size = std::abs(x);
    // sqrt(size + 1) - 1 without cancellation.
    return std::copysign(size / (std::sqrt(size + 1) + 1) + kScaleEpsilon * size, x);
}
inline double unscaledValue(double y) {
    // With u = sqrt(|x| + 1) - 1: epsilon u^2 + (1 + 2 epsilon) u - |y| = 0 and |x| = u (u + 2).
    const double size = std::abs(y), linear = 1 + 2 * kScaleEpsilon;
    const double u = 2 * size / (linear + std::sqrt(linear * linear + 4 * kScaleEpsilon * size));
    return std::copysign(u * (u + 2), y);
}

inline bool isOneChoice(const Spaces& spaces) {
    return spaces.actions.size() == 1 && spaces.actions[0].kind == ActionLeaf::Kind::discrete;
}

// The linear schedule of the probability of random actions. P must have epsilon_start, epsilon_end,
// epsilon_horizon and epsilon_ladder.
template <class P>
ActingRule epsilonGreedy(const P& params, const Progress& progress) {
    const double left = remainingFraction(progress, params.epsilon_horizon);
    return {.kind = ActingRule::Kind::epsilon_greedy,
            .epsilon = params.epsilon_end + (params.epsilon_start - params.epsilon_end) * left,
            .ladder = params.epsilon_ladder};
}

template <class P>
void describeLearningRate(Description<P>& d) {
    d.field(&P::learning_rate, "learning_rate", "Step size of the optimiser.",
            {.min = 0, .max = 10, .level = Level::recipe, .live = true});
}

template <class P>
void describeExploration(Description<P>& d) {
    d.field(&P::epsilon_start, "epsilon_start", "Initial probability of a random action.",
            {.min = 0, .max = 1, .level = Level::recipe})
        .field(&P::epsilon_end, "epsilon_end", "Probability of a random action after epsilon_horizon.",
               {.min = 0, .max = 1, .level = Level::recipe, .live = true})
        .field(&P::epsilon_horizon, "epsilon_horizon",
               "Decisions over which the probability of a random action decreases linearly.",
               {.unit = "steps", .min = 1, .level = Level::recipe, .live = true})
        .field(
            &P::epsilon_ladder, "epsilon_ladder",
            "Environments explore to different degrees: environment i of n has the probability epsilon^(1 + "
            "epsilon_ladder i / (n - 1)); 0: the same for each, 7: as in Ape-X.",
            {.min = 0, .max = 100});
}

}  // namespace seedbed
