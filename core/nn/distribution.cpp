// SPDX-License-Identifier: Apache-2.0
// The product of leaf distributions: finds the columns of each leaf and adds up the results of the leaves.
//
// Columns of the policy head, leaf by leaf:
// - discrete leaf: n logits of a categorical distribution. Choices with mask 0 have probability 0 in
//   sampling, log-probability, entropy and KL; a mask that forbids all choices of a leaf is treated as one
//   that allows all of them.
// - box leaf: dim means, then dim log standard deviations of a diagonal Gaussian.
//   Not squashed: the action word is the Gaussian draw u, or centre + half * u for a scaled leaf (rangeOf);
//   environments receive it clipped to the bounds (envAction).
//   Squashed: action = centre + half_range * tanh(u), where u is Gaussian; the action word is the action. The
//   log-probability includes the change of variables, log(1 - tanh(u)^2) = 2 (log 2 - u - softplus(-2 u)).
//   The entropy is the entropy of u plus the log Jacobian at the given action (a single-sample estimate); its
//   derivative includes only the entropy of u.
// sample() computes log-probabilities with logProb(), so probability ratios are exactly 1 until the
// parameters change.
#include "core/nn/distribution.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/base/error.hpp"
#include "core/nn/distributions/categorical.hpp"
#include "core/nn/distributions/gaussian.hpp"

namespace seedbed {

namespace {

constexpr int kRandomRows = 64;  // rows whose random numbers are drawn together and kept on the stack

// The four random words of one row in block `block` of its stream.
std::array<std::uint32_t, 4> wordsOf(const SampleKey& key, std::uint32_t row, std::uint64_t block) {
    return philox4x32({static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32),
                       key.lane + row, static_cast<std::uint32_t>(key.purpose)},
                      {static_cast<std::uint32_t>(key.seed), static_cast<std::uint32_t>(key.seed >> 32)});
}

// The logits and masks of a discrete leaf; its rows are `stride` apart.
template <class Leaf>
categorical::Logits logitsOf(const Leaf& leaf, int rows, const float* params, std::ptrdiff_t stride,
                             const std::uint8_t* mask, std::ptrdiff_t mask_stride) {
    return {rows,       leaf.size, params + leaf.param, stride, mask == nullptr ? nullptr : mask + leaf.mask,
            mask_stride};
}

// The parameters of a box leaf in one row.
template <class Leaf>
gaussian::Box boxOf(const Leaf& leaf, const float* params, bool squash) {
    const bool scaled = !leaf.centre.empty();
    return {leaf.size, params + leaf.param, scaled ? leaf.centre.data() : nullptr,
            scaled ? leaf.half_range.data() : nullptr, squash};
}

}  // namespace

ActionDistribution::ActionDistribution(Spaces spaces, bool squash)
    : spaces_(std::move(spaces)), squash_(squash) {
    int random = 0;
    for (const ActionLeaf& spec : spaces_.actions) {
        Leaf leaf;
        leaf.discrete = spec.kind == ActionLeaf::Kind::discrete;
        leaf.size = leaf.discrete ? spec.n : spec.words();
        leaf.param = words_;
        leaf.action = action_words_;
        leaf.mask = mask_bytes_;
        if (leaf.discrete) {
            leaf.random = random++;
            mask_bytes_ += spaces_.has_mask ? spec.n : 0;
        } else {
            // Both words of a pair are in the same block of four.
            leaf.random = random + random % 2;
            random = leaf.random + 2 * ((leaf.size + 1) / 2);
            for (int i = 0; i < leaf.size; ++i) {
                const double low = spec.low[static_cast<std::size_t>(i)],
                             high = spec.high[static_cast<std::size_t>(i)];
                leaf.low.push_back(static_cast<float>(low));
                leaf.high.push_back(static_cast<float>(high));
                if (!squash && !spec.scaled) continue;
                SEEDBED_CHECK(!squash || (std::isfinite(low) && std::isfinite(high)),
                              "squashing needs finite bounds: " + spec.name);
                const ActionRange range = rangeOf(spec, static_cast<std::size_t>(i));
                leaf.centre.push_back(static_cast<float>(range.centre));
                leaf.half_range.push_back(static_cast<float>(range.half));
            }
        }
        words_ += leaf.discrete ? leaf.size : 2 * leaf.size;
        action_words_ += spec.words();
        leaves_.push_back(std::move(leaf));
    }
    random_blocks_ = (random + 3) / 4;
}

