// SPDX-License-Identifier: Apache-2.0
#include "core/nn/popart.hpp"

#include <algorithm>
#include <cmath>

namespace seedbed {
namespace {

// Bounds of the standard deviation (Hessel et al., "Multi-task Deep Reinforcement Learning with PopArt", AAAI
// 2019, use the same bounds).
constexpr double kSmallest = 1e-4, kLargest = 1e6;

const PlanOp* producerOf(const NetPlan& plan, int value) {
    const auto found =
        std::ranges::find_if(plan.ops, [value](const PlanOp& op) { return op.output == value; });
    return found == plan.ops.end() ? nullptr : &*found;
}

// The rescale operation of the value head, or null.
const PlanOp* rescaleOf(const NetPlan& plan) {
    const PlanHead* head = plan.head("value");
    const PlanOp* op = head == nullptr ? nullptr : producerOf(plan, head->value);
    return op != nullptr && op->kind == "rescale" ? op : nullptr;
}

const ParamEntry& entryOf(const NetPlan& plan, const PlanOp& op, std::size_t index) {
    return plan.params[static_cast<std::size_t>(op.params[index])];
}

}  // namespace

bool hasPopArt(const NetPlan& plan) { return rescaleOf(plan) != nullptr; }

double popArtScale(const NetPlan& plan, const std::vector<float>& blob) {
    const PlanOp* op = rescaleOf(plan);
    return op == nullptr ? 1 : static_cast<double>(blob[entryOf(plan, *op, 1).offset]);
}

void updatePopArt(const NetPlan& plan, std::vector<float>& blob, const TargetMoments& targets, double rate) {
    const PlanOp* op = rescaleOf(plan);
    if (op == nullptr || targets.count <= 0) return;
    float &mean = blob[entryOf(plan, *op, 0).offset], &std = blob[entryOf(plan, *op, 1).offset],
          &count = blob[entryOf(plan, *op, 2).offset];
    const double old_mean = static_cast<double>(mean), old_std = static_cast<double>(std);
    const double batch_mean = targets.sum / targets.count,
                 batch_variance = std::max(0.0, targets.squares / targets.count - batch_mean * batch_mean);
    // Section 2.2: beta_t = beta / (1 - (1 - beta)^t). Above 2^24 the count is constant, and beta_t is beta.
    count += 1;
    const auto steps = static_cast<double>(count);
    const double step = rate > 0 ? std::min(1.0, rate / (1 - std::pow(1 - rate, steps))) : 1 / steps;
    // Eq. 6 for the first two moments. The second is computed relative to the new mean, to avoid
    // cancellation.
    const double new_mean = old_mean + step * (batch_mean - old_mean);
    const double variance = (1 - step) * (old_std * old_std + (old_mean - new_mean) * (old_mean - new_mean)) +
                            step * (batch_variance + (batch_mean - new_mean) * (batch_mean - new_mean));
    mean = static_cast<float>(new_mean);
    std = static_cast<float>(std::clamp(std::sqrt(variance), kSmallest, kLargest));

    // Eq. 5, with the statistics as they are stored.
    const PlanOp* layer = producerOf(plan, op->inputs[0]);
    SEEDBED_CHECK(layer != nullptr && layer->kind == "linear", "PopArt follows a linear layer");
    const double ratio = old_std / static_cast<double>(std);
    const ParamEntry &weight = entryOf(plan, *layer, 0), &bias = entryOf(plan, *layer, 1);
    for (std::size_t i = 0; i < weight.count; ++i) {
        float& w = blob[weight.offset + i];
        w = static_cast<float>(static_cast<double>(w) * ratio);
    }
    float& b = blob[bias.offset];
    b = static_cast<float>(static_cast<double>(b) * ratio +
                           (old_mean - static_cast<double>(mean)) / static_cast<double>(std));
}

}  // namespace seedbed
