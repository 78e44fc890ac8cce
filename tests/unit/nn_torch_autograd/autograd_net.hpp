// SPDX-License-Identifier: Apache-2.0
// Networks in LibTorch's own operations, differentiated by its autograd.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "core/nn/engines/check/sample_panel.hpp"
#include "core/nn/net_plan.hpp"

namespace seedbed::testing_torch {

inline std::size_t sized(int index) { return static_cast<std::size_t>(index); }

// A plan run with differentiable operations, in double. The plan and the panel outlive this object.
class AutogradNet {
public:
    AutogradNet(const NetPlan& plan, std::span<const float> blob, const SamplePanel& panel)
        : plan_(plan), panel_(panel), values_(plan.values.size()) {
        rows_ = panel.sequences * panel.steps;
        for (const ParamEntry& entry : plan.params) {
            const std::vector<std::int64_t> shape(entry.shape.begin(), entry.shape.end());
            at::Tensor param =
                at::from_blob(const_cast<float*>(blob.data() + entry.offset), shape).to(at::kDouble).clone();
            params_.push_back(param.set_requires_grad(entry.role == ParamEntry::Role::weight));
        }
        going_ = 1 - floats(panel.first.data(), at::kByte, {rows_, 1});
    }

    // [B, head_words]. `action` [B, words]: replaces the action leaf, so that gradients flow into it.
    // Gradients of recurrent states do not flow into the rows before step `detached`.
    at::Tensor heads(const at::Tensor& action = {}, std::int64_t detached = 0) {
        action_ = action;
        detached_ = detached;
        for (const PlanOp& op : plan_.ops)
            values_[sized(op.output)] =
                activated(operations().at(op.kind)(*this, op), op.activation).reshape({rows_, -1});
        std::vector<at::Tensor> columns;
        for (const PlanHead& head : plan_.heads) columns.push_back(values_[sized(head.value)]);
        return at::cat(columns, 1);
    }

    // The gradients of the parameters after a backward pass.
    std::vector<float> gradient() const {
        std::vector<float> lane(plan_.param_floats, 0.0f);
        for (std::size_t i = 0; i < params_.size(); ++i) {
            if (!params_[i].grad().defined()) continue;
            const at::Tensor gradient = params_[i].grad().to(at::kFloat).contiguous();
            std::copy_n(gradient.data_ptr<float>(), plan_.params[i].count,
                        lane.begin() + static_cast<std::ptrdiff_t>(plan_.params[i].offset));
        }
        return lane;
    }
    std::vector<float> gradientLane(const at::Tensor& loss) {
        loss.backward();
        return gradient();
    }

private:
    static at::Tensor floats(const void* memory, at::ScalarType type, std::vector<std::int64_t> shape) {
        return at::from_blob(const_cast<void*>(memory), shape, type).to(at::kDouble);
    }
    static at::Tensor activated(const at::Tensor& x, Activation activation) {
        switch (activation) {
            case Activation::none: break;
            case Activation::tanh: return at::tanh(x);
            case Activation::relu: return at::relu(x);
            case Activation::elu: return at::elu(x);
        }
        return x;
    }

    const at::Tensor& x(const PlanOp& op, std::size_t i = 0) const { return values_[sized(op.inputs[i])]; }
    const at::Tensor& w(const PlanOp& op, std::size_t i) const { return params_[sized(op.params[i])]; }
    at::Tensor image(const PlanOp& op) const {
        const PlanValue& shape = plan_.values[sized(op.inputs[0])];
        return x(op).reshape({rows_, shape.channels, shape.height, shape.width});
    }

    at::Tensor input(const PlanOp& op) const {
        const ObsLeaf& leaf = plan_.spec.spaces.obs[sized(op.leaf)];
        if (action_.defined() && op.leaf + 1 == static_cast<int>(plan_.spec.spaces.obs.size()))
            return action_;
        const void* memory = panel_.obs[sized(op.leaf)].data();
        const auto count = leaf.stack * static_cast<std::int64_t>(leaf.elements());
        if (leaf.kind == ObsLeaf::Kind::image) return floats(memory, at::kByte, {rows_, count}) / leaf.high;
        if (leaf.kind == ObsLeaf::Kind::vector) return floats(memory, at::kFloat, {rows_, count});
        return at::one_hot(floats(memory, at::kInt, {rows_, count}).to(at::kLong), leaf.cardinality)
            .to(at::kDouble)
            .reshape({rows_, -1});
    }