void ActionDistribution::sample(int rows, const float* params, const std::uint8_t* mask, Selection selection,
                                SampleKey key, float* action, float* log_prob, int stride) const {
    const std::ptrdiff_t step = stride == 0 ? words_ : stride;
    const int all_rows = rows;
    for (const Leaf& leaf : leaves_) {
        const std::uint64_t block = key.step * static_cast<std::uint64_t>(random_blocks_) +
                                    static_cast<std::uint64_t>(leaf.random / 4);
        for (int begin = 0; begin < all_rows; begin += kRandomRows) {
            rows = std::min(kRandomRows, all_rows - begin);
            const float* at = params + begin * step;
            float* to = action + std::ptrdiff_t{begin} * action_words_ + leaf.action;
            if (!leaf.discrete) {
                for (int row = 0; row < rows; ++row)
                    drawBox(leaf, at + row * step, selection, key, begin + row,
                            to + std::ptrdiff_t{row} * action_words_);
                continue;
            }
            categorical::Logits logits = logitsOf(leaf, rows, at, step, mask, mask_bytes_);
            if (logits.mask != nullptr) logits.mask += std::ptrdiff_t{begin} * mask_bytes_;
            if (selection == Selection::greedy) {
                categorical::mode(logits, {to, action_words_});
                continue;
            }
            double uniform[kRandomRows];
            for (int row = 0; row < rows; ++row)
                uniform[row] = wordsOf(key, static_cast<std::uint32_t>(begin + row),
                                       block)[static_cast<std::size_t>(leaf.random % 4)] *
                               0x1p-32;
            categorical::sample(logits, uniform, {to, action_words_});
        }
    }
    logProb(all_rows, params, mask, action, log_prob, stride);
}

double ActingRule::epsilonOf(std::uint32_t column) const {
    if (ladder == 0 || columns < 2) return epsilon;
    return std::pow(epsilon, 1 + ladder * static_cast<double>(column) / (columns - 1));
}

void ActionDistribution::sampleEpsilonGreedy(int rows, const float* params, const std::uint8_t* mask,
                                             const float* epsilon, SampleKey key, float* action,
                                             float* log_prob) const {
    std::fill_n(log_prob, rows, 0.0f);
    for (const Leaf& leaf : leaves_) {
        SEEDBED_CHECK(leaf.discrete, "epsilon-greedy actions need discrete choices");
        categorical::mode(logitsOf(leaf, rows, params, words_, mask, mask_bytes_),
                          {action + leaf.action, action_words_});
        // Two words per leaf: whether to explore, and the choice.
        const int word = 2 * leaf.random;
        const std::uint64_t blocks = (2 * leaves_.size() + 3) / 4;
        for (int row = 0; row < rows; ++row) {
            const auto words = wordsOf(key, static_cast<std::uint32_t>(row),
                                       key.step * blocks + static_cast<std::uint64_t>(word / 4));
            const std::uint8_t* own =
                mask == nullptr ? nullptr : mask + std::ptrdiff_t{row} * mask_bytes_ + leaf.mask;
            const int allowed = own == nullptr
                                    ? leaf.size
                                    : static_cast<int>(leaf.size - std::count(own, own + leaf.size, 0));
            // A mask that forbids all choices is ignored, as in sample().
            const bool any = own == nullptr || allowed == 0;
            const int choices = any ? leaf.size : allowed;
            float& chosen = action[std::ptrdiff_t{row} * action_words_ + leaf.action];
            const float greedy = chosen;
            if (words[static_cast<std::size_t>(word % 4)] * 0x1p-32 < static_cast<double>(epsilon[row])) {
                auto nth =
                    static_cast<int>(words[static_cast<std::size_t>(word % 4) + 1] * 0x1p-32 * choices);
                int choice = 0;
                for (;; ++choice)
                    if ((any || own[choice] != 0) && nth-- == 0) break;
                chosen = static_cast<float>(choice);
            }
            const double explored = static_cast<double>(epsilon[row]) / choices;
            log_prob[row] += static_cast<float>(
                std::log(chosen == greedy ? 1 - static_cast<double>(epsilon[row]) + explored : explored));
        }
    }
}

