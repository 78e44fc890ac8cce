// SPDX-License-Identifier: Apache-2.0
// Lays out the values of a call and runs its operations.
#include "core/nn/engines/native/runner.hpp"

#include <algorithm>

namespace seedbed::native {

void Runner::setParams(const float* blob) {
    work_.pass.blob = blob;
    for (const PlanOp& op : plan_.ops) prepareOp(work_, op);
}

// Whether operations run image by image. With fewer rows than threads, each operation is divided instead.
bool Runner::byImage() const {
    return work_.pass.rows > 1 && (work_.pool == nullptr || work_.pass.rows >= work_.pool->threads());
}

void Runner::placeValues(float* heads, Keep keep) {
    const bool one_row = keep == Keep::nothing && byImage();
    for (std::size_t v = 0; v < plan_.values.size(); ++v) {
        const ValueFacts& facts = work_.facts[v];
        const std::size_t size = plan_.values[v].size();
        View& view = work_.values[v];
        if (one_row && facts.forward_inner) {
            // The run of operations is finished with one image before it begins the next.
            view = {work_.pass.grown(work_.pass.values[v], size), 0};
        } else if (!facts.borrowed) {
            view = {work_.pass.grown(work_.pass.values[v], toIndex(work_.pass.rows) * size),
                    static_cast<std::ptrdiff_t>(size)};
        } else if (facts.head >= 0) {
            view = {heads + plan_.heads[toIndex(facts.head)].begin, plan_.head_words};
        } else {
            // The const_cast is safe because the observations in the panel are only read.
            const std::uint8_t* bytes = rows_.obs[toIndex(plan_.ops[toIndex(facts.producer)].leaf)];
            view = {const_cast<float*>(reinterpret_cast<const float*>(bytes)),
                    static_cast<std::ptrdiff_t>(size)};
        }
    }
}

void Runner::forward(const Rows& rows, const float* state_in, float* heads, float* state_out, Keep keep) {
    auto& pass = work_.pass;
    rows_ = rows;
    pass.panel = &rows_;
    pass.sequences = rows.sequences;
    pass.steps = rows.steps;
    pass.rows = rows.count();
    pass.state_in = state_in;
    pass.state_out = state_out != nullptr
                         ? state_out
                         : pass.grown(state_out_, toIndex(rows.sequences) * toIndex(plan_.state_words));
    if (pass.rows == 0) return;
    SEEDBED_CHECK(plan_.state_words == 0 || (rows.first != nullptr && state_in != nullptr),
                  "a recurrent network needs Rows::first and Rows::state");
    work_.keeps_tape = keep == Keep::tape;
    placeValues(heads, keep);
    for (std::size_t i = 0; i < plan_.ops.size();) {
        const std::size_t end = byImage() ? work_.images_end[i] : i;
        // Runs these operations image by image, so that the input of each one is in the cache.
        for (int row = 0; end > i && row < pass.rows; ++row)
            for (std::size_t op = i; op < end; ++op)
                work_.steps[op].native->forward_image(work_, plan_.ops[op], row);
        if (end == i) forwardOp(work_, plan_.ops[i]);
        i = std::max(i + 1, end);
    }
    for (const PlanHead& head : plan_.heads) {
        if (work_.facts[toIndex(head.value)].head >= 0) continue;
        const float* x = pass.value(head.value);
        for (int row = 0; row < pass.rows; ++row, x += head.width)
            std::copy_n(x, head.width, heads + toIndex(row) * toIndex(plan_.head_words) + head.begin);
    }
}

void Runner::placeGradients(const float* head_gradients) {
    auto& pass = work_.pass;
    for (std::size_t v = 0; v < plan_.values.size(); ++v) {
        const ValueFacts& facts = work_.facts[v];
        work_.written[v] = 0;
        work_.derived[v] = 0;
        work_.pending[v] = facts.consumers;
        if (pass.wants_gradient[v] == 0) continue;
        const std::size_t size = plan_.values[v].size();
        if (facts.head >= 0) {
            // The const_cast is safe: these heads have no activation, so their gradients are only read.
            work_.gradients[v] = {const_cast<float*>(head_gradients) + plan_.heads[toIndex(facts.head)].begin,
                                  plan_.head_words};
            work_.written[v] = 1;
            work_.pending[v] = 0;
        } else if (facts.backward_inner) {
            work_.gradients[v] = {pass.grown(pass.gradients[v], size), 0};
        } else {
            work_.gradients[v] = {pass.grown(pass.gradients[v], toIndex(pass.rows) * size),
                                  static_cast<std::ptrdiff_t>(size)};
        }
    }
    for (const PlanHead& head : plan_.heads) {
        const std::size_t v = toIndex(head.value);
        if (pass.wants_gradient[v] == 0 || work_.facts[v].head >= 0) continue;
        float* to = work_.gradients[v].data;
        for (int row = 0; row < pass.rows; ++row, to += head.width) {
            const float* from = head_gradients + toIndex(row) * toIndex(plan_.head_words) + head.begin;
            for (int i = 0; i < head.width; ++i) to[i] = work_.written[v] != 0 ? to[i] + from[i] : from[i];
        }
        work_.written[v] = 1;
        --work_.pending[v];
    }
}

// A value that no head depends on has no gradient.
bool Runner::hasGradient(const PlanOp& op) const {
    return work_.pass.wants_gradient[toIndex(op.output)] != 0 && work_.written[toIndex(op.output)] != 0;
}

// Operations [begin, end), last first, image by image.
void Runner::backwardImages(std::size_t begin, std::size_t end) {
    active_.clear();
    for (std::size_t i = end; i-- > begin;) {
        if (!hasGradient(plan_.ops[i])) continue;
        beginBackwardImages(work_, plan_.ops[i]);
        active_.push_back(i);
    }
    for (int row = 0; row < work_.pass.rows; ++row)
        for (const std::size_t i : active_) work_.steps[i].native->backward_image(work_, plan_.ops[i], row);
    for (const std::size_t i : active_) endBackwardImages(work_, plan_.ops[i]);
}

void Runner::backward(const float* head_gradients, float* lane, const std::vector<float*>* input_gradient) {
    auto& pass = work_.pass;
    if (pass.rows == 0) return;
    pass.lane = lane;
    pass.markWanted(input_gradient);
    placeGradients(head_gradients);
    for (std::size_t i = plan_.ops.size(); i-- > 0;) {
        const std::size_t begin = work_.images_begin[i];
        if (begin < i) backwardImages(begin, i + 1);
        else if (hasGradient(plan_.ops[i])) backwardOp(work_, plan_.ops[i]);
        i = begin;
    }
    if (input_gradient == nullptr) return;
    for (const PlanOp& op : plan_.ops) {
        if (op.leaf < 0 || pass.wants_gradient[toIndex(op.output)] == 0) continue;
        float* to = (*input_gradient)[toIndex(op.leaf)];
        const std::size_t count = toIndex(pass.rows) * plan_.values[toIndex(op.output)].size();
        if (work_.written[toIndex(op.output)] != 0) std::copy_n(pass.gradient(op.output), count, to);
        else std::fill_n(to, count, 0.0f);
    }
}

}  // namespace seedbed::native
