// SPDX-License-Identifier: Apache-2.0
// Fully connected layers.
#include "core/nn/engines/torch/module/activation.hpp"
#include "core/nn/engines/torch/module/frame.hpp"
#include "core/nn/engines/torch/module/operation.hpp"

namespace seedbed::torch_module {

namespace {

class Linear : public BoundOp {
public:
    explicit Linear(const Binding& binding)
        : activation_(binding.op.activation),
          in_(binding.inputs[0]),
          out_(binding.output),
          rows_(binding.frame.rows()),
          shape_(binding.frame.valueShape(binding.op.inputs[0])),
          weight_(binding.frame.param(binding.op.params[0])),
          weight_t_(weight_.t()),
          bias_(binding.frame.param(binding.op.params[1])) {
        image_ = !in_.slot->value.defined() || in_.slot->value.dim() != 2;
        single_ = weight_.size(0) == 1;
        if (!image_) x_ = in_.slot->value;
        if (single_) {
            y_column_ = out_.value.select(1, 0);
            weight_row_ = weight_.select(0, 0);
            bias_rows_ = bias_.expand({rows_});
        }
        if (!binding.frame.shape().train) return;
        weight_lane_ = binding.frame.lane(binding.op.params[0]);
        bias_lane_ = binding.frame.lane(binding.op.params[1]);
        ones_ = binding.frame.ones();
        // The gradient before the activation overwrites the gradient after it, unless other code also uses
        // that memory.
        const bool aside = activation_ != Activation::none && out_.gradient_shared;
        gradient_ = aside ? binding.frame.place({rows_, weight_.size(0)}) : out_.gradient;
        gradient_t_ = gradient_.t();
    }

    void forward() override {
        if (image_) x_ = in_.slot->value.reshape({rows_, weight_.size(1)});
        // With a single output, this is a matrix-vector product, which takes a third of the time of the
        // general product.
        if (single_) at::addmv_out(y_column_, bias_rows_, x_, weight_row_);
        else at::addmm_out(out_.value, bias_, x_, weight_t_);
        activate(activation_, out_.value);
    }

    void backward(bool input_gradients) override {
        activationBackward(activation_, gradient_, out_.gradient, out_.value);
        weight_lane_.addmm_(gradient_t_, x_);
        bias_lane_.addmv_(gradient_t_, ones_);
        if (!in_.slot->wants(input_gradients)) return;
        if (image_) {
            const at::Tensor flat = at::mm(gradient_, weight_);
            in_.moveGradient(flat.view({rows_, shape_.channels, shape_.height, shape_.width})
                                 .contiguous(at::MemoryFormat::ChannelsLast));
        } else if (in_.accumulate) {
            in_.slot->gradient.addmm_(gradient_, weight_);
        } else if (single_) {
            at::mul_out(in_.slot->gradient, gradient_, weight_);
        } else {
            at::mm_out(in_.slot->gradient, gradient_, weight_);
        }
    }

private:
    Activation activation_;
    Input in_;
    Slot& out_;
    std::int64_t rows_;
    PlanValue shape_;
    at::Tensor weight_, weight_t_, bias_, x_;
    bool image_ = false;
    bool single_ = false;  // whether the layer has a single output
    at::Tensor y_column_, weight_row_, bias_rows_;
    at::Tensor weight_lane_, bias_lane_, ones_, gradient_, gradient_t_;
};

// Without an activation, no backward pass reads the result again.
bool isPlain(const PlanOp& op) { return op.activation == Activation::none; }

[[maybe_unused]] const bool registered_linear = registerOperation({
    .id = "linear",
    .bind = makeBound<Linear>,
    .flattens = true,
    .writes_columns = isPlain,
});

}  // namespace

}  // namespace seedbed::torch_module
