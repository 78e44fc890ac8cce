// SPDX-License-Identifier: Apache-2.0
// Advantage-weighted regression (Peng et al., "Advantage-Weighted Regression: Simple and Scalable Off-Policy
// Reinforcement Learning", arXiv:1910.00177): two regressions on a replay of data from earlier policies fit
// the values to their TD(lambda) returns and the policy to the actions in the replay, weighted by exp(A /
// beta).
//
// Differences from the paper: policy and values learn from the same minibatch with one optimiser instead of
// separately; minibatches are windows of consecutive rows, and returns bootstrap from the value of the row
// after the window; an entropy bonus is possible. Advantages are normalised as in the authors' code
// (xbpeng/awr), but over the minibatch instead of the whole replay. A truncated episode bootstraps from its
// last observation.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/algo/actor_critic.hpp"
#include "core/algo/policy_terms.hpp"
#include "core/algo/returns.hpp"

namespace seedbed {
namespace {

struct AwrParams {
    int rollout_length = 32;
    std::int64_t replay_size = 50'000;
    std::int64_t replay_start = 2048;
    double replay_ratio = 32;
    int batch_size = 16;
    int sequence = 32;
    int stride = 8;
    double gamma = 0.99;
    double lambda = 0.95;
    double temperature = 1;
    double weight_max = 20;
    bool normalise_advantages = true;
    double learning_rate = 3e-4;
    std::string lr_schedule = "constant";
    std::int64_t lr_horizon = 1'000'000;
    double lr_end = 0;
    double value_cost = 0.5;
    double entropy_cost = 0;

    static const Description<AwrParams>& describe();
};

void describeReplay(Description<AwrParams>& d) {
    using P = AwrParams;
    d.field(&P::rollout_length, "rollout_length", "Decisions per environment between two updates.",
            {.unit = "steps", .min = 1, .max = 1e6, .level = Level::recipe})
        .field(&P::replay_size, "replay_size",
               "Decisions that the replay keeps; the oldest are dropped first.",
               {.unit = "steps", .min = 1, .max = 1e9, .level = Level::recipe})
        .field(&P::replay_start, "replay_start", "Decisions in the replay before learning starts.",
               {.unit = "steps", .min = 1, .max = 1e9, .level = Level::recipe})
        .field(
            &P::replay_ratio, "replay_ratio",
            "Decisions used for learning per decision made: optimiser steps times batch_size times sequence.",
            {.min = 1e-6, .max = 1e6, .level = Level::recipe})
        .field(&P::batch_size, "batch_size", "Windows per optimiser step, drawn from the replay.",
               {.min = 1, .max = 1e6, .level = Level::recipe})
        .field(&P::sequence, "sequence",
               "Decisions of a window. Returns are computed over the window and continue with a value "
               "estimate.",
               {.unit = "steps", .min = 1, .max = 1e5, .level = Level::recipe})
        .field(&P::stride, "stride",
               "Decisions between the beginnings of neighbouring windows, which overlap if it is smaller "
               "than sequence. With a recurrent network, the replay stores a state every stride decisions.",
               {.unit = "steps", .min = 1, .max = 1e5});
}

const Description<AwrParams>& AwrParams::describe() {
    using P = AwrParams;
    static const Description<P> description = [] {
        Description<P> d("awr", "Advantage-weighted regression (Peng et al. 2019)");
        describeReplay(d);
        d.field(&P::gamma, "gamma", "Discount factor per decision.",
                {.min = 0, .max = 1, .level = Level::recipe})
            .field(&P::lambda, "lambda",
                   "Decay of the returns' TD(lambda); 1 sums all rewards, 0 relies on the value estimate.",
                   {.min = 0, .max = 1, .level = Level::recipe})
            .field(&P::temperature, "temperature",
                   "The weight of an action is exp(advantage / temperature): low values imitate only the "
                   "best actions.",
                   {.min = 1e-6, .max = 1e6, .level = Level::recipe})
            .field(&P::weight_max, "weight_max", "Upper limit of the weights.",
                   {.min = 1e-3, .max = 1e6, .level = Level::recipe})
            .field(&P::normalise_advantages, "normalise_advantages",
                   "Normalise the advantages of each minibatch to mean 0 and standard deviation 1, so that "
                   "temperature does not depend on the size of the rewards.");
        describeLinearRate(d);
        d.field(&P::value_cost, "value_cost", "Weight of half the squared value error in the loss.",
                {.min = 0, .level = Level::recipe})
            .field(&P::entropy_cost, "entropy_cost",
                   "Weight of the policy's entropy, which maintains exploration.",
                   {.min = 0, .level = Level::recipe, .live = true});
        return d;
    }();
    return description;
}

constexpr std::array kAwrMetrics{"loss/policy", "loss/value",    "policy/entropy",
                                 "policy/kl",   "policy/weight", "policy/weight_clipped"};

class Awr final : public Algorithm {
public:
    Awr(AwrParams params, const ActionDistribution& distribution)
        : params_(std::move(params)), policy_(distribution) {}