    at::Tensor previousAction() const {
        std::vector<at::Tensor> parts;
        const at::Tensor words =
            floats(panel_.previous_action.data(), at::kFloat, {rows_, plan_.spec.spaces.actionWords()});
        std::int64_t word = 0;
        for (const ActionLeaf& leaf : plan_.spec.spaces.actions) {
            const at::Tensor own = words.narrow(1, word, leaf.words());
            parts.push_back(leaf.kind == ActionLeaf::Kind::box
                                ? own
                                : at::one_hot(own.squeeze(1).to(at::kLong), leaf.n).to(at::kDouble));
            word += leaf.words();
        }
        return at::cat(parts, 1) * going_;
    }

    at::Tensor recurrent(const PlanOp& op) const {
        const std::int64_t sequences = panel_.sequences, size = plan_.values[sized(op.output)].channels;
        const at::Tensor state = floats(panel_.state.data(), at::kFloat, {sequences, plan_.state_words});
        at::Tensor h = state.narrow(1, op.state_offset, size), c;
        if (op.kind == "lstm") c = state.narrow(1, op.state_offset + size, size);
        std::vector<at::Tensor> steps;
        for (std::int64_t t = 0; t < panel_.steps; ++t) {
            const at::Tensor going = going_.narrow(0, t * sequences, sequences),
                             now = x(op).narrow(0, t * sequences, sequences);
            if (t == detached_) h = h.detach();
            if (t == detached_ && c.defined()) c = c.detach();
            h = h * going;
            if (op.kind == "lstm")
                std::tie(h, c) = at::lstm_cell(now, {h, c * going}, w(op, 0), w(op, 1), w(op, 2), w(op, 3));
            else h = at::gru_cell(now, h, w(op, 0), w(op, 1), w(op, 2), w(op, 3));
            steps.push_back(h);
        }
        return at::cat(steps, 0);
    }

    at::Tensor concat(const PlanOp& op) const {
        std::vector<at::Tensor> parts;
        for (std::size_t i = 0; i < op.inputs.size(); ++i) parts.push_back(x(op, i));
        return at::cat(parts, 1);
    }

    using Evaluate = at::Tensor (*)(const AutogradNet& net, const PlanOp& op);
    static const std::map<std::string, Evaluate>& operations() {
        using Net = const AutogradNet&;
        using Op = const PlanOp&;
        static const std::map<std::string, Evaluate> table{
            {"input", [](Net n, Op op) { return n.input(op); }},
            {"normalise",
             [](Net n, Op op) {
                 return ((n.x(op) - n.w(op, 0)) * at::rsqrt(n.w(op, 1) + 1e-8)).clamp(-op.clip, op.clip);
             }},
            {"previous_action", [](Net n, Op) { return n.previousAction(); }},
            {"previous_reward",
             [](Net n, Op) {
                 return floats(n.panel_.previous_reward.data(), at::kFloat, {n.rows_, 1}) * n.going_;
             }},
            {"linear", [](Net n, Op op) { return at::addmm(n.w(op, 1), n.x(op), n.w(op, 0).t()); }},
            {"conv2d",
             [](Net n, Op op) { return at::conv2d(n.image(op), n.w(op, 0), n.w(op, 1), op.stride, op.pad); }},
            {"layer_norm",
             [](Net n, Op op) {
                 return at::layer_norm(n.x(op), n.w(op, 0).sizes(), n.w(op, 0), n.w(op, 1), 1e-5);
             }},
            {"activation", [](Net n, Op op) { return n.x(op); }},
            {"max_pool",
             [](Net n, Op op) { return at::max_pool2d(n.image(op), op.kernel, op.stride, op.pad); }},
            {"add", [](Net n, Op op) { return n.x(op) + n.x(op, 1); }},
            {"concat", [](Net n, Op op) { return n.concat(op); }},
            {"lstm", [](Net n, Op op) { return n.recurrent(op); }},
            {"gru", [](Net n, Op op) { return n.recurrent(op); }},
            {"parameter_rows",
             [](Net n, Op op) {
                 return n.w(op, 0).expand({n.rows_, -1});
             }},
            {"dueling",
             [](Net n, Op op) {
                 const at::Tensor a = n.x(op, 1).reshape({n.rows_, -1, n.x(op).size(1)});
                 return (n.x(op).unsqueeze(1) + a - a.mean(1, true)).flatten(1);
             }},
            {"group_mean",
             [](Net n, Op op) {
                 return n.x(op)
                     .reshape({n.rows_, n.plan_.values[static_cast<std::size_t>(op.output)].channels, -1})
                     .mean(2);
             }},
            {"rescale", [](Net n, Op op) { return n.x(op) * n.w(op, 1) + n.w(op, 0); }},
        };
        return table;
    }

    const NetPlan& plan_;
    const SamplePanel& panel_;
    std::int64_t rows_ = 0;
    std::vector<at::Tensor> params_, values_;
    at::Tensor going_, action_;
    std::int64_t detached_ = 0;
};

}  // namespace seedbed::testing_torch
