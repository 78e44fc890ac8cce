// SPDX-License-Identifier: Apache-2.0
#include "core/nn/engines/torch/module/activation.hpp"

namespace seedbed::torch_module {

void activate(Activation activation, at::Tensor& y) {
    switch (activation) {
        case Activation::none: break;
        case Activation::tanh: at::tanh_out(y, y); break;
        case Activation::relu: at::relu_(y); break;
        case Activation::elu: at::elu_(y); break;
    }
}

void activationBackward(Activation activation, at::Tensor& out, const at::Tensor& gradient,
                        const at::Tensor& y) {
    switch (activation) {
        case Activation::none: break;
        case Activation::tanh: at::tanh_backward_out(out, gradient, y); break;
        case Activation::relu: at::threshold_backward_out(out, gradient, y, 0); break;
        case Activation::elu: at::elu_backward_out(out, gradient, 1, 1, 1, /*is_result=*/true, y); break;
    }
}

}  // namespace seedbed::torch_module
