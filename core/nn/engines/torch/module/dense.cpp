// SPDX-License-Identifier: Apache-2.0
// Fully connected layers, activations and layer normalisation.
#include "core/nn/engines/torch/module/frame.hpp"

namespace seedbed::torch_module {

void activate(Activation activation, at::Tensor& y) {
    switch (activation) {
        case Activation::none: break;
        case Activation::tanh: at::tanh_out(y, y); break;
        case Activation::relu: at::relu_(y); break;
        case Activation::elu: at::elu_(y); break;
    }
}

void activationBackward(Activation activation, at::Tensor& out, const at::Tensor& gradient,
                        const at::Tensor& y) {
    switch (activation) {
        case Activation::none: break;
        case Activation::tanh: at::tanh_backward_out(out, gradient, y); break;
        case Activation::relu: at::threshold_backward_out(out, gradient, y, 0); break;
        case Activation::elu: at::elu_backward_out(out, gradient, 1, 1, 1, /*is_result=*/true, y); break;
    }
}

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
        // The gradient before the activation takes the place of the one after it where that is ours.
        const bool aside = activation_ != Activation::none && out_.gradient_shared;
        gradient_ = aside ? binding.frame.place({rows_, weight_.size(0)}) : out_.gradient;
        gradient_t_ = gradient_.t();
    }

    void forward() override {
        if (image_) x_ = in_.slot->value.reshape({rows_, weight_.size(1)});
        // One output is a matrix-vector product: a third of the time of the general one.
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
            in_.hand(flat.view({rows_, shape_.channels, shape_.height, shape_.width})
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
    bool single_ = false;  // one output
    at::Tensor y_column_, weight_row_, bias_rows_;
    at::Tensor weight_lane_, bias_lane_, ones_, gradient_, gradient_t_;
};

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
        if (in_.slot->wants(input_gradients)) in_.give(x_gradient);
    }

private:
    static constexpr double kEpsilon = 1e-5;

    Activation activation_;
    Input in_;
    Slot& out_;
    at::Tensor gain_, bias_, mean_, rstd_, gain_lane_, bias_lane_, gradient_;
};

// An activation on its own; on images its result is a new tensor.
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
        if (image_) in_.hand(std::move(gradient));
        else in_.give(gradient);
    }

private:
    Activation activation_;
    Input in_;
    Slot& out_;
    bool image_;
};

}  // namespace

std::unique_ptr<BoundOp> bindLinear(const Binding& binding) { return std::make_unique<Linear>(binding); }
std::unique_ptr<BoundOp> bindLayerNorm(const Binding& binding) {
    return std::make_unique<LayerNorm>(binding);
}
std::unique_ptr<BoundOp> bindActivation(const Binding& binding) {
    return std::make_unique<Activate>(binding);
}

}  // namespace seedbed::torch_module
