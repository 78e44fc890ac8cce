// SPDX-License-Identifier: Apache-2.0
// Proximal policy optimisation with a clipped surrogate and GAE (Schulman et al., "Proximal Policy
// Optimization Algorithms", 2017).
//
// Differences from the paper, all of them common: advantages are normalised per minibatch, value errors may
// be clipped too, the value error has a factor 1/2 (value_cost 0.5 here is 0.25 in eq. 9), and means include
// rows with valid = 1 only.
//
// Asynchronous PPO (Petrenko et al., "Sample Factory", arXiv:2006.11751): if rows come from older parameters,
// targets and advantages are computed by V-trace with the current network, once per update before the first
// epoch; later epochs reuse them, as with GAE. The clipped ratio stays relative to the behaviour policy. The
// advantage does not include rho_s of its own row, because the surrogate multiplies by that ratio (vtraceGae
// in core/algo/returns.hpp), so data from the current parameters gives plain PPO. Unlike in Sample Factory,
// V(x_T) is evaluated, not reconstructed from rewards.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "core/algo/actor_critic.hpp"
#include "core/algo/advantages.hpp"
#include "core/algo/policy_terms.hpp"
#include "core/nn/fast_math.hpp"

namespace seedbed {
namespace {

struct PpoParams {
    int rollout_length = 128;
    int epochs = 4;
    int minibatches = 4;
    double gamma = 0.99;
    std::string advantages = "gae";
    double lambda = 0.95;
    int n_step = 0;
    double learning_rate = 3e-4;
    std::string lr_schedule = "constant";
    std::int64_t lr_horizon = 1'000'000;
    double lr_end = 0;
    double desired_kl = 0.01;
    double lr_min = 1e-6;
    double lr_max = 1e-2;
    double clip = 0.2;
    std::string clip_schedule = "constant";
    double value_clip = 0;
    double value_cost = 0.5;
    double entropy_cost = 0;
    std::string entropy_schedule = "constant";
    bool normalise_advantages = true;
    double target_kl = 0;
    std::string sequence = "auto";
    std::string correction = "auto";
    double rho_bar = 1;
    double c_bar = 1;
    bool skip_forced = false;
    bool popart = false;
    double popart_rate = 0.01;
    std::string novelty = "none";
    double novelty_cost = 0.5;
    double novelty_gamma = 0.99;
    double novelty_share = 0.25;

