// SPDX-License-Identifier: Apache-2.0
// Means of groups.
#include "core/nn/engines/torch/module/frame.hpp"
#include "core/nn/engines/torch/module/operation.hpp"

namespace seedbed::torch_module {

namespace {

class GroupMean : public BoundOp {
public:
    explicit GroupMean(const Binding& binding) : in_(binding.inputs[0]), out_(binding.output) {}

    void forward() override {
        const at::Tensor& x = in_.slot->value;
        const std::int64_t groups = out_.value.size(1);
        out_.value.copy_(x.reshape({x.size(0), groups, -1}).mean(2));
    }

    void backward(bool input_gradients) override {
        if (!in_.slot->wants(input_gradients)) return;
        const at::Tensor& gradient = out_.gradient;
        const std::int64_t size = in_.slot->value.size(1) / gradient.size(1);
        in_.addGradient((gradient / static_cast<double>(size)).repeat_interleave(size, 1));
    }

private:
    Input in_;
    Slot& out_;
};

[[maybe_unused]] const bool registered_group_mean = registerOperation({
    .id = "group_mean",
    .bind = makeBound<GroupMean>,
    .inputs = Inputs::rows,
    .writes_columns = alwaysColumns,
});

}  // namespace

}  // namespace seedbed::torch_module
