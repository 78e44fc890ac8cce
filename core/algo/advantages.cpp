// SPDX-License-Identifier: Apache-2.0
#include "core/algo/advantages.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/algo/actor_critic.hpp"

namespace seedbed {
namespace {

Estimator estimatorOf(const AdvantageParams& params) {
    const int n = params.n_step == 0 ? std::numeric_limits<int>::max() : params.n_step;
    return {.n = params.advantages == "n_step" ? n : 0,
            .lambda = params.lambda,
            .rho_bar = params.rho_bar,
            .c_bar = params.c_bar};
}

}  // namespace

Advantages::Advantages(AdvantageParams params, NoveltyParams novelty, const ActionDistribution& distribution,
                       OwnRatio own_ratio, std::size_t first_network)
    : params_(std::move(params)),
      estimator_(estimatorOf(params_)),
      novelty_(std::move(novelty), first_network),
      spaces_(distribution.spaces()),
      policy_(distribution),
      own_ratio_(own_ratio) {
    if (params_.advantages == "vtrace") params_.correction = "vtrace";
}

std::size_t Advantages::batchBytes(const NetPlan& acting, std::size_t rows, bool lagging) const {
    const bool corrects = params_.correction == "auto" ? lagging : params_.correction == "vtrace";
    const std::size_t bytes =
        novelty_.batchBytes(acting, rows) + (params_.skip_forced ? ForcedRows::batchBytes(rows) : 0);
    if (!corrects) return bytes;
    // Memory for the heads and values, and scratch memory for the policy terms.
    const PlanHead* policy = acting.head("policy");
    const int words = acting.head_words + 1 + 4 + 2 * (policy == nullptr ? 0 : policy->width);
    return bytes + rows * static_cast<std::size_t>(words) * sizeof(float);
}

bool Advantages::corrects(const Batch& batch) const {
    if (params_.correction != "auto") return params_.correction == "vtrace";
    for (std::size_t row = 0; row < batch.version.size(); ++row)
        if (batch.valid[row] != 0 && batch.version[row] != batch.current_version) return true;
    return false;
}

Result<> Advantages::prepare(Batch& batch, const EvaluateNetwork& evaluate) {
    batch.advantage.resize(batch.value.size());
    batch.target.resize(batch.value.size());
    if (novelty_.isOn()) SEEDBED_TRY(novelty_.measure(batch, evaluate));
    ReturnInput input = currentValues(batch);
    input.value = batch.value.data();
    input.last_value = batch.last_value.data();
    const float* log_ratio = nullptr;
    if (corrects(batch)) {
        SEEDBED_ASSIGN(log_ratio, evaluateRatios(batch, evaluate));
        input = currentValues(batch);
    }
    // After the network, whose failure would repeat this function.
    if (params_.skip_forced) {
        forced_.find(batch, spaces_);
        forced_.fill(input, log_ratio != nullptr ? values_.data() : batch.value.data());
    }
    estimateAdvantages(input, estimator_, log_ratio, batch.advantage.data(), batch.target.data());
    if (novelty_.isOn()) novelty_.addAdvantages(batch, estimator_, log_ratio);
    if (log_ratio != nullptr) includeOwnRatio(batch, log_ratio);
    if (params_.skip_forced) forced_.exclude(batch);
    if (params_.popart) measureTargets(batch, batch.target);
    return {};
}

Result<> Advantages::prepareOwn(Batch& batch, const EvaluateNetwork& evaluate) {
    batch.advantage.resize(batch.value.size());
    if (novelty_.isOn()) SEEDBED_TRY(novelty_.measure(batch, evaluate));
    SEEDBED_ASSIGN(const float* log_ratio, evaluateRatios(batch, evaluate));
    if (params_.popart) {
        own_target_.resize(batch.value.size());
        estimateAdvantages(currentValues(batch), estimator_, log_ratio, batch.advantage.data(),
                           own_target_.data());
        measureTargets(batch, own_target_);
    }
    std::ranges::fill(batch.advantage, 0.0f);
    if (!novelty_.isOn()) return {};
    novelty_.addAdvantages(batch, estimator_, log_ratio);
    includeOwnRatio(batch, log_ratio);
    return {};
}

// The input for returns, with the values that the last evaluateRatios() computed.
ReturnInput Advantages::currentValues(const Batch& batch) const {
    return {.steps = batch.steps,
            .columns = batch.columns,
            .reward = batch.reward.data(),
            .discount = batch.discount.data(),
            .value = values_.data(),
            .last_value = values_.data() + batch.rows(),
            .valid = batch.valid.data(),
            .gamma = params_.gamma};
}

void Advantages::measureTargets(const Batch& batch, const std::vector<float>& target) {
    moments_.assign(static_cast<std::size_t>(batch.shards), {});
    const auto columns = static_cast<std::size_t>(batch.columns), of_shard = columns / moments_.size();
    for (std::size_t row = 0; row < target.size(); ++row)
        if (batch.valid[row] != 0) moments_[row % columns / of_shard].add(static_cast<double>(target[row]));
}

// Runs network 0 on the batch; the result is valid until this thread next computes policy terms.
Result<const float*> Advantages::evaluateRatios(const Batch& batch, const EvaluateNetwork& evaluate) {
    SEEDBED_ASSIGN(const NetPlan* plan, evaluate(0, heads_));
    const ValueColumn value(*plan);
    values_.resize(heads_.size() / value.stride);
    value.copy(heads_.data(), values_.size(), values_.data());

    Chunk all;
    all.sequences = batch.columns;
    all.steps = batch.steps;
    all.action = batch.action.data();
    all.log_prob = batch.log_prob.data();
    all.policy = batch.policy.data();
    all.valid = batch.valid.data();
    all.mask = batch.mask_bytes > 0 ? batch.mask.data() : nullptr;
    return policy_.evaluate(all, {.plan = plan, .heads = heads_.data()}).log_ratio;
}

// log_ratio is bounded by +-kMaxLogRatio.
void Advantages::includeOwnRatio(Batch& batch, const float* log_ratio) const {
    if (own_ratio_ == OwnRatio::excluded) return;
    for (std::size_t row = 0; row < batch.advantage.size(); ++row) {
        const double ratio = std::min(params_.rho_bar, std::exp(static_cast<double>(log_ratio[row])));
        batch.advantage[row] = static_cast<float>(ratio * static_cast<double>(batch.advantage[row]));
    }
}

}  // namespace seedbed
