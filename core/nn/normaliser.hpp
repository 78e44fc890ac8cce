// SPDX-License-Identifier: Apache-2.0
// Running statistics of observations, in the buffers of the normalise operation.
#pragma once

#include <cstddef>
#include <vector>

#include "core/nn/net_plan.hpp"

namespace seedbed {

// Merges `rows` of raw values of a leaf, single frames f32 [rows, elements], into mean, variance and count
// inside `blob` [param_floats]. Leaves without a normalise operation are ignored. Thread: the learner's.
void updateNormaliser(const NetPlan& plan, std::vector<float>& blob, int leaf, const float* values,
                      std::size_t rows);

}  // namespace seedbed
