// SPDX-License-Identifier: Apache-2.0
// Runs network and distribution on a row of the ring and stores the results in it.
#include "core/infer/span_inference.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/base/finite.hpp"
#include "core/nn/acting_head.hpp"
#include "core/rollout/gather.hpp"

namespace seedbed {

SpanInference::SpanInference(EngineNet& net, ActionDistribution distribution, Ring& ring,
                             SpanInferenceOptions options)
    : ring_(ring), distribution_(std::move(distribution)), options_(options), context_(net.context()) {
    const NetPlan& plan = net.plan();
    const PlanHead* policy = actingHead(plan);
    SEEDBED_CHECK(policy != nullptr && policy->width == distribution_.words(),
                  "the acting network needs a head that matches the actions");
    head_words_ = plan.head_words;
    policy_begin_ = policy->begin;
    policy_words_ = policy->width;
    is_q_ = policy->kind == "q";
    if (const PlanHead* parts = plan.head(policy->name + "_parts")) {
        parts_begin_ = parts->begin;
        parts_words_ = parts->width;
    }
    if (const PlanHead* value = plan.head("value")) value_begin_ = value->begin;
    const auto columns = static_cast<std::size_t>(ring.columns());
    heads_.resize(columns * static_cast<std::size_t>(head_words_));
    state_.assign(columns * static_cast<std::size_t>(plan.state_words), 0.0f);
    next_state_ = state_;
    wants_previous_ = hasOp(plan, "previous_action") || hasOp(plan, "previous_reward");
    if (wants_previous_) {
        previous_action_.resize(columns * static_cast<std::size_t>(ring.spec().spaces.actionWords()));
        previous_reward_.resize(columns);
    }
    rings_ = {&ring};
    row_refs_.resize(columns);
    for (std::size_t n = 0; n < columns; ++n) row_refs_[n].column = static_cast<std::int32_t>(n);
    wants_refs_ = wants_previous_;
    for (const ObsLeaf& leaf : ring.spec().spaces.obs) wants_refs_ |= leaf.stack > 1;
    for (const ObsLeaf& leaf : ring.spec().spaces.obs)
        stacked_.emplace_back(leaf.stack > 1 ? columns * static_cast<std::size_t>(leaf.stack) * leaf.bytes()
                                             : 0);
}

std::size_t SpanInference::bytes(const NetPlan& plan, std::size_t columns) {
    const Spaces& spaces = plan.spec.spaces;
    std::size_t column =
        sizeof(RowRef) + sizeof(float) * static_cast<std::size_t>(plan.head_words + 2 * plan.state_words);
    if (hasOp(plan, "previous_action") || hasOp(plan, "previous_reward"))
        column += sizeof(float) * static_cast<std::size_t>(spaces.actionWords() + 1);
    for (const ObsLeaf& leaf : spaces.obs)
        if (leaf.stack > 1) column += static_cast<std::size_t>(leaf.stack) * leaf.bytes();
    return columns * column;
}

std::uint64_t SpanInference::beginRow() {
    const std::uint64_t t = ring_.head();
    if (wants_refs_)
        for (RowRef& ref : row_refs_) ref.t = t;
    const auto every = static_cast<std::uint64_t>(ring_.spec().state_every);
    if (options_.stores_state && !state_.empty() && every > 0 && t % every == 0)
        std::memcpy(ring_.state(t), state_.data(), state_.size() * sizeof(float));
    return t;
}

void SpanInference::showRewards(float* rewards, std::size_t count) const {
    if (options_.reward.isIdentity()) return;
    std::transform(rewards, rewards + count, rewards, [&](float raw) { return options_.reward.apply(raw); });
}

const Rows& SpanInference::inputs() {
    const std::uint64_t t = beginRow();
    Rows& rows = rows_;
    rows.sequences = ring_.columns();
    rows.obs.clear();
    for (std::size_t leaf = 0; leaf < stacked_.size(); ++leaf) {
        std::uint8_t* obs = ring_.obs(static_cast<int>(leaf), t);
        if (!stacked_[leaf].empty()) {
            obs = stacked_[leaf].data();
            gatherObs(rings_, static_cast<int>(leaf), row_refs_.data(), row_refs_.size(), obs);
        }
        rows.obs.push_back(obs);
    }
    rows.first = ring_.first(t);
    if (wants_previous_) {
        gatherPrevious(rings_, row_refs_.data(), row_refs_.size(), previous_action_.data(),
                       previous_reward_.data());
        showRewards(previous_reward_.data(), previous_reward_.size());
        rows.previous_action = previous_action_.data();
        rows.previous_reward = previous_reward_.data();
    }
    if (!state_.empty()) rows.state = state_.data();
    return rows;
}

void SpanInference::inputsInto(Panel& panel, std::size_t begin) {
    const std::uint64_t t = beginRow();
    const std::size_t count = row_refs_.size();
    const auto& leaves = ring_.spec().spaces.obs;
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
        const std::size_t bytes = leaves[leaf].bytes();
        if (stacked_[leaf].empty())
            std::memcpy(panel.obs[leaf].data() + begin * bytes, ring_.obs(static_cast<int>(leaf), t),
                        count * bytes);
        else
            gatherObs(rings_, static_cast<int>(leaf), row_refs_.data(), count,
                      panel.obs[leaf].data() + begin * bytes * static_cast<std::size_t>(leaves[leaf].stack));
    }
    std::memcpy(panel.first.data() + begin, ring_.first(t), count);
    const std::size_t state_words = state_.size() / count;
    std::copy(state_.begin(), state_.end(),
              panel.state.begin() + static_cast<std::ptrdiff_t>(begin * state_words));
    if (!wants_previous_) return;
    const auto action_words = static_cast<std::size_t>(ring_.spec().spaces.actionWords());
    gatherPrevious(rings_, row_refs_.data(), count, panel.previous_action.data() + begin * action_words,
                   panel.previous_reward.data() + begin);
    showRewards(panel.previous_reward.data() + begin, count);
}

