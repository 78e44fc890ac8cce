// SPDX-License-Identifier: Apache-2.0
// PopArt (van Hasselt et al., "Learning values across many orders of magnitude", NIPS 2016): a value head
// predicts targets that are normalised by running statistics, and its last layer changes with the statistics
// so that outputs are preserved. The head multiplies by the standard deviation and adds the mean (operation
// rescale), so its outputs have the units of the returns.
#pragma once

#include <vector>

#include "core/nn/net_plan.hpp"

namespace seedbed {

// Sums over value targets; count 0: no targets.
struct TargetMoments {
    double count = 0, sum = 0, squares = 0;

    void add(double target) {
        ++count;
        sum += target;
        squares += target * target;
    }
};

// Whether the head named "value" has running statistics.
bool hasPopArt(const NetPlan& plan);
// The standard deviation of that head; 1 if it has no statistics.
double popArtScale(const NetPlan& plan, const std::vector<float>& blob);
// Moves the statistics by the step size `rate` towards the moments (eq. 6) and adjusts the last layer inside
// `blob` [param_floats] so that outputs are preserved (eq. 5). The first steps are larger, so that the
// initial statistics have no weight. Has no effect without statistics or targets. Thread: the learner's.
void updatePopArt(const NetPlan& plan, std::vector<float>& blob, const TargetMoments& targets, double rate);

}  // namespace seedbed