    static const Description<PpoParams>& describe();
};

// Describes the settings of data, returns and the learning rate.
void describeData(Description<PpoParams>& d) {
    using P = PpoParams;
    d.field(&P::rollout_length, "rollout_length", "Decisions per environment between two updates.",
            {.unit = "steps", .min = 1, .max = 1e6, .level = Level::recipe})
        .field(&P::epochs, "epochs", "Passes over the data of one update.",
               {.min = 1, .max = 1000, .level = Level::recipe})
        .field(&P::minibatches, "minibatches",
               "Optimiser steps per epoch: the data are divided into this many random parts.",
               {.min = 1, .max = 1e6, .level = Level::recipe});
    describeAdvantages(d);
    d.field(&P::learning_rate, "learning_rate", "Initial step size of the optimiser.",
            {.min = 0, .max = 10, .level = Level::recipe, .live = true})
        .field(&P::lr_schedule, "lr_schedule",
               "Schedule of the learning rate: constant, linear over lr_horizon, or adapted so that each "
               "update changes the policy by about desired_kl.",
               {.choices = {"constant", "linear", "kl_adaptive"}, .level = Level::recipe})
        .field(&P::lr_horizon, "lr_horizon", "Length of linear schedules, independent of when the run stops.",
               {.unit = "steps", .min = 1, .level = Level::recipe, .live = true})
        .field(&P::lr_end, "lr_end", "Learning rate at the end of the linear schedule and after it.",
               {.min = 0, .max = 10})
        .field(&P::desired_kl, "desired_kl",
               "Target change of the policy per update for the schedule kl_adaptive.",
               {.unit = "nats", .min = 1e-8, .max = 10})
        .field(&P::lr_min, "lr_min", "Lower bound of the schedule kl_adaptive.", {.min = 0, .max = 10})
        .field(&P::lr_max, "lr_max", "Upper bound of the schedule kl_adaptive.", {.min = 0, .max = 10});
}

void describeLoss(Description<PpoParams>& d) {
    using P = PpoParams;
    d.field(&P::clip, "clip",
            "Maximum deviation of the probability ratio from 1; beyond it the gradient is zero.",
            {.min = 0, .max = 1, .level = Level::recipe})
        .field(&P::clip_schedule, "clip_schedule",
               "Whether clip is constant or decreases linearly to 0 over lr_horizon.",
               {.choices = {"constant", "linear"}})
        .field(&P::value_clip, "value_clip",
               "Maximum change of a value estimate, with popart in standard deviations; beyond it the "
               "gradient is zero. 0 disables it.",
               {.min = 0})
        .field(&P::value_cost, "value_cost", "Weight of half the squared value error in the loss.",
               {.min = 0, .level = Level::recipe})
        .field(&P::entropy_cost, "entropy_cost",
               "Weight of the policy's entropy, which maintains exploration.",
               {.min = 0, .level = Level::recipe, .live = true})
        .field(&P::entropy_schedule, "entropy_schedule",
               "Whether entropy_cost is constant or decreases linearly to 0 over lr_horizon.",
               {.choices = {"constant", "linear"}})
        .field(&P::normalise_advantages, "normalise_advantages",
               "Normalise the advantages of each minibatch to mean 0 and standard deviation 1.",
               {.level = Level::recipe})
        .field(&P::target_kl, "target_kl",
               "Ends an update early when the divergence from the behaviour policy exceeds 1.5 times this "
               "value; 0 disables it.",
               {.unit = "nats", .min = 0})
        .field(&P::sequence, "sequence",
               "columns: minibatches of whole environment columns; auto: of single rows unless the network "
               "has memory.",
               {.choices = {"auto", "columns"}});
}

const Description<PpoParams>& PpoParams::describe() {
    static const Description<PpoParams> description = [] {
        Description<PpoParams> d("ppo", "Proximal policy optimisation (Schulman et al. 2017)");
        describeData(d);
        describeLoss(d);
        describePopArt(d);
        describeNovelty(d);
        return d;
    }();
    return description;
}

// The four means of eq. 9 and how often the ratio was clipped.
constexpr std::array<const char*, 5> kPpoMetrics{"loss/policy", "loss/value", "policy/entropy", "policy/kl",
                                                 "policy/clip_fraction"};

// Arguments of the element-wise part of the loss; rows are padded to full lanes.
struct SurrogateRows {
    int rows;
    const float *log_ratio, *advantage;
    const std::uint8_t* valid;
    const float *value_now, *value_then, *target;
    float advantage_mean, advantage_scale, clip, value_clip, inverse_rows, value_weight;
    float *policy_loss, *value_loss, *clipped;  // out, 0 where invalid
    float *log_prob_weight, *value_gradient;    // out
};

SEEDBED_INLINE void surrogateLoop(const SurrogateRows& s) {
    for (int i = 0; i < s.rows; ++i) {
        const bool keep = s.valid[i] != 0;
        // Eq. 7: L = min(r A, clip(r, 1 - eps, 1 + eps) A). Where the clipped term is smaller, the gradient
        // is 0.
        const float ratio = expF(s.log_ratio[i]),
                    advantage = (s.advantage[i] - s.advantage_mean) * s.advantage_scale;
        const float low = 1.0f - s.clip, high = 1.0f + s.clip;
        const float above = ratio < low ? low : ratio, bounded = above > high ? high : above;
        const float plain = ratio * advantage, limited = bounded * advantage;
        const bool active = plain <= limited;
        s.policy_loss[i] = keep ? -(active ? plain : limited) : 0.0f;
        s.log_prob_weight[i] = keep & active ? -plain * s.inverse_rows : 0.0f;
        s.clipped[i] = keep & (bounded != ratio) ? 1.0f : 0.0f;

        // Half the squared error; with a value clip, the larger of the unclipped and the clipped error.
        const float error = s.value_now[i] - s.target[i], moved = s.value_now[i] - s.value_then[i];
        const float up = moved < -s.value_clip ? -s.value_clip : moved,
                    limited_move = up > s.value_clip ? s.value_clip : up;
        const float limited_error = (s.value_then[i] + limited_move) - s.target[i];
        const bool value_active = (error * error >= limited_error * limited_error) | (limited_move == moved);
        const float used = value_active ? error : limited_error;
        s.value_loss[i] = keep ? 0.5f * used * used : 0.0f;
        s.value_gradient[i] = keep & value_active ? error * s.value_weight : 0.0f;
    }
}

SEEDBED_VERSIONED(surrogate, surrogateLoop, (const SurrogateRows& rows), (rows))

class Ppo final : public Algorithm {
public:
    Ppo(PpoParams params, const ActionDistribution& distribution)
        : params_(std::move(params)),
          policy_(distribution),
          advantages_(advantagesOf(params_), noveltyOf(params_), distribution,
                      Advantages::OwnRatio::excluded),
          adaptive_rate_(params_.learning_rate),
          clip_(params_.clip),
          entropy_cost_(params_.entropy_cost) {}

