// SPDX-License-Identifier: Apache-2.0
// Log ratio, entropy and KL of a policy and their gradients: for a single discrete leaf in blocks of 16 rows,
// otherwise with the functions of ActionDistribution.
#include "core/algo/policy_terms.hpp"

#include <algorithm>

#include "core/base/thread.hpp"
#include "core/nn/fast_math.hpp"

namespace seedbed {
namespace {

constexpr int kLanes = PolicyEvaluator::kRowLanes;
// The logit of a forbidden choice. Its probability is set to 0, and 0 * (finite) is 0.
constexpr float kForbidden = -1e30f;

struct Scratch {
    std::vector<float> log_ratio, entropy, kl;
    // For one discrete leaf: [blocks, n, kLanes].
    std::vector<float> probability, log_probability, behaviour;
    // For other action spaces.
    std::vector<float> weight, entropy_weight;
};

Scratch& scratch() { return perThread<Scratch>(); }

template <class T>
void grow(std::vector<T>& values, std::size_t size) {
    if (values.size() < size) values.resize(size);
}

// The arguments of the vectorised path.
struct ChoiceRows {
    int rows, n, stride;       // stride: floats from one row of the head panel to the next
    const float* logits;       // [rows, stride]
    const float* behaviour;    // [rows, n]
    const std::uint8_t* mask;  // [rows, n] or null
    const std::uint8_t* valid;
    const float* action;
    float *log_ratio, *entropy, *kl;  // [padded rows]
    float *p, *log_p, *b;             // [blocks, n, kLanes]
    const float* weight;              // [padded rows], for the gradients
    float entropy_weight;
    float* gradient;  // [rows, stride]
};

// In: logits x [n, kLanes], kForbidden for forbidden choices. Out: log-probabilities in place, and
// probabilities.
SEEDBED_INLINE void logSoftmax(int n, float* x, float* p) {
    float top[kLanes], sum[kLanes];
    for (int i = 0; i < kLanes; ++i) {
        top[i] = x[i];
        sum[i] = 0;
    }
    for (int k = 1; k < n; ++k)
        for (int i = 0; i < kLanes; ++i) top[i] = x[k * kLanes + i] > top[i] ? x[k * kLanes + i] : top[i];
    for (int k = 0; k < n; ++k)
        for (int i = 0; i < kLanes; ++i) {
            const float logit = x[k * kLanes + i], e = expF(logit - top[i]);
            p[k * kLanes + i] = logit > 0.5f * kForbidden ? e : 0.0f;
            sum[i] += p[k * kLanes + i];
        }
    float log_sum[kLanes], scale[kLanes];
    for (int i = 0; i < kLanes; ++i) {
        log_sum[i] = logF(sum[i]);
        scale[i] = 1.0f / sum[i];
    }
    for (int k = 0; k < n; ++k)
        for (int i = 0; i < kLanes; ++i) {
            x[k * kLanes + i] = (x[k * kLanes + i] - top[i]) - log_sum[i];
            p[k * kLanes + i] *= scale[i];
        }
}

// Transposes rows to lanes; lanes beyond the last row repeat it.
SEEDBED_INLINE void loadBlock(const ChoiceRows& c, int row, float* now, float* then) {
    for (int i = 0; i < kLanes; ++i) {
        const auto r = static_cast<std::size_t>(row + i < c.rows ? row + i : c.rows - 1);
        const float* logits = c.logits + r * static_cast<std::size_t>(c.stride);
        const float* behaviour = c.behaviour + r * static_cast<std::size_t>(c.n);
        for (int k = 0; k < c.n; ++k) {
            now[k * kLanes + i] = logits[k];
            then[k * kLanes + i] = behaviour[k];
        }
        if (c.mask == nullptr) continue;
        const std::uint8_t* mask = c.mask + r * static_cast<std::size_t>(c.n);
        // A mask that allows no choice is treated as allowing all, as in ActionDistribution.
        std::uint8_t any = 0;
        for (int k = 0; k < c.n; ++k) any |= mask[k];
        for (int k = 0; any != 0 && k < c.n; ++k)
            if (mask[k] == 0) now[k * kLanes + i] = then[k * kLanes + i] = kForbidden;
    }
}

SEEDBED_INLINE void evaluateChoices(const ChoiceRows& c) {
    for (int row = 0; row < c.rows; row += kLanes) {
        const std::size_t at = static_cast<std::size_t>(row) * static_cast<std::size_t>(c.n);
        float *p = c.p + at, *log_p = c.log_p + at, *log_b = c.b,
              *b = c.b + static_cast<std::ptrdiff_t>(c.n) * kLanes;
        loadBlock(c, row, log_p, log_b);
        logSoftmax(c.n, log_p, p);
        logSoftmax(c.n, log_b, b);

        float action[kLanes], keep[kLanes], ratio[kLanes], entropy[kLanes], kl[kLanes];
        for (int i = 0; i < kLanes; ++i) {
            const int r = row + i < c.rows ? row + i : c.rows - 1;
            action[i] = c.action[r];
            keep[i] = row + i < c.rows && c.valid[r] != 0 ? 1.0f : 0.0f;
            ratio[i] = entropy[i] = kl[i] = 0;
        }
        for (int k = 0; k < c.n; ++k)
            for (int i = 0; i < kLanes; ++i) {
                const int j = k * kLanes + i;
                const float difference = log_p[j] - log_b[j];
                ratio[i] = action[i] == static_cast<float>(k) ? difference : ratio[i];
                entropy[i] -= p[j] * log_p[j];
                kl[i] -= b[j] * difference;
            }
        constexpr float kMax = PolicyEvaluator::kMaxLogRatio;
        for (int i = 0; i < kLanes; ++i) {
            const float low = ratio[i] < -kMax ? -kMax : ratio[i];
            const float bounded = low > kMax ? kMax : low;
            c.log_ratio[row + i] = keep[i] != 0 ? bounded : 0.0f;
            c.entropy[row + i] = keep[i] != 0 ? entropy[i] : 0.0f;
            c.kl[row + i] = keep[i] != 0 ? kl[i] : 0.0f;
        }
    }
}

// d log p_a / d z_k = [k = a] - p_k and d H / d z_k = -p_k (log p_k + H).
SEEDBED_INLINE void choiceGradients(const ChoiceRows& c) {
    for (int row = 0; row < c.rows; row += kLanes) {
        const std::size_t at = static_cast<std::size_t>(row) * static_cast<std::size_t>(c.n);
        const float *p = c.p + at, *log_p = c.log_p + at;
        float action[kLanes], weight[kLanes], entropy_weight[kLanes], entropy[kLanes];
        for (int i = 0; i < kLanes; ++i) {
            const int r = row + i < c.rows ? row + i : c.rows - 1;
            const bool keep = c.valid[r] != 0;
            action[i] = c.action[r];
            weight[i] = keep ? c.weight[row + i] : 0.0f;
            entropy_weight[i] = keep ? c.entropy_weight : 0.0f;
            entropy[i] = c.entropy[row + i];
        }
        for (int k = 0; k < c.n; ++k)
            for (int i = 0; i < kLanes; ++i) {
                const int j = k * kLanes + i;
                const float chosen = action[i] == static_cast<float>(k) ? 1.0f : 0.0f;
                c.b[j] = weight[i] * (chosen - p[j]) - entropy_weight[i] * (p[j] * (log_p[j] + entropy[i]));
            }
        const int count = c.rows - row < kLanes ? c.rows - row : kLanes;
        for (int i = 0; i < count; ++i)
            for (int k = 0; k < c.n; ++k)
                c.gradient[static_cast<std::size_t>(row + i) * static_cast<std::size_t>(c.stride) +
                           static_cast<std::size_t>(k)] += c.b[k * kLanes + i];
    }
}

SEEDBED_VERSIONED(evaluateAll, evaluateChoices, (const ChoiceRows& rows), (rows))
SEEDBED_VERSIONED(gradientsAll, choiceGradients, (const ChoiceRows& rows), (rows))

const PlanHead& policyHead(const NetIo& io) {
    const PlanHead* head = io.plan->head("policy");
    SEEDBED_CHECK(head != nullptr, "a policy loss needs a head named 'policy'");
    return *head;
}

ChoiceRows choiceRows(const Chunk& chunk, const NetIo& io, Scratch& s) {
    const PlanHead& head = policyHead(io);
    return ChoiceRows{.rows = chunk.rows(),
                      .n = head.width,
                      .stride = io.plan->head_words,
                      .logits = io.heads + head.begin,
                      .behaviour = chunk.policy,
                      .mask = chunk.mask,
                      .valid = chunk.valid,
                      .action = chunk.action,
                      .log_ratio = s.log_ratio.data(),
                      .entropy = s.entropy.data(),
                      .kl = s.kl.data(),
                      .p = s.probability.data(),
                      .log_p = s.log_probability.data(),
                      .b = s.behaviour.data(),
                      .weight = nullptr,
                      .entropy_weight = 0,
                      .gradient = nullptr};
}

}  // namespace

PolicyEvaluator::PolicyEvaluator(ActionDistribution distribution) : distribution_(std::move(distribution)) {
    const auto& leaves = distribution_.spaces().actions;
    single_choice_ = leaves.size() == 1 && leaves[0].kind == ActionLeaf::Kind::discrete;
}

PolicyTerms PolicyEvaluator::evaluate(const Chunk& chunk, const NetIo& io) const {
    Scratch& s = scratch();
    const auto padded = static_cast<std::size_t>((chunk.rows() + kLanes - 1) / kLanes * kLanes);
    for (auto* term : {&s.log_ratio, &s.entropy, &s.kl}) grow(*term, padded);
    if (!single_choice_) return evaluateRows(chunk, io);

    const auto n = static_cast<std::size_t>(policyHead(io).width);
    grow(s.probability, padded * n);
    grow(s.log_probability, padded * n);
    grow(s.behaviour, 2 * n * kLanes);
    evaluateAll(choiceRows(chunk, io, s));
    return {s.log_ratio.data(), s.entropy.data(), s.kl.data()};
}

void PolicyEvaluator::addGradients(const Chunk& chunk, const NetIo& io, const float* log_prob_weight,
                                   float entropy_weight) const {
    if (!single_choice_) return addRowGradients(chunk, io, log_prob_weight, entropy_weight);
    ChoiceRows rows = choiceRows(chunk, io, scratch());
    rows.weight = log_prob_weight;
    rows.entropy_weight = entropy_weight;
    rows.gradient = io.gradients + policyHead(io).begin;
    gradientsAll(rows);
}

void PolicyEvaluator::addKlGradients(const Chunk& chunk, const NetIo& io, float weight) const {
    Scratch& s = scratch();
    const int begin = policyHead(io).begin, rows = chunk.rows(), stride = io.plan->head_words;
    grow(s.weight, static_cast<std::size_t>(rows));
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row)
        s.weight[row] = chunk.valid[row] != 0 ? weight : 0.0f;
    distribution_.addKlGradient(rows, chunk.policy, io.heads + begin, chunk.mask, s.weight.data(),
                                io.gradients + begin, 0, stride);
}

