// SPDX-License-Identifier: Apache-2.0
// Random chunks for tests of policy losses, and log-probability, entropy and KL in double.
#include "tests/unit/algo/policy_problem.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace seedbed {
namespace {

// Behaviour-policy parameters of one row: of moderate size, so that double and float agree.
void randomPolicyRow(Rng& rng, const Spaces& spaces, float* to) {
    for (const ActionLeaf& leaf : spaces.actions) {
        const int words = leaf.kind == ActionLeaf::Kind::discrete ? leaf.n : 2 * leaf.words();
        for (int i = 0; i < words; ++i) *to++ = static_cast<float>(0.6 * rng.normal());
    }
}

void randomMask(Rng& rng, const Spaces& spaces, std::uint8_t* to) {
    for (const ActionLeaf& leaf : spaces.actions) {
        if (leaf.kind != ActionLeaf::Kind::discrete) continue;
        for (int i = 0; i < leaf.n; ++i) to[i] = rng.bernoulli(0.6) ? 1 : 0;
        to[rng.below(static_cast<std::uint32_t>(leaf.n))] = 1;
        to += leaf.n;
    }
}

LeafTerms categoricalTerms(int n, const double* z, const float* b, const std::uint8_t* mask, int action) {
    const auto allowed = [&](int i) { return mask == nullptr || mask[i] != 0; };
    double sum = 0, behaviour_sum = 0;
    for (int i = 0; i < n; ++i)
        if (allowed(i)) {
            sum += std::exp(z[i]);
            behaviour_sum += std::exp(static_cast<double>(b[i]));
        }
    LeafTerms terms;
    terms.log_prob = z[action] - std::log(sum);
    for (int i = 0; i < n; ++i) {
        if (!allowed(i)) continue;
        const double log_p = z[i] - std::log(sum), log_b = b[i] - std::log(behaviour_sum);
        terms.entropy -= std::exp(log_p) * log_p;
        terms.kl += std::exp(log_b) * (log_b - log_p);
    }
    return terms;
}

LeafTerms boxTerms(const ActionLeaf& leaf, bool squash, const double* z, const float* b,
                   const float* action) {
    LeafTerms terms;
    const int dim = leaf.words();
    for (int i = 0; i < dim; ++i) {
        const auto index = static_cast<std::size_t>(i);
        double u = action[i], log_jacobian = 0;
        if (squash) {
            const double centre = (leaf.low[index] + leaf.high[index]) / 2,
                         half = (leaf.high[index] - leaf.low[index]) / 2;
            const double y = (static_cast<double>(action[i]) - centre) / half;
            u = std::atanh(y);
            log_jacobian = std::log(half * (1 - y * y));
        }
        const double mean = z[i], log_std = z[dim + i], std = std::exp(log_std), then_mean = b[i],
                     then_std = std::exp(static_cast<double>(b[dim + i]));
        terms.log_prob += -0.5 * std::pow((u - mean) / std, 2) - log_std -
                          0.5 * std::log(2 * std::numbers::pi) - log_jacobian;
        terms.entropy += log_std + 0.5 * std::log(2 * std::numbers::pi * std::numbers::e) + log_jacobian;
        terms.kl += std::log(std / then_std) +
                    (then_std * then_std + std::pow(then_mean - mean, 2)) / (2 * std * std) - 0.5;
    }
    return terms;
}

}  // namespace

ActionLeaf choice(int n) { return {.name = "choice", .kind = ActionLeaf::Kind::discrete, .n = n}; }
ActionLeaf box(std::vector<double> low, std::vector<double> high) {
    return {
        .name = "box", .kind = ActionLeaf::Kind::box, .n = 0, .low = std::move(low), .high = std::move(high)};
}

