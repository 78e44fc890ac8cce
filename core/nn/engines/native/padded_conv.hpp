// SPDX-License-Identifier: Apache-2.0
// Convolutions with padding, image by image: each image is copied once, channels last and with its border of
// zeros, so that all pixels of a line are computed alike.
#pragma once

#include "core/nn/engines/native/work.hpp"

namespace seedbed::native {

void forwardPaddedRow(Work& work, const PlanOp& op, int row);
// For few images and several threads: divides the lines of each image into pieces.
void forwardPaddedDivided(Work& work, const PlanOp& op, int pieces);

// The gradients of one row; `d_weight` [taps, out channels] is accumulated. With stride 1 the gradient of the
// input is the convolution of the gradient of the output with the reversed kernel, otherwise it is summed
// from patches.
void backwardPaddedRow(Work& work, const PlanOp& op, int row, float* d_weight);

}  // namespace seedbed::native
