// SPDX-License-Identifier: Apache-2.0
// Max pooling.
#include "core/nn/engines/torch/module/frame.hpp"
#include "core/nn/engines/torch/module/operation.hpp"

namespace seedbed::torch_module {

namespace {

class MaxPool : public BoundOp {
public:
    explicit MaxPool(const Binding& binding)
        : in_(binding.inputs[0]),
          out_(binding.output),
          kernel_{binding.op.kernel, binding.op.kernel},
          stride_{binding.op.stride, binding.op.stride},
          pad_{binding.op.pad, binding.op.pad} {}

    void forward() override {
        std::tie(out_.value, indices_) = at::max_pool2d_with_indices(in_.slot->value, kernel_, stride_, pad_);
    }

    void backward(bool input_gradients) override {
        if (!in_.slot->wants(input_gradients)) return;
        in_.moveGradient(at::max_pool2d_with_indices_backward(out_.gradient, in_.slot->value, kernel_,
                                                              stride_, pad_,
                                                              /*dilation=*/{1, 1},
                                                              /*ceil_mode=*/false, indices_));
    }

private:
    Input in_;
    Slot& out_;
    Sizes kernel_, stride_, pad_;
    at::Tensor indices_;
};

[[maybe_unused]] const bool registered_max_pool = registerOperation({
    .id = "max_pool",
    .bind = makeBound<MaxPool>,
    .inputs = Inputs::images,
    .output = Output::image,
});

}  // namespace

}  // namespace seedbed::torch_module
