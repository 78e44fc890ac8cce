// SPDX-License-Identifier: Apache-2.0
// Weights of matrix products: packs them for forward passes and computes their gradients.
#pragma once

#include "core/nn/engines/native/work.hpp"

namespace seedbed::native {

// Packs the weight matrix [out, in], parameter `i` of the operation, into Work::packed.
void packWeight(Work& work, const PlanOp& op, int i);
// d_weight [out, in] += dy^T x for x [rows, in] and dy [rows, out].
void addWeightGradient(Work& work, int rows, int in, int out, View x, View dy, float* d_weight);

}  // namespace seedbed::native
