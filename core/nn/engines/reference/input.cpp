// SPDX-License-Identifier: Apache-2.0
// Operations that bring the input panel into the network: observations, previous action and reward,
// normalisation.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/nn/engines/reference/pass.hpp"

namespace seedbed::reference {

template <class F>
void forwardInput(Pass<F>& pass, const PlanOp& op) {
    const ObsLeaf& leaf = pass.plan->spec.spaces.obs[static_cast<std::size_t>(op.leaf)];
    const std::uint8_t* bytes = pass.panel->obs[static_cast<std::size_t>(op.leaf)];
    const std::size_t count =
        static_cast<std::size_t>(pass.rows) * static_cast<std::size_t>(leaf.stack) * leaf.elements();
    F* y = pass.value(op.output);
    switch (leaf.kind) {
        case ObsLeaf::Kind::vector:
            for (std::size_t i = 0; i < count; ++i) {
                float word;
                std::memcpy(&word, bytes + i * sizeof word, sizeof word);
                y[i] = static_cast<F>(word);
            }
            break;
        case ObsLeaf::Kind::image: {
            const F high = static_cast<F>(leaf.high);
            for (std::size_t i = 0; i < count; ++i) y[i] = static_cast<F>(bytes[i]) / high;
            break;
        }
        case ObsLeaf::Kind::discrete: {
            const auto cardinality = static_cast<std::size_t>(leaf.cardinality);
            std::fill_n(y, count * cardinality, F(0));
            for (std::size_t i = 0; i < count; ++i) {
                std::int32_t word;
                std::memcpy(&word, bytes + i * sizeof word, sizeof word);
                // A value out of range is no choice at all.
                if (word >= 0 && word < leaf.cardinality)
                    y[i * cardinality + static_cast<std::size_t>(word)] = F(1);
            }
            break;
        }
    }
}

template <class F>
void forwardPreviousAction(Pass<F>& pass, const PlanOp& op) {
    const int width = pass.size(op.output), words = pass.plan->spec.spaces.actionWords();
    std::fill_n(pass.value(op.output), static_cast<std::size_t>(pass.rows) * static_cast<std::size_t>(width),
                F(0));
    for (int row = 0; row < pass.rows; ++row) {
        if (pass.panel->first[row]) continue;
        const float* action =
            pass.panel->previous_action + static_cast<std::size_t>(row) * static_cast<std::size_t>(words);
        F* y = pass.value(op.output) + static_cast<std::size_t>(row) * static_cast<std::size_t>(width);
        for (const ActionLeaf& leaf : pass.plan->spec.spaces.actions) {
            if (leaf.kind == ActionLeaf::Kind::discrete) {
                const float choice = *action++;
                if (choice >= 0 && choice < static_cast<float>(leaf.n)) y[static_cast<int>(choice)] = F(1);
                y += leaf.n;
            } else {
                for (int i = 0; i < leaf.words(); ++i) *y++ = static_cast<F>(*action++);
            }
        }
    }
}

template <class F>
void forwardPreviousReward(Pass<F>& pass, const PlanOp& op) {
    F* y = pass.value(op.output);
    for (int row = 0; row < pass.rows; ++row)
        y[row] = pass.panel->first[row] ? F(0) : static_cast<F>(pass.panel->previous_reward[row]);
}

template <class F>
void forwardNormalise(Pass<F>& pass, const PlanOp& op) {
    const int size = pass.size(op.output);
    const F *mean = pass.weight(op, 0), *var = pass.weight(op, 1), clip = static_cast<F>(op.clip);
    F* scale = Pass<F>::grown(pass.scratch, static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i) scale[i] = F(1) / std::sqrt(var[i] + static_cast<F>(1e-8));
    const F* x = pass.x(op);
    F* y = pass.value(op.output);
    for (int row = 0; row < pass.rows; ++row, x += size, y += size) {
        for (int i = 0; i < size; ++i) {
            F z = (x[i] - mean[i]) * scale[i];
            z = z < -clip ? -clip : z;
            y[i] = z > clip ? clip : z;
        }
    }
}

template <class F>
void backwardNormalise(Pass<F>& pass, const PlanOp& op) {
    F* dx = pass.xGradient(op);
    if (dx == nullptr) return;
    const int size = pass.size(op.output);
    const F *var = pass.weight(op, 1), *y = pass.value(op.output), *dy = pass.gradient(op.output),
            clip = static_cast<F>(op.clip);
    for (int row = 0; row < pass.rows; ++row, dx += size, y += size, dy += size)
        for (int i = 0; i < size; ++i)
            if (std::abs(y[i]) < clip) dx[i] += dy[i] / std::sqrt(var[i] + static_cast<F>(1e-8));
}

SEEDBED_REFERENCE_KERNEL(forwardInput);
SEEDBED_REFERENCE_KERNEL(forwardPreviousAction);
SEEDBED_REFERENCE_KERNEL(forwardPreviousReward);
SEEDBED_REFERENCE_KERNEL(forwardNormalise);
SEEDBED_REFERENCE_KERNEL(backwardNormalise);

}  // namespace seedbed::reference
