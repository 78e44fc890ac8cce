// SPDX-License-Identifier: Apache-2.0
// Loops over rows of logits. Each small number of choices has a separately compiled loop, which processes
// several rows at a time.
#include "core/nn/distributions/categorical.hpp"

#include <limits>

#include "core/nn/fast_math.hpp"

namespace seedbed::categorical {

namespace {

// Log-softmax of one row: log p_i = (logit_i - top) - log_sum, p_i = e^(logit_i - top) / sum. kN choices, or
// `count` when kN is 0.
template <int kN, bool kMasked>
struct Softmax {
    const float* logits;
    const std::uint8_t* mask;
    int count;
    bool none;  // the mask allows no choice and is ignored
    float top, sum, log_sum;

    SEEDBED_INLINE Softmax(const float* row_logits, const std::uint8_t* row_mask, int n)
        : logits(row_logits), mask(row_mask), count(n) {
        none = kMasked;
        if constexpr (kMasked)
            for (int i = 0; i < size(); ++i) none = none && mask[i] == 0;
        top = -std::numeric_limits<float>::infinity();
        for (int i = 0; i < size(); ++i) {
            const float logit = allowed(i) ? logits[i] : top;
            top = logit > top ? logit : top;
        }
        sum = 0;
        for (int i = 0; i < size(); ++i) sum += weight(i);
        log_sum = logF(sum);
    }
    SEEDBED_INLINE int size() const { return kN > 0 ? kN : count; }
    SEEDBED_INLINE bool allowed(int i) const {
        if constexpr (kMasked) return mask[i] != 0 || none;
        return i >= 0;
    }
    // Unnormalised probability, exactly 0 for forbidden choices.
    SEEDBED_INLINE float weight(int i) const {
        const float e = expF(logits[i] - top);
        return allowed(i) ? e : 0.0f;
    }
    SEEDBED_INLINE float logProb(int i) const { return (logits[i] - top) - log_sum; }
    SEEDBED_INLINE float entropy() const {
        float dot = 0;
        for (int i = 0; i < size(); ++i) dot += allowed(i) ? weight(i) * (logits[i] - top) : 0.0f;
        return log_sum - dot / sum;
    }
};

// Calls body(row, Softmax of the row) for all rows, with the number of choices known at compile time if it is
// small.
template <int kN, bool kMasked, class Body>
SEEDBED_INLINE void rowsOf(const Logits& leaf, const Body& body) {
#pragma GCC ivdep
    for (int row = 0; row < leaf.rows; ++row)
        body(row, Softmax<kN, kMasked>(leaf.logits + row * leaf.stride,
                                       kMasked ? leaf.mask + row * leaf.mask_stride : nullptr, leaf.n));
}

template <class Body>
SEEDBED_INLINE void forRows(const Logits& leaf, const Body& body) {
    if (leaf.mask != nullptr) return rowsOf<0, true>(leaf, body);
    switch (leaf.n) {
        case 2: return rowsOf<2, false>(leaf, body);
        case 3: return rowsOf<3, false>(leaf, body);
        case 4: return rowsOf<4, false>(leaf, body);
        case 6: return rowsOf<6, false>(leaf, body);
        default: return rowsOf<0, false>(leaf, body);
    }
}

SEEDBED_INLINE void logProbLoop(const Logits& leaf, Column<const float> action, float* result) {
    forRows(leaf, [&](int row, const auto& p) [[gnu::always_inline]] {
        const float chosen = action.data[row * action.stride];
        float log_prob = 0;
        // Selected by comparison, not by index, so that several rows can be processed in parallel.
        for (int i = 0; i < p.size(); ++i)
            log_prob = static_cast<float>(i) == chosen ? p.logProb(i) : log_prob;
        result[row] += log_prob;
    });
}

SEEDBED_INLINE void entropyLoop(const Logits& leaf, float* result) {
    forRows(leaf, [&](int row, const auto& p) [[gnu::always_inline]] { result[row] += p.entropy(); });
}

SEEDBED_INLINE void logProbGradientLoop(const Logits& leaf, Column<const float> action, const float* weight,
                                        float* gradient) {
    forRows(leaf, [&](int row, const auto& p) [[gnu::always_inline]] {
        const float chosen = action.data[row * action.stride], inverse = 1.0f / p.sum;
        float* to = gradient + row * leaf.stride;
        // d log p_a / d logit_i = [i = a] - p_i.
        for (int i = 0; i < p.size(); ++i) {
            const float slope = (static_cast<float>(i) == chosen ? 1.0f : 0.0f) - p.weight(i) * inverse;
            to[i] += p.allowed(i) ? weight[row] * slope : 0.0f;
        }
    });
}

SEEDBED_INLINE void entropyGradientLoop(const Logits& leaf, const float* weight, float* gradient) {
    forRows(leaf, [&](int row, const auto& p) [[gnu::always_inline]] {
        const float entropy = p.entropy(), inverse = 1.0f / p.sum;
        float* to = gradient + row * leaf.stride;
        // dH / d logit_i = -p_i (log p_i + H).
        for (int i = 0; i < p.size(); ++i) {
            const float slope = -(p.weight(i) * inverse) * (p.logProb(i) + entropy);
            to[i] += p.allowed(i) ? weight[row] * slope : 0.0f;
        }
    });
}

// The softmax of q, with the mask and the template arguments of p.
template <int kN, bool kMasked>
SEEDBED_INLINE Softmax<kN, kMasked> sameKind(const Softmax<kN, kMasked>& p, const float* q) {
    return Softmax<kN, kMasked>(q, p.mask, p.count);
}

SEEDBED_INLINE void klLoop(const Logits& leaf, const float* q_logits, std::ptrdiff_t q_stride,
                           float* result) {
    forRows(leaf, [&](int row, const auto& p) [[gnu::always_inline]] {
        const auto q = sameKind(p, q_logits + row * q_stride);
        float sum = 0;
        for (int i = 0; i < p.size(); ++i)
            sum += p.allowed(i) ? p.weight(i) * (p.logProb(i) - q.logProb(i)) : 0.0f;
        result[row] += sum / p.sum;
    });
}

SEEDBED_INLINE void klGradientLoop(const Logits& leaf, const float* q_logits, std::ptrdiff_t q_stride,
                                   const float* weight, float* gradient) {
    forRows(leaf, [&](int row, const auto& p) [[gnu::always_inline]] {
        const auto q = sameKind(p, q_logits + row * q_stride);
        float* to = gradient + row * q_stride;
        // d KL(p || q) / d logit_i of q = q_i - p_i.
        for (int i = 0; i < p.size(); ++i)
            to[i] += p.allowed(i) ? weight[row] * (q.weight(i) / q.sum - p.weight(i) / p.sum) : 0.0f;
    });
}

SEEDBED_INLINE void sampleLoop(const Logits& leaf, const double* uniform, Column<float> action) {
    forRows(leaf, [&](int row, const auto& p) [[gnu::always_inline]] {
        double total = 0, reached = 0;
        for (int i = 0; i < p.size(); ++i) total += static_cast<double>(p.weight(i));
        const double target = uniform[row] * total;
        // The choice is the number of choices whose cumulative weight does not exceed the target. If, because
        // of rounding, none exceeds it, the last choice with a nonzero weight is used.
        int passed = 0, last = 0;
        for (int i = 0; i < p.size(); ++i) {
            const float weight = p.weight(i);
            reached += static_cast<double>(weight);
            passed += reached <= target ? 1 : 0;
            last = weight > 0.0f ? i : last;
        }
        action.data[row * action.stride] = static_cast<float>(passed < last ? passed : last);
    });
}

SEEDBED_INLINE void modeLoop(const Logits& leaf, Column<float> action) {
    forRows(leaf, [&](int row, const auto& p) [[gnu::always_inline]] {
        int best = 0;
        for (int i = p.size() - 1; i >= 0; --i) best = p.allowed(i) && p.logits[i] >= p.top ? i : best;
        action.data[row * action.stride] = static_cast<float>(best);
    });
}

}  // namespace

SEEDBED_VERSIONED(sample, sampleLoop, (const Logits& leaf, const double* uniform, Column<float> action),
                  (leaf, uniform, action))
SEEDBED_VERSIONED(mode, modeLoop, (const Logits& leaf, Column<float> action), (leaf, action))
SEEDBED_VERSIONED(addLogProb, logProbLoop, (const Logits& leaf, Column<const float> action, float* result),
                  (leaf, action, result))
SEEDBED_VERSIONED(addEntropy, entropyLoop, (const Logits& leaf, float* result), (leaf, result))
SEEDBED_VERSIONED(addKl, klLoop, (const Logits& p, const float* q, std::ptrdiff_t q_stride, float* result),
                  (p, q, q_stride, result))
SEEDBED_VERSIONED(addLogProbGradient, logProbGradientLoop,
                  (const Logits& leaf, Column<const float> action, const float* weight, float* gradient),
                  (leaf, action, weight, gradient))
SEEDBED_VERSIONED(addEntropyGradient, entropyGradientLoop,
                  (const Logits& leaf, const float* weight, float* gradient), (leaf, weight, gradient))
SEEDBED_VERSIONED(addKlGradient, klGradientLoop,
                  (const Logits& p, const float* q, std::ptrdiff_t q_stride, const float* weight,
                   float* gradient),
                  (p, q, q_stride, weight, gradient))

}  // namespace seedbed::categorical