void SpanInference::choose(std::uint64_t t, const ActingRule& rule) {
    const int columns = ring_.columns();
    const SampleKey key{options_.seed, options_.purpose, options_.first_lane, t};
    const std::uint8_t* mask = ring_.spec().spaces.has_mask ? ring_.mask(t) : nullptr;
    if (rule.kind == ActingRule::Kind::selection) {
        const Selection selection = is_q_ ? Selection::greedy : options_.selection;
        distribution_.sample(columns, ring_.policy(t), mask, selection, key, ring_.action(t),
                             ring_.logProb(t));
        return;
    }
    if (rule.kind == ActingRule::Kind::uniform) {
        const SampleKey held{key.seed, key.purpose, key.lane, t / static_cast<std::uint64_t>(rule.hold)};
        return distribution_.sampleUniform(columns, held, ring_.action(t), ring_.logProb(t));
    }
    if (rule.kind == ActingRule::Kind::gaussian)
        return distribution_.sampleNoisy(columns, ring_.policy(t), rule.noise, key, ring_.action(t),
                                         ring_.logProb(t));
    if (epsilon_.empty() || !(rule == rule_)) {
        rule_ = rule;
        epsilon_.resize(static_cast<std::size_t>(columns));
        for (std::uint32_t n = 0; n < epsilon_.size(); ++n)
            epsilon_[n] = static_cast<float>(rule.epsilonOf(options_.first_lane + n));
    }
    distribution_.sampleEpsilonGreedy(columns, ring_.policy(t), mask, epsilon_.data(), key, ring_.action(t),
                                      ring_.logProb(t));
}

// Determined by the row at which the episode began, so that no state needs to be saved. The random numbers
// used here do not overlap with those that select actions.
int SpanInference::memberOf(int column, std::uint64_t t, int members) const {
    constexpr std::uint64_t kFar = std::uint64_t{1} << 62;
    const auto step = static_cast<std::uint64_t>(ring_.episodeStep(t)[column]);
    Rng rng(options_.seed, options_.purpose, options_.first_lane + static_cast<std::uint32_t>(column),
            kFar + 4 * (t - std::min(step, t)));
    return static_cast<int>(rng.below(static_cast<std::uint32_t>(members)));
}

Result<> SpanInference::outputs(const float* heads, const float* state, std::uint64_t version,
                                const ActingRule& rule) {
    const std::uint64_t t = ring_.head();
    const int columns = ring_.columns();
    SEEDBED_TRY(checkOutputs(heads, t));
    SEEDBED_CHECK(rule.members == 1 || parts_words_ == rule.members * policy_words_,
                  "the network is not an ensemble of this size");
    if (!state_.empty() && state != state_.data()) std::copy_n(state, state_.size(), state_.begin());

    // Copy the heads to the ring's fields, then sample actions from the stored distribution.
    float* policy = ring_.policy(t);
    float* value = ring_.value(t);
    for (int n = 0; n < columns; ++n) {
        const float* head = heads + static_cast<std::ptrdiff_t>(n) * head_words_;
        float* to = policy + static_cast<std::ptrdiff_t>(n) * policy_words_;
        if (rule.members > 1) {
            const float* part = head + parts_begin_ + memberOf(n, t, rule.members);
            for (int a = 0; a < policy_words_; ++a) to[a] = part[std::ptrdiff_t{a} * rule.members];
        } else {
            std::copy_n(head + policy_begin_, policy_words_, to);
        }
        value[n] = value_begin_ >= 0 ? head[value_begin_] : 0.0f;
    }
    choose(t, rule);
    std::fill_n(ring_.version(t), columns, static_cast<std::uint32_t>(version));
    acted_rows_ = t + 1;
    return {};
}

Result<> SpanInference::act(const Params& params, ThreadTimes& times, const ActingRule& rule) {
    const Rows& rows = inputs();
    times.lap(Phase::inference_gather);
    SEEDBED_TRY(context_->run(
        params, rows, Outputs{heads_.data(), state_.empty() ? nullptr : next_state_.data()}, Keep::nothing));
    times.lap(Phase::inference_forward);
    std::swap(state_, next_state_);
    SEEDBED_TRY(outputs(heads_.data(), state_.data(), params.version(), rule));
    times.lap(Phase::inference_sample);
    return {};
}

Result<> SpanInference::checkOutputs(const float* heads, std::uint64_t t) const {
    // A sum detects non-finite values; a search then finds the position for the message.
    float sum = 0;
    const std::size_t count = heads_.size();
    for (std::size_t i = 0; i < count; ++i) sum += heads[i] * 0.0f;
    if (sum == 0.0f) return {};
    for (std::size_t i = 0; i < count; ++i) {
        if (std::isfinite(heads[i])) continue;
        const auto words = static_cast<std::size_t>(head_words_);
        return failNonFinite("the network returned NaN or infinity: column " + std::to_string(i / words) +
                             ", head column " + std::to_string(i % words) + ", row " + std::to_string(t));
    }
    return {};
}

void SpanInference::archive(Archive& archive) {
    archive.fixed("recurrent state", state_, kFinite<float>).any(acted_rows_);
}

}  // namespace seedbed