PolicyProblem randomPolicyProblem(const PolicyCase& c, std::uint64_t seed, int rows) {
    Rng rng(seed, RngPurpose::test);
    PolicyProblem p;
    p.spaces.actions = c.actions;
    p.spaces.has_mask = c.mask;
    p.squash = c.squash;
    p.rows = rows;
    p.distribution = ActionDistribution(p.spaces, c.squash);
    const int words = p.distribution.words(), mask_bytes = p.spaces.maskBytes();
    p.plan.head_words = words + 3;
    p.plan.heads = {{"value", "value", 1, 1, 0}, {"policy", "policy", 2, words, 0}};
    const auto n = static_cast<std::size_t>(rows), w = static_cast<std::size_t>(words), stride = w + 3;
    p.heads.assign(n * stride, 7.0f);
    p.policy.resize(n * w);
    p.mask.resize(n * static_cast<std::size_t>(mask_bytes));
    p.action.resize(n * static_cast<std::size_t>(p.spaces.actionWords()));
    p.log_prob.resize(n);
    for (std::size_t row = 0; row < n; ++row) {
        randomPolicyRow(rng, p.spaces, p.policy.data() + row * w);
        if (c.mask) randomMask(rng, p.spaces, p.mask.data() + row * static_cast<std::size_t>(mask_bytes));
        // Small and large deviations from the behaviour policy: ratios on both sides of the clip.
        const double step = rng.bernoulli(0.5) ? 0.05 : 0.5;
        for (std::size_t i = 0; i < w; ++i)
            p.heads[row * stride + 2 + i] = p.policy[row * w + i] + static_cast<float>(step * rng.normal());
        p.heads[row * stride + 1] = static_cast<float>(rng.normal());
        p.value.push_back(p.heads[row * stride + 1] + static_cast<float>(0.4 * rng.normal()));
        p.target.push_back(static_cast<float>(rng.normal()));
        p.advantage.push_back(static_cast<float>(1 + 2 * rng.normal()));
        p.valid.push_back(rng.bernoulli(0.85) ? 1 : 0);
    }
    p.reward.assign(n, 0);
    p.discount.assign(n, 1);
    p.first.assign(n, 0);
    p.distribution.sample(rows, p.policy.data(), c.mask ? p.mask.data() : nullptr, Selection::sample,
                          {seed, RngPurpose::test, 0, 1}, p.action.data(), p.log_prob.data());
    p.chunk = {.sequences = rows,
               .steps = 1,
               .action = p.action.data(),
               .log_prob = p.log_prob.data(),
               .policy = p.policy.data(),
               .value = p.value.data(),
               .reward = p.reward.data(),
               .discount = p.discount.data(),
               .advantage = p.advantage.data(),
               .target = p.target.data(),
               .valid = p.valid.data(),
               .first = p.first.data(),
               .mask = c.mask ? p.mask.data() : nullptr,
               .valid_rows = 1.5 * rows,
               .advantage_mean = 0.75,
               .advantage_std = 2.5};
    return p;
}

LeafTerms rowTerms(const PolicyProblem& p, std::size_t row, const double* policy) {
    const float* behaviour = p.policy.data() + row * static_cast<std::size_t>(p.distribution.words());
    const float* action = p.action.data() + row * static_cast<std::size_t>(p.spaces.actionWords());
    const std::uint8_t* mask =
        p.spaces.has_mask ? p.mask.data() + row * static_cast<std::size_t>(p.spaces.maskBytes()) : nullptr;
    LeafTerms sum;
    for (const ActionLeaf& leaf : p.spaces.actions) {
        const bool discrete = leaf.kind == ActionLeaf::Kind::discrete;
        const LeafTerms terms =
            discrete ? categoricalTerms(leaf.n, policy, behaviour, mask, static_cast<int>(action[0]))
                     : boxTerms(leaf, p.squash, policy, behaviour, action);
        sum.log_prob += terms.log_prob;
        sum.entropy += terms.entropy;
        sum.kl += terms.kl;
        const int words = discrete ? leaf.n : 2 * leaf.words();
        policy += words;
        behaviour += words;
        action += leaf.words();
        if (discrete && mask != nullptr) mask += leaf.n;
    }
    return sum;
}

std::vector<double> headsOf(const PolicyProblem& p, std::size_t row) {
    std::vector<double> heads;
    const auto stride = static_cast<std::size_t>(p.plan.head_words);
    for (std::size_t i = 1; i < stride - 1; ++i) heads.push_back(p.heads[row * stride + i]);
    return heads;
}

}  // namespace seedbed