    std::vector<NetworkDecl> networks() const override {
        std::vector<NetworkDecl> networks{actorCriticNetwork(params_.popart)};
        novelty().declare(networks);
        return networks;
    }

    LearnPlan plan() const override {
        return {.rollout_length = params_.rollout_length,
                .epochs = params_.epochs,
                .minibatches = params_.minibatches,
                .unit = params_.sequence == "columns" ? LearnPlan::Unit::columns : LearnPlan::Unit::rows,
                .skips_forced = params_.skip_forced};
    }

    std::vector<std::string> metrics() const override {
        std::vector<std::string> names{kPpoMetrics.begin(), kPpoMetrics.end()};
        if (novelty().isOn()) std::ranges::copy(Novelty::metrics(), std::back_inserter(names));
        return names;
    }
    std::size_t batchBytes(const NetPlan& acting, std::size_t rows, bool lagging) const override {
        return advantages_.batchBytes(acting, rows, lagging);
    }

    double learningRate(const Progress& progress) const override {
        if (params_.lr_schedule == "kl_adaptive") return adaptive_rate_;
        return params_.lr_schedule == "linear" ? linearRate(params_, progress) : params_.learning_rate;
    }

    Result<> prepare(Batch& batch, const Progress& progress, const EvaluateNetwork& evaluate) override {
        clip_ = params_.clip * (params_.clip_schedule == "linear" ? remaining(progress) : 1.0);
        entropy_cost_ =
            params_.entropy_cost * (params_.entropy_schedule == "linear" ? remaining(progress) : 1.0);
        return advantages_.prepare(batch, evaluate);
    }

    std::string shardsProblem() const override { return novelty().shardsProblem(); }
    std::span<const TargetMoments> targetMoments() const override { return advantages_.targetMoments(); }
    double popArtRate() const override { return params_.popart_rate; }
    void learn(Step& step) const override;

    bool minibatchDone(std::span<const double> sums, double valid_rows) override {
        // As in Stable-Baselines3, the update ends early if the KL exceeds 1.5 times target_kl.
        return params_.target_kl <= 0 || sums[3] <= 1.5 * params_.target_kl * valid_rows;
    }

    void updateDone(std::span<const double> sums, double valid_rows) override {
        if (params_.lr_schedule != "kl_adaptive" || valid_rows <= 0) return;
        // Factors as in Sample Factory and rsl_rl: the rate changes by a factor of 1.5 when the KL leaves
        // [desired / 2, 2 desired]; here it changes once per update, based on the mean over the minibatches.
        const double kl = sums[3] / valid_rows;
        if (kl > 2 * params_.desired_kl) adaptive_rate_ = std::max(params_.lr_min, adaptive_rate_ / 1.5);
        else if (kl < 0.5 * params_.desired_kl)
            adaptive_rate_ = std::min(params_.lr_max, adaptive_rate_ * 1.5);
    }

    void setLive(const Json& params) override {
        const PpoParams changed = PpoParams::describe().read(params);
        // The adaptive rate keeps its ratio to the configured rate.
        if (params_.learning_rate > 0) adaptive_rate_ *= changed.learning_rate / params_.learning_rate;
        params_.learning_rate = changed.learning_rate;
        params_.lr_horizon = changed.lr_horizon;
        params_.entropy_cost = changed.entropy_cost;
        advantages_.novelty().setCost(changed.novelty_cost);
    }

