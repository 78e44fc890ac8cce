// SPDX-License-Identifier: Apache-2.0
// Global-norm clipping, Adam, RMSProp and SGD as loops over the trainable ranges of the blob.
#include "core/nn/optimiser.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/base/simd.hpp"
#include "core/base/thread.hpp"

namespace seedbed {

namespace {

// Sum of squares in double, with sixteen partial sums that are added in a fixed tree, so the result is the
// same, bit for bit, on every instruction set.
SEEDBED_INLINE void squareLoop(const float* x, std::size_t count, double* result) {
    constexpr std::size_t kParts = 16;
    double part[kParts] = {};
    std::size_t i = 0;
    for (; i + kParts <= count; i += kParts)
        for (std::size_t j = 0; j < kParts; ++j)
            part[j] += static_cast<double>(x[i + j]) * static_cast<double>(x[i + j]);
    for (; i < count; ++i) part[i % kParts] += static_cast<double>(x[i]) * static_cast<double>(x[i]);
    for (std::size_t width = kParts / 2; width > 0; width /= 2)
        for (std::size_t j = 0; j < width; ++j) part[j] += part[j + width];
    *result = part[0];
}
SEEDBED_VERSIONED(squareBlock, squareLoop, (const float* x, std::size_t count, double* result),
                  (x, count, result))

constexpr std::size_t kBlockFloats = 4096;
constexpr std::size_t kSerial =
    16 * kBlockFloats;  // with fewer floats, waking a thread takes more time than it saves

// One range of parameters. `clip` scales the gradient; weight decay multiplies the parameters by `decay`.
struct Slice {
    std::size_t count = 0;
    float *weight = nullptr, *gradient = nullptr, *first = nullptr, *second = nullptr;
    float clip = 1, keep = 1, rate = 0;
};

// Kingma & Ba, "Adam", arXiv:1412.6980, algorithm 1; decoupled weight decay by Loshchilov & Hutter,
// arXiv:1711.05101, algorithm 2. `rate` is lr / (1 - beta1^t), `correction` is 1 / sqrt(1 - beta2^t).
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
        weight[i] =
            weight[i] * s.keep - s.rate * first[i] / (__builtin_sqrtf(second[i]) * a.correction + a.epsilon);
    }
}
SEEDBED_VERSIONED(adam, adamLoop, (const Slice& s, const AdamStep& a), (s, a))

// Tieleman & Hinton, lecture 6.5, 2012. Epsilon is outside the root as in PyTorch, whose momentum accumulates
// scaled gradients, or inside it as in TensorFlow, whose momentum accumulates steps including the learning
// rate. In both forms, the mean of squares starts at 0 (in TensorFlow 1 it started at 1).
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
            .field(&P::beta1, "beta1", "Adam: decay rate of the mean gradient (first moment).",
                   {.min = 0, .max = 0.999999})
            .field(&P::beta2, "beta2", "Adam: decay rate of the mean squared gradient (second moment).",
                   {.min = 0, .max = 0.9999999})
            .field(&P::epsilon, "epsilon",
                   "Added to the root of the mean squared gradient to avoid division by zero.",
                   {.min = 1e-30, .max = 1})
            .field(&P::alpha, "alpha", "RMSProp: decay rate of the mean squared gradient.",
                   {.min = 0, .max = 0.9999999})
            .field(&P::momentum, "momentum",
                   "RMSProp and SGD: momentum, the fraction of the last step that is kept.",
                   {.min = 0, .max = 0.999999})
            .field(&P::epsilon_inside_sqrt, "epsilon_inside_sqrt",
                   "RMSProp: add epsilon inside the root, as in TensorFlow, not outside as in PyTorch.")
            .field(&P::weight_decay, "weight_decay",
                   "Weight decay: each step scales parameters by 1 - learning rate x this value.",
                   {.min = 0, .max = 10})
            .field(&P::max_grad_norm, "max_grad_norm",
                   "Maximum norm of the gradient; larger gradients are scaled down to it; 0: no limit.",
                   {.min = 0, .max = 1e9, .level = Level::recipe});
    return description;
}

Optimiser::Optimiser(const NetPlan& plan, OptimiserParams params, std::vector<ParamGroup> groups)
    : params_(std::move(params)) {
    if (groups.empty()) groups.push_back({0, plan.param_floats, 1.0, params_.weight_decay});
    std::size_t end = 0;
    for (const ParamGroup& group : groups) {
        SEEDBED_CHECK(group.begin >= end && group.begin <= group.end && group.end <= plan.param_floats,
                      "groups must be ascending and must not overlap");
        end = group.end;
        for (const ParamEntry& entry : plan.params) {
            if (entry.role != ParamEntry::Role::weight) continue;
            const std::size_t from = std::max(entry.offset, group.begin),
                              to = std::min(entry.offset + entry.count, group.end);
            if (from < to) ranges_.push_back({from, to, group.lr_scale, group.weight_decay, entry.name});
        }
    }
    for (std::size_t range = 0; range < ranges_.size(); ++range)
        for (std::size_t begin = ranges_[range].begin; begin < ranges_[range].end; begin += kBlockFloats)
            blocks_.push_back({begin, std::min(kBlockFloats, ranges_[range].end - begin), range});
    squares_.resize(blocks_.size());
    first_.assign(plan.param_floats, 0.0f);
    second_.assign(params_.kind == "sgd" ? 0 : plan.param_floats, 0.0f);
}

