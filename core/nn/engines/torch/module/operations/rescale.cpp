// SPDX-License-Identifier: Apache-2.0
// Scales the output of a value head to its targets; see popart.hpp.
#include "core/nn/engines/torch/module/frame.hpp"
#include "core/nn/engines/torch/module/operation.hpp"

namespace seedbed::torch_module {

namespace {

class Rescale : public BoundOp {
public:
    explicit Rescale(const Binding& binding)
        : in_(binding.inputs[0]),
          out_(binding.output),
          mean_(binding.frame.param(binding.op.params[0])),
          std_(binding.frame.param(binding.op.params[1])) {}

    void forward() override {
        at::mul_out(out_.value, in_.slot->value, std_);
        out_.value.add_(mean_);
    }

    // The statistics are buffers.
    void backward(bool input_gradients) override {
        if (in_.slot->wants(input_gradients)) in_.addGradient(out_.gradient * std_);
    }

private:
    Input in_;
    Slot& out_;
    at::Tensor mean_, std_;
};

[[maybe_unused]] const bool registered_rescale = registerOperation({
    .id = "rescale",
    .bind = makeBound<Rescale>,
    .inputs = Inputs::rows,
    .writes_columns = alwaysColumns,
});

}  // namespace

}  // namespace seedbed::torch_module
