// SPDX-License-Identifier: Apache-2.0
// Binds a plan: allocates the values and gradients, then binds the operations in order.
#include "core/nn/engines/torch/module/frame.hpp"

#include "core/nn/engines/torch/module/operation.hpp"

namespace seedbed::torch_module {

Frame::Frame(const NetPlan& plan, const Analysis& analysis, Workspace& workspace, const Shape& shape)
    : plan_(plan), analysis_(analysis), workspace_(workspace), shape_(shape), slots_(plan.values.size()) {
    workspace_.beginFrame();
    ones_ = at::ones({rows()}, at::TensorOptions().device(workspace_.device()).dtype(at::kFloat));
    if (shape_.has_first) {
        first_ = workspace_.first.port().view({rows(), 1});
        starts_ = at::empty({rows(), 1}, first_.options().dtype(at::kBool));
        continues_ = place({rows(), 1});
    }
    bindSlots();
    bindOps();
    workspace_.reserve();
}

at::Tensor Frame::place(const Sizes& sizes) {
    std::int64_t count = 1;
    for (const std::int64_t size : sizes) count *= size;
    return workspace_.arena().view(sizes, workspace_.place(count));
}

at::Tensor Frame::param(int index) const {
    const ParamEntry& entry = plan_.params[static_cast<std::size_t>(index)];
    return workspace_.params.view(Sizes(entry.shape.begin(), entry.shape.end()),
                                  static_cast<std::int64_t>(entry.offset));
}

at::Tensor Frame::lane(int index) const {
    const ParamEntry& entry = plan_.params[static_cast<std::size_t>(index)];
    return workspace_.lane.port().view(Sizes(entry.shape.begin(), entry.shape.end()),
                                       static_cast<std::int64_t>(entry.offset));
}

bool Frame::seenAsImage(int value) const {
    for (const PlanOp& op : plan_.ops)
        for (const int input : op.inputs)
            if (input == value && !operationOf(op).flattens) return true;
    return false;
}

// A range of columns of the head panel, of its gradient, or of another value.
at::Tensor Frame::columns(const ValueInfo& info, std::int64_t width, bool gradient) {
    if (info.parent == kHeadPanel) {
        const Panel& panel = gradient ? workspace_.head_gradients : workspace_.heads;
        return panel.port().view({rows(), width}, {plan_.head_words, 1}, info.column);
    }
    const Slot& parent = slot(info.parent);
    return (gradient ? parent.gradient : parent.value).narrow(1, info.column, width);
}

void Frame::bindSlots() {
    // In reverse order, because a value that is stored inside another one comes before it in the list.
    for (std::size_t v = slots_.size(); v-- > 0;) {
        const ValueInfo& info = analysis_.values[v];
        Slot& slot = slots_[v];
        slot.from_weights = info.from_weights;
        slot.from_leaf = info.from_leaf;
        if (info.image) continue;
        const auto width = static_cast<std::int64_t>(plan_.values[v].size());
        const bool has_gradient = shape_.train && (info.from_weights || info.from_leaf);
        const bool inside = info.parent != kOwnPlace;
        slot.value = inside ? columns(info, width, false) : place({rows(), width});
        if (has_gradient) slot.gradient = inside ? columns(info, width, true) : place({rows(), width});
        slot.gradient_shared = inside;
    }
    for (const PlanHead& head : plan_.heads) {
        if (!analysis_.values[static_cast<std::size_t>(head.value)].head_copied) continue;
        const Sizes sizes{rows(), head.width}, strides{plan_.head_words, 1};
        copied_heads_.push_back({head.value, workspace_.heads.port().view(sizes, strides, head.begin),
                                 workspace_.head_gradients.port().view(sizes, strides, head.begin)});
    }
}

void Frame::clearFirst(at::Tensor& x, std::int64_t step) const {
    if (!shape_.has_first) return;
    x.masked_fill_(step < 0 ? starts_ : starts_.narrow(0, step * shape_.sequences, shape_.sequences), 0);
}

void Frame::bindOps() {
    for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
        const PlanOp& op = plan_.ops[i];
        Binding binding{*this, op, {}, slot(op.output)};
        for (std::size_t k = 0; k < op.inputs.size(); ++k)
            binding.inputs.push_back({&slot(op.inputs[k]), analysis_.accumulate[i][k]});
        steps_.push_back({operationOf(op).bind(binding),
                          analysis_.values[static_cast<std::size_t>(op.output)].live, op.output});
    }
}

void Frame::forward() {
    if (shape_.has_first) {
        at::eq_out(continues_, first_, 0);
        at::ne_out(starts_, first_, 0);
    }
    for (const Step& step : steps_) step.op->forward();
    for (CopiedHead& head : copied_heads_) head.panel.copy_(slot(head.value).value);
}

void Frame::backward(bool input_gradients) {
    // Two heads may refer to the same value.
    for (std::size_t i = 0; i < copied_heads_.size(); ++i) {
        Slot& target = slot(copied_heads_[i].value);
        if (!target.wants(input_gradients)) continue;
        bool again = false;
        for (std::size_t k = 0; k < i; ++k) again |= copied_heads_[k].value == copied_heads_[i].value;
        if (again) target.gradient.add_(copied_heads_[i].gradient);
        else target.gradient.copy_(copied_heads_[i].gradient);
    }
    for (std::size_t i = steps_.size(); i-- > 0;)
        if (steps_[i].live && slot(steps_[i].output).wants(input_gradients))
            steps_[i].op->backward(input_gradients);
}

}  // namespace seedbed::torch_module