// Rows with valid = 0 are computed from their cleared fields but excluded from the results.
PolicyTerms PolicyEvaluator::evaluateRows(const Chunk& chunk, const NetIo& io) const {
    Scratch& s = scratch();
    const float* now = io.heads + policyHead(io).begin;
    const int rows = chunk.rows(), stride = io.plan->head_words;
    distribution_.logProb(rows, now, chunk.mask, chunk.action, s.log_ratio.data(), stride);
    distribution_.entropy(rows, now, chunk.mask, chunk.action, s.entropy.data(), stride);
    distribution_.kl(rows, chunk.policy, now, chunk.mask, s.kl.data(), 0, stride);
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
        const bool keep = chunk.valid[row] != 0;
        s.log_ratio[row] =
            keep ? std::clamp(s.log_ratio[row] - chunk.log_prob[row], -kMaxLogRatio, kMaxLogRatio) : 0.0f;
        s.entropy[row] = keep ? s.entropy[row] : 0.0f;
        s.kl[row] = keep ? s.kl[row] : 0.0f;
    }
    return {s.log_ratio.data(), s.entropy.data(), s.kl.data()};
}

void PolicyEvaluator::addRowGradients(const Chunk& chunk, const NetIo& io, const float* log_prob_weight,
                                      float entropy_weight) const {
    Scratch& s = scratch();
    const int begin = policyHead(io).begin, rows = chunk.rows(), stride = io.plan->head_words;
    const auto count = static_cast<std::size_t>(rows);
    grow(s.weight, count);
    grow(s.entropy_weight, count);
    for (std::size_t row = 0; row < count; ++row) {
        s.weight[row] = chunk.valid[row] != 0 ? log_prob_weight[row] : 0.0f;
        s.entropy_weight[row] = chunk.valid[row] != 0 ? entropy_weight : 0.0f;
    }
    const float* now = io.heads + begin;
    float* gradient = io.gradients + begin;
    distribution_.addLogProbGradient(rows, now, chunk.mask, chunk.action, s.weight.data(), gradient, stride);
    if (entropy_weight != 0)
        distribution_.addEntropyGradient(rows, now, chunk.mask, chunk.action, s.entropy_weight.data(),
                                         gradient, stride);
}

}  // namespace seedbed
