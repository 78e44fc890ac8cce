// SPDX-License-Identifier: Apache-2.0
// An activation as a separate operation.
#include "core/nn/engines/torch/module/activation.hpp"
#include "core/nn/engines/torch/module/frame.hpp"
#include "core/nn/engines/torch/module/operation.hpp"

namespace seedbed::torch_module {

namespace {

// For images, the result is a new tensor.
class Activate : public BoundOp {
public:
    explicit Activate(const Binding& binding)
        : activation_(binding.op.activation),
          in_(binding.inputs[0]),
          out_(binding.output),
          image_(!out_.value.defined()) {}

    void forward() override {
        if (image_) out_.value = in_.slot->value.clone();
        else out_.value.copy_(in_.slot->value);
        activate(activation_, out_.value);
    }

    void backward(bool input_gradients) override {
        if (!in_.slot->wants(input_gradients)) return;
        at::Tensor gradient = at::empty_like(out_.value);
        if (activation_ == Activation::none) gradient.copy_(out_.gradient);
        else activationBackward(activation_, gradient, out_.gradient, out_.value);
        if (image_) in_.moveGradient(std::move(gradient));
        else in_.addGradient(gradient);
    }

private:
    Activation activation_;
    Input in_;
    Slot& out_;
    bool image_;
};

[[maybe_unused]] const bool registered_activation = registerOperation({
    .id = "activation",
    .bind = makeBound<Activate>,
    .output = Output::like_input,
});

}  // namespace

}  // namespace seedbed::torch_module
