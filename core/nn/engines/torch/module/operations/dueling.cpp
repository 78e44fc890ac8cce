// SPDX-License-Identifier: Apache-2.0
// Dueling heads.
#include "core/nn/engines/torch/module/frame.hpp"
#include "core/nn/engines/torch/module/operation.hpp"

namespace seedbed::torch_module {

namespace {

// Wang et al., "Dueling Network Architectures", arXiv:1511.06581, equation 9: Q = V + A - mean A, for
// each of the k values per action.
class Dueling : public BoundOp {
public:
    explicit Dueling(const Binding& binding)
        : value_(binding.inputs[0]), advantage_(binding.inputs[1]), out_(binding.output) {}

    void forward() override {
        const at::Tensor a = grouped(advantage_.slot->value);
        out_.value.copy_((a - a.mean(1, /*keepdim=*/true) + value_.slot->value.unsqueeze(1)).flatten(1));
    }

    void backward(bool input_gradients) override {
        const at::Tensor gradient = grouped(out_.gradient);
        if (value_.slot->wants(input_gradients)) value_.addGradient(gradient.sum(1));
        if (advantage_.slot->wants(input_gradients))
            advantage_.addGradient((gradient - gradient.mean(1, /*keepdim=*/true)).flatten(1));
    }

private:
    // [rows, actions, values per action]
    at::Tensor grouped(const at::Tensor& x) const {
        return x.reshape({x.size(0), -1, value_.slot->value.size(1)});
    }

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
