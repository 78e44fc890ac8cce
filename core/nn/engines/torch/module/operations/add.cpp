// SPDX-License-Identifier: Apache-2.0
// Residual connections.
#include "core/nn/engines/torch/module/frame.hpp"
#include "core/nn/engines/torch/module/operation.hpp"

namespace seedbed::torch_module {

namespace {

class Add : public BoundOp {
public:
    explicit Add(const Binding& binding)
        : first_(binding.inputs[0]),
          second_(binding.inputs[1]),
          out_(binding.output),
          image_(!out_.value.defined()) {}

    void forward() override {
        if (image_) out_.value = at::add(first_.slot->value, second_.slot->value);
        else at::add_out(out_.value, first_.slot->value, second_.slot->value);
    }

    void backward(bool input_gradients) override {
        for (const Input& input : {first_, second_}) {
            if (!input.slot->wants(input_gradients)) continue;
            if (image_) input.moveGradient(input.accumulate ? out_.gradient : out_.gradient.clone());
            else input.addGradient(out_.gradient);
        }
    }

private:
    Input first_, second_;
    Slot& out_;
    bool image_;
};

[[maybe_unused]] const bool registered_add = registerOperation({
    .id = "add",
    .bind = makeBound<Add>,
    .inputs = Inputs::alike,
    .output = Output::like_input,
});

}  // namespace

}  // namespace seedbed::torch_module