void ActionDistribution::drawBox(const Leaf& leaf, const float* params, Selection selection,
                                 const SampleKey& key, int row, float* action) const {
    const bool sampled = selection == Selection::sample;
    for (int i = 0; i < leaf.size; i += 2) {
        double normals[2] = {};
        const int word = leaf.random + i;
        if (sampled) {
            const auto words = wordsOf(
                key, static_cast<std::uint32_t>(row),
                key.step * static_cast<std::uint64_t>(random_blocks_) + static_cast<std::uint64_t>(word / 4));
            gaussian::boxMuller(words[static_cast<std::size_t>(word % 4)],
                                words[static_cast<std::size_t>(word % 4) + 1], normals[0], normals[1]);
        }
        // Drawing both values of a pair together would require their parameters to be adjacent in memory, so
        // they are drawn one at a time.
        for (int j = i; j < std::min(i + 2, leaf.size); ++j) {
            const float pair[2] = {params[leaf.param + j], params[leaf.param + leaf.size + j]};
            const bool scaled = !leaf.centre.empty();
            gaussian::draw({1, pair, scaled ? &leaf.centre[static_cast<std::size_t>(j)] : nullptr,
                            scaled ? &leaf.half_range[static_cast<std::size_t>(j)] : nullptr, squash_},
                           sampled ? &normals[j - i] : nullptr, action + j);
        }
    }
}

template <class Body>
void ActionDistribution::forPairs(int rows, const SampleKey& key, const Body& body) const {
    for (const Leaf& leaf : leaves_) {
        SEEDBED_CHECK(!leaf.discrete, "continuous draws need box actions");
        for (int i = 0; i < leaf.size; i += 2) {
            const int word = leaf.random + i;
            const std::uint64_t block =
                key.step * static_cast<std::uint64_t>(random_blocks_) + static_cast<std::uint64_t>(word / 4);
            const auto at = static_cast<std::size_t>(word % 4);
            for (int row = 0; row < rows; ++row) {
                const auto words = wordsOf(key, static_cast<std::uint32_t>(row), block);
                body(leaf, row, i, words[at], words[at + 1]);
            }
        }
    }
}

void ActionDistribution::noise(int rows, SampleKey key, float* noise) const {
    forPairs(rows, key, [&](const Leaf& leaf, int row, int i, std::uint32_t first, std::uint32_t second) {
        double normals[2];
        gaussian::boxMuller(first, second, normals[0], normals[1]);
        for (int j = 0; j < std::min(2, leaf.size - i); ++j)
            noise[std::ptrdiff_t{row} * action_words_ + leaf.action + i + j] = static_cast<float>(normals[j]);
    });
}

void ActionDistribution::sampleNoisy(int rows, const float* params, double noise, SampleKey key,
                                     float* action, float* log_prob) const {
    sample(rows, params, nullptr, Selection::greedy, key, action, log_prob);
    std::fill_n(log_prob, rows, 0.0f);
    forPairs(rows, key, [&](const Leaf& leaf, int row, int i, std::uint32_t first, std::uint32_t second) {
        double normals[2];
        gaussian::boxMuller(first, second, normals[0], normals[1]);
        for (int j = i; j < std::min(i + 2, leaf.size); ++j) {
            const double low = leaf.low[static_cast<std::size_t>(j)],
                         high = leaf.high[static_cast<std::size_t>(j)], deviation = noise * (high - low) / 2,
                         normal = normals[j - i];
            float& word = action[std::ptrdiff_t{row} * action_words_ + leaf.action + j];
            word = static_cast<float>(std::clamp(static_cast<double>(word) + deviation * normal, low, high));
            if (low < high)
                log_prob[row] += static_cast<float>(gaussian::logDensity(normal) - std::log(deviation));
        }
    });
}

