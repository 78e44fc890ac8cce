// SPDX-License-Identifier: Apache-2.0
// Runs the operations of a plan in order, or in reverse order for the backward pass.
#include "core/nn/engines/reference/runner.hpp"

#include <algorithm>

#include "core/nn/engines/reference/operations/shared/gemm.hpp"

namespace seedbed::reference {

template <class F>
Runner<F>::Runner(const NetPlan& plan) : plan_(plan) {
    pass_.plan = &plan_;
    pass_.values.resize(plan.values.size());
    pass_.gradients.resize(plan.values.size());
    pass_.wants_gradient.resize(plan.values.size());
    pass_.transposed.resize(plan.params.size());
    pass_.saved.resize(plan.ops.size());
    pass_.picked.resize(plan.ops.size());
    for (const PlanOp& op : plan.ops) {
        kernels_.push_back(kernelRegistry<F>().find(op.kind));
        SEEDBED_CHECK(kernels_.back() != nullptr, op.kind);
    }
}

template <class F>
void Runner<F>::setParams(const F* blob) {
    blob_.assign(blob, blob + plan_.param_floats);
    pass_.blob = blob_.data();
    for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
        const PlanOp& op = plan_.ops[i];
        for (int w = 0; w < kernels_[i]->transposed; ++w) {
            const ParamEntry& entry = pass_.entry(op, w);
            auto& to = pass_.transposed[static_cast<std::size_t>(op.params[static_cast<std::size_t>(w)])];
            to.resize(entry.count);
            transpose(entry.shape[0], entry.shape[1], pass_.weight(op, w), to.data());
        }
    }
}

template <class F>
void Runner<F>::forward(const Rows& rows, const F* state_in, F* heads, F* state_out) {
    rows_ = rows;
    pass_.panel = &rows_;
    pass_.sequences = rows.sequences;
    pass_.steps = rows.steps;
    pass_.rows = rows.count();
    const auto count = static_cast<std::size_t>(pass_.rows);
    const std::size_t state =
        static_cast<std::size_t>(rows.sequences) * static_cast<std::size_t>(plan_.state_words);
    pass_.state_in = state_in;
    pass_.state_out = state_out != nullptr ? state_out : Pass<F>::grown(state_out_, state);
    if (count == 0) return;
    SEEDBED_CHECK(plan_.state_words == 0 || (rows.first != nullptr && state_in != nullptr),
                  "a recurrent network needs Rows::first and Rows::state");
    for (std::size_t v = 0; v < plan_.values.size(); ++v)
        Pass<F>::grown(pass_.values[v], count * plan_.values[v].size());
    for (std::size_t i = 0; i < plan_.ops.size(); ++i) kernels_[i]->forward(pass_, plan_.ops[i]);
    for (const PlanHead& head : plan_.heads) {
        const F* x = pass_.value(head.value);
        for (std::size_t row = 0; row < count; ++row, x += head.width)
            std::copy_n(x, head.width, heads + row * static_cast<std::size_t>(plan_.head_words) + head.begin);
    }
}

template <class F>
void Runner<F>::backward(const F* head_gradients, F* lane, const std::vector<F*>* input_gradient) {
    const auto count = static_cast<std::size_t>(pass_.rows);
    if (count == 0) return;
    pass_.lane = lane;
    pass_.markWanted(input_gradient);
    for (std::size_t v = 0; v < plan_.values.size(); ++v)
        if (pass_.wants_gradient[v])
            std::fill_n(Pass<F>::grown(pass_.gradients[v], count * plan_.values[v].size()),
                        count * plan_.values[v].size(), F(0));
    for (const PlanHead& head : plan_.heads) {
        F* dx = pass_.gradient(head.value);
        if (dx == nullptr) continue;
        for (std::size_t row = 0; row < count; ++row, dx += head.width) {
            const F* from = head_gradients + row * static_cast<std::size_t>(plan_.head_words) + head.begin;
            for (int i = 0; i < head.width; ++i) dx[i] += from[i];
        }
    }
    for (std::size_t i = plan_.ops.size(); i-- > 0;) {
        const PlanOp& op = plan_.ops[i];
        if (kernels_[i]->backward != nullptr && pass_.gradient(op.output) != nullptr)
            kernels_[i]->backward(pass_, op);
    }
    if (input_gradient == nullptr) return;
    for (const PlanOp& op : plan_.ops) {
        if (op.leaf < 0 || pass_.gradient(op.output) == nullptr) continue;
        std::copy_n(pass_.gradient(op.output), count * static_cast<std::size_t>(pass_.size(op.output)),
                    (*input_gradient)[static_cast<std::size_t>(op.leaf)]);
    }
}

template class Runner<float>;
template class Runner<double>;

}  // namespace seedbed::reference
