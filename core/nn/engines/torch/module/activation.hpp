// SPDX-License-Identifier: Apache-2.0
// Activations of tensors.
#pragma once

#include <ATen/ATen.h>

#include "core/nn/net_plan.hpp"

namespace seedbed::torch_module {

// y = activation(y), in place.
void activate(Activation activation, at::Tensor& y);
// The gradient before the activation, given the one after it and the activation's result; out may be
// `gradient` itself.
void activationBackward(Activation activation, at::Tensor& out, const at::Tensor& gradient,
                        const at::Tensor& y);

}  // namespace seedbed::torch_module
