// SPDX-License-Identifier: Apache-2.0
// Operations that put values together: sum, concatenation, a learned row for all, dueling heads.
#include "core/nn/engines/torch/module/frame.hpp"

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
            if (image_) input.hand(input.accumulate ? out_.gradient : out_.gradient.clone());
            else input.give(out_.gradient);
        }
    }

private:
    Input first_, second_;
    Slot& out_;
    bool image_;
};

class Concat : public BoundOp {
public:
    explicit Concat(const Binding& binding) {
        std::int64_t column = 0;
        for (std::size_t i = 0; i < binding.inputs.size(); ++i) {
            const Input& input = binding.inputs[i];
            const int index = binding.op.inputs[i];
            const std::int64_t width = binding.frame.valueSize(index);
            const at::Tensor& value = input.slot->value;
            // Values that live inside the result have nothing left to do.
            const at::Tensor place = binding.output.value.narrow(1, column, width);
            const bool inside = value.defined() && value.is_alias_of(place) &&
                                value.storage_offset() == place.storage_offset();
            if (!inside) {
                const at::Tensor& gradient = binding.output.gradient;
                parts_.push_back({input, place,
                                  gradient.defined() ? gradient.narrow(1, column, width) : at::Tensor(),
                                  binding.frame.valueShape(index)});
            }
            column += width;
        }
    }

    void forward() override {
        for (Part& part : parts_) part.place.copy_(part.input.slot->value.reshape(part.place.sizes()));
    }

    void backward(bool input_gradients) override {
        for (const Part& part : parts_) {
            if (!part.input.slot->wants(input_gradients)) continue;
            if (part.input.slot->value.dim() == 2) {
                part.input.give(part.gradient);
            } else {
                const PlanValue& shape = part.shape;
                const Sizes sizes{part.place.size(0), shape.channels, shape.height, shape.width};
                part.input.hand(part.gradient.reshape(sizes).clone(at::MemoryFormat::ChannelsLast));
            }
        }
    }

private:
    struct Part {
        Input input;
        at::Tensor place, gradient;
        PlanValue shape;
    };
    std::vector<Part> parts_;
};

class ParameterRows : public BoundOp {
public:
    explicit ParameterRows(const Binding& binding)
        : out_(binding.output), row_(binding.frame.param(binding.op.params[0])) {
        if (!binding.frame.shape().train) return;
        lane_ = binding.frame.lane(binding.op.params[0]);
        gradient_t_ = out_.gradient.t();
        ones_ = binding.frame.ones();
    }

    void forward() override { out_.value.copy_(row_); }
    void backward(bool) override { lane_.addmv_(gradient_t_, ones_); }

private:
    Slot& out_;
    at::Tensor row_, lane_, gradient_t_, ones_;
};

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
        if (value_.slot->wants(input_gradients)) value_.give(gradient.sum(1, /*keepdim=*/true));
        if (advantage_.slot->wants(input_gradients))
            advantage_.give(gradient - gradient.mean(1, /*keepdim=*/true));
    }

private:
    Input value_, advantage_;
    Slot& out_;
};

}  // namespace

std::unique_ptr<BoundOp> bindAdd(const Binding& binding) { return std::make_unique<Add>(binding); }
std::unique_ptr<BoundOp> bindConcat(const Binding& binding) { return std::make_unique<Concat>(binding); }
std::unique_ptr<BoundOp> bindParameterRows(const Binding& binding) {
    return std::make_unique<ParameterRows>(binding);
}
std::unique_ptr<BoundOp> bindDueling(const Binding& binding) { return std::make_unique<Dueling>(binding); }

}  // namespace seedbed::torch_module
