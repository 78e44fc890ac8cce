// SPDX-License-Identifier: Apache-2.0
// V-trace actor-critic (Espeholt et al., "IMPALA: Scalable Distributed Deep-RL with Importance Weighted
// Actor-Learner Architectures", arXiv:1802.01561): learns from whole columns collected with older parameters,
// usually in one pass over each batch.
//
// Values, ratios and targets are computed by the current network on the stored rows, including row T, for
// every minibatch; targets and ratios are constants for the gradient. The advantages and value targets of an
// intrinsic reward are computed once per update. Differences from the paper, each a setting:
// - the loss is a mean over rows with valid = 1 (as in SEED RL), or the paper's sum (`reduction`, table D.1);
// - lambda in the trace coefficients (SEED RL);
// - KL(mu || pi), exact where SEED RL uses the sampled log ratio;
// - a target entropy whose multiplier is learned by dual ascent on its logarithm (SEED RL).
//
// Published settings. Atari (table G.1): RMSProp, epsilon 0.01 inside the root, no momentum, learning rate
// 6e-4, decreasing linearly to 0, gradient norm 40, sum, entropy cost 0.01, unroll 20, batch 32, rewards
// clipped to +-1 (`wrap.reward_clip`). SEED RL (vtrace/learner.py): Adam, beta1 0, epsilon 3.125e-7, learning
// rate 4.8e-4, decreasing linearly to 0, no gradient clipping, mean, entropy cost 0.00025, unroll 100, batch
// 32.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "core/algo/actor_critic.hpp"
#include "core/algo/advantages.hpp"
#include "core/algo/policy_terms.hpp"
#include "core/algo/returns.hpp"

namespace seedbed {
namespace {

struct ImpalaParams {
    int rollout_length = 20;
    int epochs = 1;
    int minibatches = 1;
    double gamma = 0.99;
    double lambda = 1;
    double rho_bar = 1;
    double c_bar = 1;
    double pg_rho_bar = 1;
    double learning_rate = 4.8e-4;
    std::string lr_schedule = "constant";
    std::int64_t lr_horizon = 1'000'000;
    double lr_end = 0;
    double value_cost = 0.5;
    double entropy_cost = 0.01;
    std::string entropy_control = "fixed";
    double target_entropy = 0;
    double entropy_rate = 0.01;
    double kl_cost = 0;
    std::string reduction = "mean";
    bool popart = false;
    double popart_rate = 0.01;
    std::string novelty = "none";
    double novelty_cost = 0.5;
    double novelty_gamma = 0.99;
    double novelty_share = 0.25;

