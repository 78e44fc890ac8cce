// SPDX-License-Identifier: Apache-2.0
// Running statistics of observations, stored in the buffers of the normalise operation.
#pragma once

#include <cstddef>
#include <vector>

#include "core/nn/net_plan.hpp"

namespace seedbed {

// Mean and squared deviations of rows of a leaf, per element of a single frame.
struct ObservationMoments {
    double count = 0;
    std::vector<double> mean, squares;

    // Adds the moments of other rows (Chan, Golub & LeVeque 1979, equations 2.1).
    void merge(const ObservationMoments& other);
};

// The moments of `rows` of raw values, f32 [rows, elements], in two passes with rows in order.
ObservationMoments observationMoments(const float* values, std::size_t rows, std::size_t elements);

// Merges the moments of rows of a leaf into mean, variance and count inside `blob` [param_floats]. Leaves
// without a normalise operation are ignored. Thread: the learner's.
void updateNormaliser(const NetPlan& plan, std::vector<float>& blob, int leaf,
                      const ObservationMoments& moments);
// As above, for `rows` of raw values.
void updateNormaliser(const NetPlan& plan, std::vector<float>& blob, int leaf, const float* values,
                      std::size_t rows);

}  // namespace seedbed
