// SPDX-License-Identifier: Apache-2.0
// Global-norm clipping, Adam, RMSProp and SGD as loops over the ranges of the blob that learn.
#include "core/nn/optimiser.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/simd.hpp"

namespace seedbed {

namespace {

// Sum of squares in double with sixteen partial sums, then a fixed tree: the same bits on every instruction set.
SEEDBED_INLINE void squareLoop(const float* x, std::size_t count, double* result) {
    constexpr std::size_t kParts = 16;
    double part[kParts] = {};
    std::size_t i = 0;
    for (; i + kParts <= count; i += kParts)
        for (std::size_t j = 0; j < kParts; ++j) part[j] += static_cast<double>(x[i + j]) * static_cast<double>(x[i + j]);
    for (; i < count; ++i) part[i % kParts] += static_cast<double>(x[i]) * static_cast<double>(x[i]);
    for (std::size_t width = kParts / 2; width > 0; width /= 2)
        for (std::size_t j = 0; j < width; ++j) part[j] += part[j + width];
    *result = part[0];
}
SEEDBED_VERSIONED(squareBlock, squareLoop, (const float* x, std::size_t count, double* result), (x, count, result))

// Halves are summed separately down to blocks that fit the cache.
double squareSum(const float* x, std::size_t count) {
    constexpr std::size_t kBlock = 4096;
    if (count <= kBlock) {
        double sum = 0;
        squareBlock(x, count, &sum);
        return sum;
    }
    const std::size_t half = (count / 2 + kBlock - 1) / kBlock * kBlock;
    return squareSum(x, half) + squareSum(x + half, count - half);
}

// One range of parameters. `clip` scales the gradient, `decay` is what remains of a parameter after weight decay.
struct Slice {
    std::size_t count = 0;
    float *weight = nullptr, *gradient = nullptr, *first = nullptr, *second = nullptr;
    float clip = 1, keep = 1, rate = 0;
};

// Kingma & Ba, "Adam", arXiv:1412.6980, algorithm 1; decoupled weight decay by Loshchilov & Hutter, arXiv:1711.05101, algorithm 2.
// `rate` holds lr / (1 - beta1^t), `correction` 1 / sqrt(1 - beta2^t).
struct AdamStep {
    float beta1, beta2, epsilon, correction;
};
SEEDBED_INLINE void adamLoop(const Slice& s, const AdamStep& a) {
    float *weight = s.weight, *first = s.first, *second = s.second;
    const float* gradient = s.gradient;
#pragma GCC ivdep
    for (std::size_t i = 0; i < s.count; ++i) {
        const float g = gradient[i] * s.clip;
        first[i] = a.beta1 * first[i] + (1.0f - a.beta1) * g;
        second[i] = a.beta2 * second[i] + (1.0f - a.beta2) * (g * g);
        weight[i] = weight[i] * s.keep - s.rate * first[i] / (__builtin_sqrtf(second[i]) * a.correction + a.epsilon);
    }
}
SEEDBED_VERSIONED(adam, adamLoop, (const Slice& s, const AdamStep& a), (s, a))

// Tieleman & Hinton, lecture 6.5, 2012. Epsilon outside the root as in PyTorch, whose momentum sums scaled gradients; or inside as in
// TensorFlow, whose momentum sums steps, learning rate included. Squares start at 0 in both (TensorFlow 1 started them at 1).
struct RmsPropStep {
    float alpha, epsilon, momentum;
    bool inside;
};
SEEDBED_INLINE void rmsPropLoop(const Slice& s, const RmsPropStep& r) {
    float *weight = s.weight, *first = s.first, *second = s.second;
    const float* gradient = s.gradient;
    const float inside = r.inside ? r.epsilon : 0.0f, outside = r.inside ? 0.0f : r.epsilon;
    const float summed = r.inside ? s.rate : 1.0f, applied = r.inside ? 1.0f : s.rate;
#pragma GCC ivdep
    for (std::size_t i = 0; i < s.count; ++i) {
        const float g = gradient[i] * s.clip;
        second[i] = r.alpha * second[i] + (1.0f - r.alpha) * (g * g);
        first[i] = r.momentum * first[i] + summed * g / (__builtin_sqrtf(second[i] + inside) + outside);
        weight[i] = weight[i] * s.keep - applied * first[i];
    }
}
SEEDBED_VERSIONED(rmsProp, rmsPropLoop, (const Slice& s, const RmsPropStep& r), (s, r))

// Gradient descent with heavy-ball momentum (Polyak 1964) as in PyTorch: v <- momentum v + g, w <- w - lr v.
SEEDBED_INLINE void sgdLoop(const Slice& s, float momentum) {
    float *weight = s.weight, *first = s.first;
    const float* gradient = s.gradient;
#pragma GCC ivdep
    for (std::size_t i = 0; i < s.count; ++i) {
        first[i] = momentum * first[i] + gradient[i] * s.clip;
        weight[i] = weight[i] * s.keep - s.rate * first[i];
    }
}
SEEDBED_VERSIONED(sgd, sgdLoop, (const Slice& s, float momentum), (s, momentum))

}  // namespace

const Description<OptimiserParams>& OptimiserParams::describe() {
    using P = OptimiserParams;
    static const Description<P> description =
        Description<P>("optimiser", "How gradients change the parameters.")
            .field(&P::kind, "kind", "Update rule.", {.choices = {"adam", "rmsprop", "sgd"}})
            .field(&P::beta1, "beta1", "Adam: how much of the mean gradient is kept each step.", {.min = 0, .max = 0.999999})
            .field(&P::beta2, "beta2", "Adam: how much of the mean squared gradient is kept each step.", {.min = 0, .max = 0.9999999})
            .field(&P::epsilon, "epsilon", "Added to the root of the mean squared gradient, so that it never divides by zero.",
                   {.min = 1e-30, .max = 1})
            .field(&P::alpha, "alpha", "RMSProp: how much of the mean squared gradient is kept each step.", {.min = 0, .max = 0.9999999})
            .field(&P::momentum, "momentum", "RMSProp and SGD: how much of the last step is kept.", {.min = 0, .max = 0.999999})
            .field(&P::epsilon_inside_sqrt, "epsilon_inside_sqrt",
                   "RMSProp: add epsilon inside the root, as TensorFlow does, not outside as PyTorch.")
            .field(&P::weight_decay, "weight_decay", "Shrinks parameters by this fraction of the learning rate each step.",
                   {.min = 0, .max = 10})
            .field(&P::max_grad_norm, "max_grad_norm", "Gradients whose norm is larger are scaled down to it; 0 turns this off.",
                   {.min = 0, .max = 1e9, .level = Level::recipe});
    return description;
}

Optimiser::Optimiser(const NetPlan& plan, OptimiserParams params, std::vector<ParamGroup> groups) : params_(std::move(params)) {
    if (groups.empty()) groups.push_back({0, plan.param_floats, 1.0, params_.weight_decay});
    std::size_t end = 0;
    for (const ParamGroup& group : groups) {
        SEEDBED_CHECK(group.begin >= end && group.begin <= group.end && group.end <= plan.param_floats, "groups are ascending and apart");
        end = group.end;
        for (const ParamEntry& entry : plan.params) {
            if (entry.role != ParamEntry::Role::weight) continue;
            const std::size_t from = std::max(entry.offset, group.begin), to = std::min(entry.offset + entry.count, group.end);
            if (from < to) ranges_.push_back({from, to, group.lr_scale, group.weight_decay, entry.name});
        }
    }
    first_.assign(plan.param_floats, 0.0f);
    second_.assign(params_.kind == "sgd" ? 0 : plan.param_floats, 0.0f);
}

Optimiser::StepInfo Optimiser::step(std::vector<float>& blob, std::vector<float>& gradient, double learning_rate) {
    SEEDBED_CHECK(blob.size() == first_.size() && gradient.size() == first_.size(), "blob and gradient belong to the plan");
    // Norm over all ranges in order. Squares of floats cannot overflow a double, so it is finite exactly when all gradients are.
    StepInfo info;
    double square = 0;
    for (const Range& range : ranges_) {
        const double part = squareSum(&gradient[range.begin], range.end - range.begin);
        if (!std::isfinite(part)) {
            info.finite = false, info.culprit = range.name, info.grad_norm = part;
            return info;
        }
        square += part;
    }
    info.grad_norm = std::sqrt(square);
    // Pascanu et al., "On the difficulty of training recurrent neural networks", arXiv:1211.5063, algorithm 1.
    const bool clips = params_.max_grad_norm > 0 && info.grad_norm > params_.max_grad_norm;
    const auto clip = static_cast<float>(clips ? params_.max_grad_norm / info.grad_norm : 1.0);

    ++steps_;
    const auto t = static_cast<double>(steps_);
    for (const Range& range : ranges_) {
        const double rate = learning_rate * range.lr_scale;
        Slice slice{range.end - range.begin,
                    &blob[range.begin],
                    &gradient[range.begin],
                    &first_[range.begin],
                    nullptr,
                    clip,
                    static_cast<float>(1 - rate * range.weight_decay),
                    static_cast<float>(rate)};
        if (params_.kind == "sgd") {
            sgd(slice, static_cast<float>(params_.momentum));
            continue;
        }
        slice.second = &second_[range.begin];
        if (params_.kind == "rmsprop") {
            rmsProp(slice, {static_cast<float>(params_.alpha), static_cast<float>(params_.epsilon), static_cast<float>(params_.momentum),
                            params_.epsilon_inside_sqrt});
        } else {
            slice.rate = static_cast<float>(rate / (1 - std::pow(params_.beta1, t)));
            adam(slice, {static_cast<float>(params_.beta1), static_cast<float>(params_.beta2), static_cast<float>(params_.epsilon),
                         static_cast<float>(1 / std::sqrt(1 - std::pow(params_.beta2, t)))});
        }
    }
    return info;
}

void Optimiser::archive(Archive& archive) {
    // Memory of fixed size: nothing is allocated from what a document says.
    archive(steps_);
    archive.raw(first_.data(), first_.size() * sizeof(float));
    archive.raw(second_.data(), second_.size() * sizeof(float));
}

}  // namespace seedbed
