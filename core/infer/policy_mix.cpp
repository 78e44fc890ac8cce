// SPDX-License-Identifier: Apache-2.0
#include "core/infer/policy_mix.hpp"

#include <algorithm>
#include <cstring>

#include "core/base/error.hpp"

namespace seedbed {
namespace {

// Copies item `from` of `source` to item `to` of `target`; items have `words` elements.
template <class T>
void copyItem(const T* source, std::size_t from, T* target, std::size_t to, std::size_t words) {
    std::copy_n(source + from * words, words, target + to * words);
}

}  // namespace

PolicyMix::PolicyMix(EngineNet& net, int columns, int others) : net_(net) {
    const NetPlan& plan = net.plan();
    const auto count = static_cast<std::size_t>(columns);
    contexts_.resize(static_cast<std::size_t>(others) + 1);
    head_words_ = static_cast<std::size_t>(plan.head_words);
    state_words_ = static_cast<std::size_t>(plan.state_words);
    action_words_ = static_cast<std::size_t>(plan.spec.spaces.actionWords());
    for (const ObsLeaf& leaf : plan.spec.spaces.obs) {
        leaf_bytes_.push_back(static_cast<std::size_t>(leaf.stack) * leaf.bytes());
        obs_.emplace_back(count * leaf_bytes_.back());
    }
    columns_.reserve(count);
    first_.resize(count);
    state_.resize(count * state_words_);
    next_state_.resize(count * state_words_);
    all_state_.resize(count * state_words_);
    heads_.resize(count * head_words_);
    all_heads_.resize(count * head_words_);
    previous_action_.resize(count * action_words_);
    previous_reward_.resize(count);
}

std::size_t PolicyMix::bytes(const NetPlan& plan, std::size_t columns) {
    std::size_t column = sizeof(std::size_t) + 1 +
                         sizeof(float) * static_cast<std::size_t>(2 * plan.head_words + 3 * plan.state_words +
                                                                  plan.spec.spaces.actionWords() + 1);
    for (const ObsLeaf& leaf : plan.spec.spaces.obs)
        column += static_cast<std::size_t>(leaf.stack) * leaf.bytes();
    return columns * column;
}

// Copies the inputs of columns_ from those of the whole row.
void PolicyMix::gather(const Rows& all) {
    rows_.sequences = static_cast<int>(columns_.size());
    rows_.obs.clear();
    for (std::size_t leaf = 0; leaf < obs_.size(); ++leaf) {
        for (std::size_t i = 0; i < columns_.size(); ++i)
            copyItem(all.obs[leaf], columns_[i], obs_[leaf].data(), i, leaf_bytes_[leaf]);
        rows_.obs.push_back(obs_[leaf].data());
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        first_[i] = all.first[columns_[i]];
        if (all.state != nullptr) copyItem(all.state, columns_[i], state_.data(), i, state_words_);
        if (all.previous_action == nullptr) continue;
        copyItem(all.previous_action, columns_[i], previous_action_.data(), i, action_words_);
        previous_reward_[i] = all.previous_reward[columns_[i]];
    }
    rows_.first = first_.data();
    rows_.state = all.state != nullptr ? state_.data() : nullptr;
    rows_.previous_action = all.previous_action != nullptr ? previous_action_.data() : nullptr;
    rows_.previous_reward = all.previous_action != nullptr ? previous_reward_.data() : nullptr;
}

Result<> PolicyMix::run(std::size_t policy, const Params& params) {
    std::unique_ptr<NetContext>& context = contexts_[policy];
    if (context == nullptr) context = net_.context();
    return context->run(params, rows_,
                        Outputs{heads_.data(), state_words_ == 0 ? nullptr : next_state_.data()},
                        Keep::nothing);
}

void PolicyMix::scatter() {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        copyItem(heads_.data(), i, all_heads_.data(), columns_[i], head_words_);
        copyItem(next_state_.data(), i, all_state_.data(), columns_[i], state_words_);
    }
}

Result<> PolicyMix::act(SpanInference& span, const Acting& acting, std::span<const Params* const> others,
                        std::span<const std::uint16_t> policies, ThreadTimes& times) {
    SEEDBED_CHECK(others.size() < contexts_.size(), "more opponents than contexts");
    const Rows& all = span.inputs();
    // Columns without a network get zeros: finite, and replaced by the caller.
    std::fill(all_heads_.begin(), all_heads_.end(), 0.0F);
    std::fill(all_state_.begin(), all_state_.end(), 0.0F);
    times.lap(Phase::inference_gather);
    for (std::size_t policy = 0; policy <= others.size(); ++policy) {
        columns_.clear();
        for (std::size_t column = 0; column < policies.size(); ++column)
            if (policies[column] == policy) columns_.push_back(column);
        if (columns_.empty()) continue;
        gather(all);
        times.lap(Phase::inference_gather);
        SEEDBED_TRY(run(policy, policy == 0 ? acting.params : *others[policy - 1]));
        scatter();
        times.lap(Phase::inference_forward);
    }
    SEEDBED_TRY(span.outputs(all_heads_.data(), all_state_.data(), acting.params.version(), acting.rule));
    times.lap(Phase::inference_sample);
    return {};
}

}  // namespace seedbed
