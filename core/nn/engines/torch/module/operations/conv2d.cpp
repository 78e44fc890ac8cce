// SPDX-License-Identifier: Apache-2.0
// Convolution, with channels-last images; README.md lists the measured times.
#include "core/nn/engines/torch/module/activation.hpp"
#include "core/nn/engines/torch/module/frame.hpp"
#include "core/nn/engines/torch/module/operation.hpp"

namespace seedbed::torch_module {

namespace {

class Conv : public BoundOp {
public:
    explicit Conv(const Binding& binding)
        : activation_(binding.op.activation),
          in_(binding.inputs[0]),
          out_(binding.output),
          stride_{binding.op.stride, binding.op.stride},
          pad_{binding.op.pad, binding.op.pad},
          weight_(binding.frame.param(binding.op.params[0])),
          bias_(binding.frame.param(binding.op.params[1])) {
        if (!binding.frame.shape().train) return;
        weight_lane_ = binding.frame.lane(binding.op.params[0]);
        bias_lane_ = binding.frame.lane(binding.op.params[1]);
    }

    void forward() override {
        out_.value = at::conv2d(in_.slot->value, weight_, bias_, stride_, pad_);
        activate(activation_, out_.value);
    }

    void backward(bool input_gradients) override {
        const bool wanted = in_.slot->wants(input_gradients);
        activationBackward(activation_, out_.gradient, out_.gradient, out_.value);
        auto [x_gradient, weight_gradient, bias_gradient] = at::convolution_backward(
            out_.gradient, in_.slot->value, weight_, at::IntArrayRef{weight_.size(0)}, stride_, pad_,
            /*dilation=*/{1, 1}, /*transposed=*/false, /*output_padding=*/{0, 0}, /*groups=*/1,
            {wanted, true, true});
        weight_lane_.add_(weight_gradient);
        bias_lane_.add_(bias_gradient);
        if (wanted) in_.moveGradient(std::move(x_gradient));
    }

private:
    Activation activation_;
    Input in_;
    Slot& out_;
    Sizes stride_, pad_;
    at::Tensor weight_, bias_, weight_lane_, bias_lane_;
};

[[maybe_unused]] const bool registered_conv2d = registerOperation({
    .id = "conv2d",
    .bind = makeBound<Conv>,
    .inputs = Inputs::images,
    .output = Output::image,
});

}  // namespace

}  // namespace seedbed::torch_module
