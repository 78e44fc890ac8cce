// SPDX-License-Identifier: Apache-2.0
// Activations, applied in place, and their derivatives, computed from the activated values.
#pragma once

#include <cstddef>

#include "core/nn/net_plan.hpp"

namespace seedbed::reference {

// y <- activation(y). Uses the C library for double and fast_math.hpp for float.
void activate(Activation activation, float* y, std::size_t count);
void activate(Activation activation, double* y, std::size_t count);
// gradient <- gradient * activation'(x), where y = activation(x). ReLU at 0 has slope 0; ELU has alpha = 1.
void deactivate(Activation activation, const float* y, float* gradient, std::size_t count);
void deactivate(Activation activation, const double* y, double* gradient, std::size_t count);

// Logistic function in place.
void sigmoid(float* y, std::size_t count);
void sigmoid(double* y, std::size_t count);

}  // namespace seedbed::reference
