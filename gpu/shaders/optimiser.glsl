// SPDX-License-Identifier: Apache-2.0
// Optimiser steps: the same formulas as core/nn/optimiser.cpp. The gradient becomes zero.
#include "block.glsl"

layout(binding = 1) buffer Weights { float weights[]; };
layout(binding = 2) buffer Gradient { float gradient[]; };
// Eight numbers of the step, the first of which scales the gradient; then per range: the factor of the
// parameters for weight decay, and the learning rate.
layout(binding = 3) readonly buffer Factors { float factors[]; };
layout(binding = 4) buffer First { float first[]; };

layout(push_constant) uniform Push { uint blocks_count; } p;

float keepOf(uint range) { return factors[8 + 2 * range]; }
float rateOf(uint range) { return factors[9 + 2 * range]; }

float takeGradient(uint i) {
    const float g = gradient[i] * factors[0];
    gradient[i] = 0.0;
    return g;
}