    static const Description<ImpalaParams>& describe();
};

// Describes the settings of data and V-trace targets.
void describeTargets(Description<ImpalaParams>& d) {
    using P = ImpalaParams;
    d.field(&P::rollout_length, "rollout_length", "Decisions per environment between two updates.",
            {.unit = "steps", .min = 1, .max = 1e6, .level = Level::recipe})
        .field(&P::epochs, "epochs",
               "Passes over the data of one update; each recomputes targets and ratios.",
               {.min = 1, .max = 1000})
        .field(&P::minibatches, "minibatches",
               "Optimiser steps per pass: the environments are divided into this many random parts.",
               {.min = 1, .max = 1e6, .level = Level::recipe})
        .field(&P::gamma, "gamma", "Discount factor per decision.",
               {.min = 0, .max = 1, .level = Level::recipe})
        .field(
            &P::lambda, "lambda",
            "Factor applied to the trace coefficients; 1 sums all rewards, 0 relies on the value estimate.",
            {.min = 0, .max = 1, .level = Level::recipe})
        .field(&P::rho_bar, "rho_bar",
               "Upper limit of the importance weights in the targets; determines which policy's value is "
               "learned.",
               {.min = 0, .max = 1e9})
        .field(
            &P::c_bar, "c_bar",
            "Upper limit of the importance weights in the traces; determines how fast that value is learned.",
            {.min = 0, .max = 1e9})
        .field(&P::pg_rho_bar, "pg_rho_bar", "Upper limit of the importance weights in the policy gradient.",
               {.min = 0, .max = 1e9});
}

// Describes the settings of the learning rate and the loss.
void describeOptimisation(Description<ImpalaParams>& d) {
    using P = ImpalaParams;
    describeLinearRate(d);
    d.field(&P::value_cost, "value_cost", "Weight of half the squared value error in the loss.",
            {.min = 0, .level = Level::recipe})
        .field(&P::entropy_cost, "entropy_cost",
               "Weight of the policy's entropy, which maintains exploration; the initial value if it is "
               "learned.",
               {.min = 0, .level = Level::recipe, .live = true})
        .field(&P::entropy_control, "entropy_control",
               "Whether entropy_cost is fixed or learned to keep the entropy at target_entropy.",
               {.choices = {"fixed", "target"}})
        .field(&P::target_entropy, "target_entropy", "Target entropy for entropy_control = target.",
               {.unit = "nats"})
        .field(&P::entropy_rate, "entropy_rate",
               "Step size of the logarithm of the entropy cost, per nat of deviation from the target.",
               {.min = 0, .max = 10})
        .field(&P::kl_cost, "kl_cost", "Weight of the divergence from the behaviour policy.", {.min = 0})
        .field(&P::reduction, "reduction",
               "Whether the loss is the mean or, as in the paper, the sum over the rows of a minibatch; with "
               "the sum, gradient norm and epsilon of the optimiser refer to sums.",
               {.choices = {"mean", "sum"}});
}

const Description<ImpalaParams>& ImpalaParams::describe() {
    static const Description<ImpalaParams> description = [] {
        Description<ImpalaParams> d("vtrace", "V-trace actor-critic (Espeholt et al. 2018)");
        describeTargets(d);
        describeOptimisation(d);
        describePopArt(d);
        describeNovelty(d);
        return d;
    }();
    return description;
}

constexpr std::array kVtraceMetrics{"loss/policy", "loss/value",           "policy/entropy",
                                    "policy/kl",   "policy/clip_fraction", "policy/entropy_cost"};
// Bounds of the logarithm of a learned entropy cost (SEED RL).
constexpr double kMaxLogCost = 20;

class Vtrace final : public Algorithm {
public:
    Vtrace(ImpalaParams params, const ActionDistribution& distribution)
        : params_(std::move(params)),
          policy_(distribution),
          advantages_({.gamma = params_.gamma,
                       .lambda = params_.lambda,
                       .rho_bar = params_.rho_bar,
                       .c_bar = params_.c_bar,
                       .popart = params_.popart},
                      noveltyOf(params_), distribution, Advantages::OwnRatio::included),
          log_entropy_cost_(std::clamp(std::log(params_.entropy_cost), -kMaxLogCost, kMaxLogCost)) {}

    std::vector<NetworkDecl> networks() const override {
        std::vector<NetworkDecl> networks{actorCriticNetwork(params_.popart)};
        novelty().declare(networks);
        return networks;
    }

    LearnPlan plan() const override {
        return {.rollout_length = params_.rollout_length,
                .epochs = params_.epochs,
                .minibatches = params_.minibatches,
                .unit = LearnPlan::Unit::columns,
                .rows_ahead = 1};
    }

    std::vector<std::string> metrics() const override {
        std::vector<std::string> names{kVtraceMetrics.begin(), kVtraceMetrics.end()};
        if (novelty().isOn()) std::ranges::copy(Novelty::metrics(), std::back_inserter(names));
        return names;
    }
    std::size_t batchBytes(const NetPlan& acting, std::size_t rows, bool) const override {
        return advantages_.needsOwn() ? advantages_.batchBytes(acting, rows, true) : 0;
    }

    double learningRate(const Progress& progress) const override {
        return params_.lr_schedule == "linear" ? linearRate(params_, progress) : params_.learning_rate;
    }

    // Handles only an intrinsic reward. learn() computes all other terms, because they depend on the current
    // parameters.
    Result<> prepare(Batch& batch, const Progress&, const EvaluateNetwork& evaluate) override {
        return advantages_.needsOwn() ? advantages_.prepareOwn(batch, evaluate) : Result<>{};
    }

    std::string shardsProblem() const override { return novelty().shardsProblem(); }
    std::span<const TargetMoments> targetMoments() const override { return advantages_.targetMoments(); }
    double popArtRate() const override { return params_.popart_rate; }
    void learn(Step& step) const override;

    bool minibatchDone(std::span<const double> sums, double valid_rows) override {
        if (!learnsEntropyCost() || valid_rows <= 0) return true;
        // Minimises cost (H - target) over log cost. The factor `cost` of the slope is omitted, so that the
        // rate is relative and a small cost can still change (in SEED RL, Adam divides by this factor).
        log_entropy_cost_ = std::clamp(
            log_entropy_cost_ - params_.entropy_rate * (sums[2] / valid_rows - params_.target_entropy),
            -kMaxLogCost, kMaxLogCost);
        return true;
    }