    void archive(Archive& archive) override {
        archive.field("adaptive learning rate", adaptive_rate_, range(0.0, 1e30));
        advantages_.novelty().archive(archive);
    }

private:
    SurrogateRows surrogateRows(const Chunk& chunk) const;
    const Novelty& novelty() const { return advantages_.novelty(); }
    double remaining(const Progress& progress) const {
        return remainingFraction(progress, params_.lr_horizon);
    }

    PpoParams params_;
    PolicyEvaluator policy_;
    Advantages advantages_;
    double adaptive_rate_;
    // Values of the current update, set by prepare().
    double clip_, entropy_cost_;
};

// The arguments of the element-wise part that depend only on the configuration and the minibatch.
SurrogateRows Ppo::surrogateRows(const Chunk& chunk) const {
    const bool normalise = params_.normalise_advantages;
    const double inverse_rows = 1.0 / chunk.valid_rows;
    SurrogateRows rows{};
    rows.rows = chunk.rows();
    rows.advantage = chunk.advantage;
    rows.valid = chunk.valid;
    rows.value_then = chunk.value;
    rows.target = chunk.target;
    rows.advantage_mean = normalise ? static_cast<float>(chunk.advantage_mean) : 0.0f;
    rows.advantage_scale =
        static_cast<float>(1.0 / (normalise ? chunk.advantage_std + 1e-8 : chunk.value_scale));
    rows.clip = static_cast<float>(clip_);
    rows.value_clip =
        params_.value_clip > 0 ? static_cast<float>(params_.value_clip * chunk.value_scale) : INFINITY;
    rows.inverse_rows = static_cast<float>(inverse_rows);
    rows.value_weight =
        static_cast<float>(params_.value_cost * inverse_rows / (chunk.value_scale * chunk.value_scale));
    return rows;
}

void Ppo::learn(Step& step) const {
    const Step::Heads heads = step.forward(0, {}, Keep::tape);
    const NetIo io{heads.plan, heads.data, step.gradients(0)};
    const Chunk& chunk = step.chunk();
    double* sums = step.sums();
    const auto rows = static_cast<std::size_t>(chunk.rows());
    const ValueColumn value(*io.plan);
    const PolicyTerms terms = policy_.evaluate(chunk, io);

    const auto [value_now, policy_loss, value_loss, clipped, log_prob_weight, value_gradient] =
        scratchColumns<6>(rows);
    value.copy(io.heads, rows, value_now);
    SurrogateRows surrogate_rows = surrogateRows(chunk);
    surrogate_rows.log_ratio = terms.log_ratio;
    surrogate_rows.value_now = value_now;
    surrogate_rows.policy_loss = policy_loss;
    surrogate_rows.value_loss = value_loss;
    surrogate_rows.clipped = clipped;
    surrogate_rows.log_prob_weight = log_prob_weight;
    surrogate_rows.value_gradient = value_gradient;
    surrogate(surrogate_rows);

    for (std::size_t i = 0; i < rows; ++i) {
        sums[0] += policy_loss[i];
        sums[1] += value_loss[i];
        sums[2] += terms.entropy[i];
        sums[3] += terms.kl[i];
        sums[4] += clipped[i];
    }
    // Eq. 9 is maximised; the loss is its negative.
    const double entropy_weight = -entropy_cost_ * (1.0 / chunk.valid_rows);
    policy_.addGradients(chunk, io, log_prob_weight, static_cast<float>(entropy_weight));
    for (std::size_t i = 0; i < rows; ++i) io.gradients[i * value.stride + value.begin] += value_gradient[i];
    if (novelty().isOn())
        novelty().learn(step, heads, io.gradients, params_.value_cost, sums + kPpoMetrics.size());
    step.backward(0, io.gradients);
}

}  // namespace

SEEDBED_REGISTER_ALGORITHM(
    ppo,
    (AlgorithmEntry{.id = "ppo",
                    .aliases = {"PPO"},
                    .help = "Proximal policy optimisation with a clipped surrogate (Schulman et al. 2017).",
                    .params = &PpoParams::describe().schema(),
                    .make = makeAlgorithm<PpoParams, Ppo>}));

}  // namespace seedbed
