// SPDX-License-Identifier: Apache-2.0
// The two layouts of an image, channels first (as in the plan) and channels last, and images with a border.
#pragma once

#include "core/nn/engines/native/work.hpp"

namespace seedbed::native {

// One row's image with its channels last (or first), given the image as its value stores it; `buffer`
// receives the image if that differs.
const float* withLayout(Work& work, int value, const float* image, bool last, std::vector<float>& buffer);

// Writes or adds an image with channels last (or first) to the gradient of an input, `to` as prepared by
// Work::prepareInputGradient, and applies the derivative of the producer's activation.
void addImageGradient(Work& work, int value, const Product& to, int row, const float* image, bool last);

// The bytes of one row's image, or null if the input operation has converted them to floats.
const std::uint8_t* bytesOf(const Work& work, const PlanOp& op, int row, float& high);
// The image of one row as floats, converted from bytes if necessary, which overwrites scratch3.
const float* imageOf(Work& work, const PlanOp& op, int row);

// to [height + 2 border, width + 2 border, stride] = the image with channels last, surrounded by zeros;
// channels from size.channels to `stride` are zero too.
void copyWithBorder(Work& work, const PlanValue& size, const float* image, bool last, int border,
                    std::ptrdiff_t stride, float* to);

}  // namespace seedbed::native