    std::vector<NetworkDecl> networks() const override { return {actorCriticNetwork(false)}; }
    LearnPlan plan() const override {
        return {.rollout_length = params_.rollout_length,
                .unit = LearnPlan::Unit::columns,
                .replay = ReplayPlan{.size = params_.replay_size,
                                     .start = params_.replay_start,
                                     .batch = params_.batch_size,
                                     .sequence = params_.sequence,
                                     .stride = params_.stride,
                                     .ratio = params_.replay_ratio,
                                     .unrolls = true}};
    }
    std::vector<std::string> metrics() const override { return {kAwrMetrics.begin(), kAwrMetrics.end()}; }
    std::size_t batchBytes(const NetPlan& acting, std::size_t rows, bool) const override {
        return 2 * rows * static_cast<std::size_t>(acting.head_words + 1) * sizeof(float);
    }
    double learningRate(const Progress& progress) const override {
        return params_.lr_schedule == "linear" ? linearRate(params_, progress) : params_.learning_rate;
    }
    Result<> prepare(Batch& batch, const Progress&, const EvaluateNetwork& evaluate) override;
    void learn(Step& step) const override;
    void setLive(const Json& params) override {
        const AwrParams changed = AwrParams::describe().read(params);
        params_.learning_rate = changed.learning_rate;
        params_.lr_horizon = changed.lr_horizon;
        params_.entropy_cost = changed.entropy_cost;
    }

private:
    AwrParams params_;
    PolicyEvaluator policy_;
    std::vector<float> heads_, values_;  // outputs of the current network, [T + 1, N] rows
};

// Section 3.3: the returns R of the replay by TD(lambda) with the current values, and A = R - V(s).
// This difference is the advantage of GAE(gamma, lambda) (Schulman et al. 2016, eq. 16).
Result<> Awr::prepare(Batch& batch, const Progress&, const EvaluateNetwork& evaluate) {
    SEEDBED_ASSIGN(const NetPlan* plan, evaluate(0, heads_));
    const ValueColumn value(*plan);
    values_.resize(heads_.size() / value.stride);
    value.copy(heads_.data(), values_.size(), values_.data());
    const auto rows = static_cast<std::size_t>(batch.rows());
    batch.advantage.resize(rows);
    batch.target.resize(rows);
    gae({.steps = batch.steps,
         .columns = batch.columns,
         .reward = batch.reward.data(),
         .discount = batch.discount.data(),
         .value = values_.data(),
         .last_value = values_.data() + rows,
         .valid = batch.valid.data(),
         .gamma = params_.gamma},
        params_.lambda, batch.advantage.data(), batch.target.data());
    return {};
}

// Algorithm 1: line 5, the gradient of the mean of (R - V(s))^2 / 2; line 6, the gradient of the mean of
// -log pi(a|s) w with w = min(exp(A / beta), weight_max), the clipped weights of section 3.3.
void Awr::learn(Step& step) const {
    const Step::Heads heads = step.forward(0, {}, Keep::tape);
    const NetIo io{heads.plan, heads.data, step.gradients(0)};
    const Chunk& chunk = step.chunk();
    double* sums = step.sums();
    const auto rows = static_cast<std::size_t>(chunk.rows());
    const ValueColumn column(*io.plan);
    const PolicyTerms terms = policy_.evaluate(chunk, io);
    const auto [value, log_prob_weight] = scratchColumns<2>(rows);
    column.copy(io.heads, rows, value);

    const double scale = 1 / chunk.valid_rows, largest = std::log(params_.weight_max);
    const bool normalise = params_.normalise_advantages;
    const double mean = normalise ? chunk.advantage_mean : 0.0,
                 unit = (normalise ? chunk.advantage_std + 1e-5 : 1.0) * params_.temperature;
    std::fill_n(log_prob_weight, paddedRows(rows), 0.0f);
    for (std::size_t i = 0; i < rows; ++i) {
        if (chunk.valid[i] == 0) continue;
        const double log_weight = (static_cast<double>(chunk.advantage[i]) - mean) / unit,
                     weight = std::exp(std::min(log_weight, largest)),
                     error = static_cast<double>(value[i]) - static_cast<double>(chunk.target[i]);
        log_prob_weight[i] = static_cast<float>(-scale * weight);
        sums[0] -= weight * static_cast<double>(terms.log_ratio[i] + chunk.log_prob[i]);
        sums[1] += 0.5 * error * error;
        sums[2] += static_cast<double>(terms.entropy[i]);
        sums[3] += static_cast<double>(terms.kl[i]);
        sums[4] += weight;
        sums[5] += log_weight > largest ? 1 : 0;
        io.gradients[i * column.stride + column.begin] +=
            static_cast<float>(scale * params_.value_cost * error);
    }
    policy_.addGradients(chunk, io, log_prob_weight, static_cast<float>(-params_.entropy_cost * scale));
    step.backward(0, io.gradients);
}

}  // namespace

SEEDBED_REGISTER_ALGORITHM(awr, (AlgorithmEntry{.id = "awr",
                                                .aliases = {"AWR"},
                                                .help = "Advantage-weighted regression: values and policy "
                                                        "learned from a replay by supervised regression "
                                                        "(Peng et al. 2019).",
                                                .params = &AwrParams::describe().schema(),
                                                .defaults = {.steps = 500'000},
                                                .make = makeAlgorithm<AwrParams, Awr>}));

}  // namespace seedbed