void ActionDistribution::sampleUniform(int rows, SampleKey key, float* action, float* log_prob) const {
    std::fill_n(log_prob, rows, 0.0f);
    forPairs(rows, key, [&](const Leaf& leaf, int row, int i, std::uint32_t first, std::uint32_t second) {
        const std::uint32_t words[2] = {first, second};
        for (int j = i; j < std::min(i + 2, leaf.size); ++j) {
            const double low = leaf.low[static_cast<std::size_t>(j)],
                         high = leaf.high[static_cast<std::size_t>(j)];
            action[std::ptrdiff_t{row} * action_words_ + leaf.action + j] =
                static_cast<float>(low + words[j - i] * 0x1p-32 * (high - low));
            if (low < high) log_prob[row] -= static_cast<float>(std::log(high - low));
        }
    });
}

void ActionDistribution::fromNoise(int rows, const float* params, const float* noise, float* action,
                                   float* log_prob, int stride) const {
    const std::ptrdiff_t step = stride == 0 ? words_ : stride;
    if (log_prob != nullptr) std::fill_n(log_prob, rows, 0.0f);
    for (const Leaf& leaf : leaves_) {
        SEEDBED_CHECK(!leaf.discrete, "continuous draws need box actions");
        for (int row = 0; row < rows; ++row) {
            const std::ptrdiff_t at = std::ptrdiff_t{row} * action_words_ + leaf.action;
            const float density =
                gaussian::fromNoise(boxOf(leaf, params + row * step, squash_), noise + at, action + at);
            if (log_prob != nullptr) log_prob[row] += density;
        }
    }
}

void ActionDistribution::addPathGradient(int rows, const float* params, const float* noise,
                                         const float* d_action, const float* d_log_prob, float* grad,
                                         int stride) const {
    const std::ptrdiff_t step = stride == 0 ? words_ : stride;
    for (const Leaf& leaf : leaves_) {
        SEEDBED_CHECK(!leaf.discrete, "continuous draws need box actions");
        for (int row = 0; row < rows; ++row) {
            const std::ptrdiff_t at = std::ptrdiff_t{row} * action_words_ + leaf.action;
            gaussian::addPathGradient(boxOf(leaf, params + row * step, squash_), noise + at, d_action + at,
                                      d_log_prob[row], grad + row * step + leaf.param);
        }
    }
}

void ActionDistribution::logProb(int rows, const float* params, const std::uint8_t* mask, const float* action,
                                 float* log_prob, int stride) const {
    const std::ptrdiff_t step = stride == 0 ? words_ : stride;
    std::fill_n(log_prob, rows, 0.0f);
    for (const Leaf& leaf : leaves_) {
        if (leaf.discrete)
            categorical::addLogProb(logitsOf(leaf, rows, params, step, mask, mask_bytes_),
                                    {action + leaf.action, action_words_}, log_prob);
        else
            for (int row = 0; row < rows; ++row)
                log_prob[row] +=
                    gaussian::logProb(boxOf(leaf, params + row * step, squash_),
                                      action + std::ptrdiff_t{row} * action_words_ + leaf.action);
    }
}

void ActionDistribution::entropy(int rows, const float* params, const std::uint8_t* mask, const float* action,
                                 float* entropy, int stride) const {
    const std::ptrdiff_t step = stride == 0 ? words_ : stride;
    std::fill_n(entropy, rows, 0.0f);
    for (const Leaf& leaf : leaves_) {
        if (leaf.discrete)
            categorical::addEntropy(logitsOf(leaf, rows, params, step, mask, mask_bytes_), entropy);
        else
            for (int row = 0; row < rows; ++row)
                entropy[row] += gaussian::entropy(boxOf(leaf, params + row * step, squash_),
                                                  action + std::ptrdiff_t{row} * action_words_ + leaf.action);
    }
}

