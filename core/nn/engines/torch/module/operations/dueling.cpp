// SPDX-License-Identifier: Apache-2.0
// Dueling heads.
#include "core/nn/engines/torch/module/frame.hpp"
#include "core/nn/engines/torch/module/operation.hpp"

namespace seedbed::torch_module {

namespace {

// Wang et al., "Dueling Network Architectures", arXiv:1511.06581, equation 9: Q = V + A - mean A.
class Dueling : public BoundOp {
public:
    explicit Dueling(const Binding& binding)
        : value_(binding.inputs[0]), advantage_(binding.inputs[1]), out_(binding.output) {}

    void forward() override {
        const at::Tensor& advantage = advantage_.slot->value;
        at::sub_out(out_.value, advantage, advantage.mean(1, /*keepdim=*/true));
        out_.value.add_(value_.slot->value);
    }

    void backward(bool input_gradients) override {
        const at::Tensor& gradient = out_.gradient;
        if (value_.slot->wants(input_gradients)) value_.addGradient(gradient.sum(1, /*keepdim=*/true));
        if (advantage_.slot->wants(input_gradients))
            advantage_.addGradient(gradient - gradient.mean(1, /*keepdim=*/true));
    }

private:
    Input value_, advantage_;
    Slot& out_;
};

[[maybe_unused]] const bool registered_dueling = registerOperation({
    .id = "dueling",
    .bind = makeBound<Dueling>,
    .inputs = Inputs::rows,
    .writes_columns = alwaysColumns,
});

}  // namespace

}  // namespace seedbed::torch_module