    void setLive(const Json& params) override {
        const ImpalaParams changed = ImpalaParams::describe().read(params);
        params_.learning_rate = changed.learning_rate;
        params_.lr_horizon = changed.lr_horizon;
        params_.entropy_cost = changed.entropy_cost;
        advantages_.novelty().setCost(changed.novelty_cost);
    }

    void archive(Archive& archive) override {
        archive.field("entropy cost", log_entropy_cost_, range(-kMaxLogCost, kMaxLogCost));
        advantages_.novelty().archive(archive);
    }

private:
    const Novelty& novelty() const { return advantages_.novelty(); }
    bool learnsEntropyCost() const { return params_.entropy_control == "target"; }
    double entropyCost() const {
        return learnsEntropyCost() ? std::exp(log_entropy_cost_) : params_.entropy_cost;
    }

    ImpalaParams params_;
    PolicyEvaluator policy_;
    Advantages advantages_;
    double log_entropy_cost_;  // used if the entropy cost is learned
};

void Vtrace::learn(Step& step) const {
    const Step::Heads heads = step.forward(0, {.part = Step::Part::all}, Keep::tape);
    const NetIo io{heads.plan, heads.data, step.gradients(0)};
    const Chunk& chunk = step.chunk();
    double* sums = step.sums();
    SEEDBED_CHECK(chunk.steps > 1, "a V-trace chunk ends with the bootstrap row");
    const auto rows = static_cast<std::size_t>(chunk.rows());
    const std::size_t learned = rows - static_cast<std::size_t>(chunk.sequences);
    const ValueColumn column(*io.plan);
    const PolicyTerms terms = policy_.evaluate(chunk, io);

    const auto [value, target, advantage, weight] = scratchColumns<4>(rows);
    column.copy(io.heads, rows, value);
    vtrace({.steps = chunk.steps - 1,
            .columns = chunk.sequences,
            .reward = chunk.reward,
            .discount = chunk.discount,
            .value = value,
            .last_value = value + learned,
            .valid = chunk.valid,
            .gamma = params_.gamma},
           terms.log_ratio,
           {.lambda = params_.lambda,
            .rho_bar = params_.rho_bar,
            .c_bar = params_.c_bar,
            .pg_rho_bar = params_.pg_rho_bar},
           target, advantage);
    if (novelty().isOn())
        for (std::size_t i = 0; i < learned; ++i) advantage[i] += chunk.advantage[i];

    const double scale = params_.reduction == "sum" ? 1.0 : 1.0 / chunk.valid_rows, cost = entropyCost();
    const double sigma = chunk.value_scale;
    const auto policy_scale = static_cast<float>(-scale / sigma),
               value_scale = static_cast<float>(scale * params_.value_cost / (sigma * sigma));
    const auto log_rho_bar = static_cast<float>(std::log(params_.rho_bar));
    std::fill(weight + learned, weight + paddedRows(rows), 0.0f);
    for (std::size_t i = 0; i < learned; ++i) {
        weight[i] = policy_scale * advantage[i];  // 0 where valid = 0
        if (chunk.valid[i] == 0) continue;
        const float error = value[i] - target[i];
        sums[0] -= static_cast<double>(advantage[i]) * (terms.log_ratio[i] + chunk.log_prob[i]);
        sums[1] += 0.5 * error * error;
        sums[2] += terms.entropy[i];
        sums[3] += terms.kl[i];
        sums[4] += terms.log_ratio[i] > log_rho_bar ? 1.0 : 0.0;
        sums[5] += cost;
        io.gradients[i * column.stride + column.begin] += value_scale * error;
    }
    policy_.addGradients(chunk, io, weight, static_cast<float>(-cost * scale));
    if (params_.kl_cost > 0) policy_.addKlGradients(chunk, io, static_cast<float>(params_.kl_cost * scale));
    if (novelty().isOn())
        novelty().learn(step, heads, io.gradients, params_.value_cost * scale * chunk.valid_rows,
                        sums + kVtraceMetrics.size());
    step.backward(0, io.gradients);
}

}  // namespace

SEEDBED_REGISTER_ALGORITHM(vtrace,
                           (AlgorithmEntry{.id = "vtrace",
                                           .aliases = {"impala"},
                                           .help = "Actor-critic with targets corrected for data from older "
                                                   "parameters (IMPALA, Espeholt et al. 2018).",
                                           .params = &ImpalaParams::describe().schema(),
                                           .make = makeAlgorithm<ImpalaParams, Vtrace>}));

}  // namespace seedbed