void ActionDistribution::kl(int rows, const float* p, const float* q, const std::uint8_t* mask, float* kl,
                            int p_stride, int q_stride) const {
    const std::ptrdiff_t p_step = p_stride == 0 ? words_ : p_stride,
                         q_step = q_stride == 0 ? words_ : q_stride;
    std::fill_n(kl, rows, 0.0f);
    for (const Leaf& leaf : leaves_) {
        if (leaf.discrete)
            categorical::addKl(logitsOf(leaf, rows, p, p_step, mask, mask_bytes_), q + leaf.param, q_step,
                               kl);
        else
            for (int row = 0; row < rows; ++row)
                kl[row] += gaussian::kl(boxOf(leaf, p + row * p_step, squash_),
                                        boxOf(leaf, q + row * q_step, squash_));
    }
}

void ActionDistribution::addLogProbGradient(int rows, const float* params, const std::uint8_t* mask,
                                            const float* action, const float* weight, float* grad,
                                            int stride) const {
    const std::ptrdiff_t step = stride == 0 ? words_ : stride;
    for (const Leaf& leaf : leaves_) {
        if (leaf.discrete)
            categorical::addLogProbGradient(logitsOf(leaf, rows, params, step, mask, mask_bytes_),
                                            {action + leaf.action, action_words_}, weight, grad + leaf.param);
        else
            for (int row = 0; row < rows; ++row)
                gaussian::addLogProbGradient(boxOf(leaf, params + row * step, squash_),
                                             action + std::ptrdiff_t{row} * action_words_ + leaf.action,
                                             weight[row], grad + row * step + leaf.param);
    }
}

void ActionDistribution::addEntropyGradient(int rows, const float* params, const std::uint8_t* mask,
                                            const float* action, const float* weight, float* grad,
                                            int stride) const {
    static_cast<void>(action);
    const std::ptrdiff_t step = stride == 0 ? words_ : stride;
    for (const Leaf& leaf : leaves_) {
        if (leaf.discrete)
            categorical::addEntropyGradient(logitsOf(leaf, rows, params, step, mask, mask_bytes_), weight,
                                            grad + leaf.param);
        else
            for (int row = 0; row < rows; ++row)
                gaussian::addEntropyGradient(boxOf(leaf, params + row * step, squash_), weight[row],
                                             grad + row * step + leaf.param);
    }
}

void ActionDistribution::addKlGradient(int rows, const float* p, const float* q, const std::uint8_t* mask,
                                       const float* weight, float* grad, int p_stride, int q_stride) const {
    const std::ptrdiff_t p_step = p_stride == 0 ? words_ : p_stride,
                         q_step = q_stride == 0 ? words_ : q_stride;
    for (const Leaf& leaf : leaves_) {
        if (leaf.discrete)
            categorical::addKlGradient(logitsOf(leaf, rows, p, p_step, mask, mask_bytes_), q + leaf.param,
                                       q_step, weight, grad + leaf.param);
        else
            for (int row = 0; row < rows; ++row)
                gaussian::addKlGradient(boxOf(leaf, p + row * p_step, squash_),
                                        boxOf(leaf, q + row * q_step, squash_), weight[row],
                                        grad + row * q_step + leaf.param);
    }
}

void ActionDistribution::envAction(int rows, const float* action, float* env_action) const {
    if (env_action != action) std::copy_n(action, std::ptrdiff_t{rows} * action_words_, env_action);
    for (const Leaf& leaf : leaves_) {
        if (leaf.discrete) continue;
        for (int row = 0; row < rows; ++row) {
            float* word = env_action + std::ptrdiff_t{row} * action_words_ + leaf.action;
            for (std::size_t i = 0; i < leaf.low.size(); ++i)
                word[i] = std::min(std::max(word[i], leaf.low[i]), leaf.high[i]);
        }
    }
}

std::string ActionDistribution::findNan(int rows, const float* params, int stride) const {
    const std::ptrdiff_t step = stride == 0 ? words_ : stride;
    for (int row = 0; row < rows; ++row) {
        const float* at = params + row * step;
        int bad = 0;
        for (int column = 0; column < words_; ++column)
            bad += (std::bit_cast<std::uint32_t>(at[column]) & 0x7f800000u) == 0x7f800000u ? 1 : 0;
        if (bad == 0) continue;
        int column = 0;
        while (std::isfinite(at[column])) ++column;
        return "row " + std::to_string(row) + ", column " + std::to_string(column);
    }
    return "";
}

}  // namespace seedbed
