// SPDX-License-Identifier: Apache-2.0
// Linear operations on bit planes: once per call, the observation is converted to a list of ones. All linear
// operations on that observation read the list, forward and backward.
#pragma once

#include "core/nn/engines/native/work.hpp"

namespace seedbed::native {

// Fills Work::ones for the input's value.
void listOnes(Work& work, const PlanOp& input);
// y of `linear`, with bias and activation.
void forwardSparse(Work& work, const PlanOp& linear);
// Weight gradient of `linear` from dy [rows, out], added to the lane.
void addSparseWeightGradient(Work& work, const PlanOp& linear, View dy);

}  // namespace seedbed::native