// Shared by all blocks of a step.
struct Optimiser::Step {
    float *blob, *gradient;
    Factors factors;
};

double Optimiser::treeSum(std::size_t first, std::size_t count) const {
    if (count <= kBlockFloats) return squares_[first];
    const std::size_t half = (count / 2 + kBlockFloats - 1) / kBlockFloats * kBlockFloats;
    return treeSum(first, half) + treeSum(first + half / kBlockFloats, count - half);
}

void Optimiser::updateBlock(const Step& step, const Block& block) {
    const Range& range = ranges_[block.range];
    const double rate = step.factors.learning_rate * range.lr_scale;
    Slice slice{block.count,
                step.blob + block.begin,
                step.gradient + block.begin,
                &first_[block.begin],
                nullptr,
                step.factors.clip,
                static_cast<float>(1 - rate * range.weight_decay),
                static_cast<float>(rate)};
    if (params_.kind == "sgd") return sgd(slice, static_cast<float>(params_.momentum));
    slice.second = &second_[block.begin];
    if (params_.kind == "rmsprop")
        return rmsProp(slice, {static_cast<float>(params_.alpha), static_cast<float>(params_.epsilon),
                               static_cast<float>(params_.momentum), params_.epsilon_inside_sqrt});
    slice.rate = static_cast<float>(rate / step.factors.rate_correction);
    adam(slice, {static_cast<float>(params_.beta1), static_cast<float>(params_.beta2),
                 static_cast<float>(params_.epsilon), step.factors.square_correction});
}

namespace {

// Calls body(block) for all blocks, divided among the pool's threads if there are enough.
template <class Body>
void overBlocks(std::size_t count, WorkerPool* pool, const Body& body) {
    if (pool == nullptr) {
        for (std::size_t i = 0; i < count; ++i) body(i);
        return;
    }
    // A struct, because a single captured reference fits into the function object without allocation.
    const struct {
        const Body* body;
        std::size_t count, parts;
    } work{&body, count, std::min(count, 2 * static_cast<std::size_t>(pool->threads()))};
    const Result<> done = pool->run(work.parts, [&work](std::size_t part, int) -> Result<> {
        for (std::size_t i = work.count * part / work.parts; i < work.count * (part + 1) / work.parts; ++i)
            (*work.body)(i);
        return {};
    });
    SEEDBED_CHECK(done.has_value());
}

}  // namespace

Optimiser::StepInfo Optimiser::step(std::vector<float>& blob, std::vector<float>& gradient,
                                    double learning_rate, WorkerPool* pool) {
    SEEDBED_CHECK(blob.size() == first_.size() && gradient.size() == first_.size(),
                  "blob and gradient must have the plan's size");
    if (pool != nullptr && (pool->threads() == 1 || blob.size() < kSerial)) pool = nullptr;
    overBlocks(blocks_.size(), pool, [&](std::size_t i) {
        squareBlock(&gradient[blocks_[i].begin], blocks_[i].count, &squares_[i]);
    });
    // Norm over all ranges in order. Squares of floats cannot overflow a double, so the norm is finite if and
    // only if all gradients are.
    StepInfo info;
    double square = 0;
    std::size_t first = 0;
    for (const Range& range : ranges_) {
        const double part = treeSum(first, range.end - range.begin);
        first += (range.end - range.begin + kBlockFloats - 1) / kBlockFloats;
        if (!std::isfinite(part)) {
            info.finite = false;
            info.culprit = range.name;
            info.grad_norm = part;
            return info;
        }
        square += part;
    }
    info.grad_norm = std::sqrt(square);
    const Step shared{.blob = blob.data(),
                      .gradient = gradient.data(),
                      .factors = beginStep(learning_rate, info.grad_norm)};
    overBlocks(blocks_.size(), pool, [&](std::size_t i) { updateBlock(shared, blocks_[i]); });
    return info;
}

Optimiser::Factors Optimiser::beginStep(double learning_rate, double grad_norm) {
    // Pascanu et al., "On the difficulty of training recurrent neural networks", arXiv:1211.5063,
    // algorithm 1.
    const bool clips = params_.max_grad_norm > 0 && grad_norm > params_.max_grad_norm;
    ++steps_;
    const auto t = static_cast<double>(steps_);
    return {.learning_rate = learning_rate,
            .rate_correction = 1 - std::pow(params_.beta1, t),
            .square_correction = static_cast<float>(1 / std::sqrt(1 - std::pow(params_.beta2, t))),
            .clip = static_cast<float>(clips ? params_.max_grad_norm / grad_norm : 1.0)};
}

void Optimiser::archive(Archive& archive) {
    // The sizes are fixed, so the contents of the archive affect no allocation.
    archive.any(steps_);
    archive.reals("a mean of gradients", std::span(first_), kFinite<float>);
    // Squares may overflow to infinity; the parameter then no longer changes.
    archive.reals("a mean of squared gradients", std::span(second_),
                  range(0.0F, std::numeric_limits<float>::infinity()));
}

}  // namespace seedbed
