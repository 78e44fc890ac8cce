// SPDX-License-Identifier: Apache-2.0
// Layer normalisation.
#include "core/nn/engines/torch/module/activation.hpp"
#include "core/nn/engines/torch/module/frame.hpp"
#include "core/nn/engines/torch/module/operation.hpp"

namespace seedbed::torch_module {

namespace {

class LayerNorm : public BoundOp {
public:
    explicit LayerNorm(const Binding& binding)
        : activation_(binding.op.activation),
          in_(binding.inputs[0]),
          out_(binding.output),
          gain_(binding.frame.param(binding.op.params[0])),
          bias_(binding.frame.param(binding.op.params[1])) {
        if (!binding.frame.shape().train) return;
        gain_lane_ = binding.frame.lane(binding.op.params[0]);
        bias_lane_ = binding.frame.lane(binding.op.params[1]);
        gradient_ = activation_ == Activation::none
                        ? out_.gradient
                        : binding.frame.place({binding.frame.rows(), gain_.size(0)});
    }

    void forward() override {
        at::Tensor y;
        std::tie(y, mean_, rstd_) =
            at::native_layer_norm(in_.slot->value, gain_.sizes(), gain_, bias_, kEpsilon);
        out_.value.copy_(y);
        activate(activation_, out_.value);
    }

    void backward(bool input_gradients) override {
        activationBackward(activation_, gradient_, out_.gradient, out_.value);
        const auto [x_gradient, gain_gradient, bias_gradient] = at::native_layer_norm_backward(
            gradient_, in_.slot->value, gain_.sizes(), mean_, rstd_, gain_, bias_, {true, true, true});
        gain_lane_.add_(gain_gradient);
        bias_lane_.add_(bias_gradient);
        if (in_.slot->wants(input_gradients)) in_.addGradient(x_gradient);
    }

private:
    static constexpr double kEpsilon = 1e-5;

    Activation activation_;
    Input in_;
    Slot& out_;
    at::Tensor gain_, bias_, mean_, rstd_, gain_lane_, bias_lane_, gradient_;
};

[[maybe_unused]] const bool registered_layer_norm = registerOperation({
    .id = "layer_norm",
    .bind = makeBound<LayerNorm>,
    .inputs = Inputs::rows,
});

}  // namespace

}  // namespace seedbed::torch_module
