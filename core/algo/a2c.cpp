// SPDX-License-Identifier: Apache-2.0
// Advantage actor-critic: the policy gradient with a learned baseline (Sutton et al., "Policy Gradient
// Methods for Reinforcement Learning with Function Approximation", NIPS 2000) on synchronous rollouts of many
// environments, with the returns and the entropy bonus of Mnih et al., "Asynchronous Methods for Deep
// Reinforcement Learning", ICML 2016. Each row is used for learning once.
//
// Differences from the papers: the loss is a mean over the rows with valid = 1, the value error has a factor
// 1/2, and rows from older parameters are corrected by V-trace instead of being used unchanged.
#include <algorithm>
#include <array>
#include <iterator>

#include "core/algo/actor_critic.hpp"
#include "core/algo/advantages.hpp"
#include "core/algo/policy_terms.hpp"

namespace seedbed {
namespace {

struct A2cParams {
    int rollout_length = 5;
    double gamma = 0.99;
    std::string advantages = "n_step";
    double lambda = 0.95;
    int n_step = 0;
    std::string correction = "auto";
    double rho_bar = 1;
    double c_bar = 1;
    double learning_rate = 7e-4;
    std::string lr_schedule = "constant";
    std::int64_t lr_horizon = 1'000'000;
    double lr_end = 0;
    double value_cost = 0.5;
    double entropy_cost = 0.01;
    bool normalise_advantages = false;
    bool skip_forced = false;
    bool popart = false;
    double popart_rate = 0.01;
    std::string novelty = "none";
    double novelty_cost = 0.5;
    double novelty_gamma = 0.99;
    double novelty_share = 0.25;

    static const Description<A2cParams>& describe();
};

const Description<A2cParams>& A2cParams::describe() {
    using P = A2cParams;
    static const Description<P> description = [] {
        Description<P> d("a2c", "Advantage actor-critic (Mnih et al. 2016)");
        d.field(&P::rollout_length, "rollout_length", "Decisions per environment between two updates.",
                {.unit = "steps", .min = 1, .max = 1e6, .level = Level::recipe});
        describeAdvantages(d);
        describeLinearRate(d);
        d.field(&P::value_cost, "value_cost", "Weight of half the squared value error in the loss.",
                {.min = 0, .level = Level::recipe})
            .field(&P::entropy_cost, "entropy_cost",
                   "Weight of the policy's entropy, which maintains exploration.",
                   {.min = 0, .level = Level::recipe, .live = true})
            .field(&P::normalise_advantages, "normalise_advantages",
                   "Normalise the advantages of each update to mean 0 and standard deviation 1.");
        describePopArt(d);
        describeNovelty(d);
        return d;
    }();
    return description;
}

constexpr std::array kA2cMetrics{"loss/policy", "loss/value", "policy/entropy", "policy/kl"};

class A2c final : public Algorithm {
public:
    A2c(A2cParams params, const ActionDistribution& distribution)
        : params_(std::move(params)),
          policy_(distribution),
          advantages_(advantagesOf(params_), noveltyOf(params_), distribution,
                      Advantages::OwnRatio::included) {}

    std::vector<NetworkDecl> networks() const override {
        std::vector<NetworkDecl> networks{actorCriticNetwork(params_.popart)};
        novelty().declare(networks);
        return networks;
    }
    LearnPlan plan() const override {
        return {.rollout_length = params_.rollout_length, .skips_forced = params_.skip_forced};
    }
    std::vector<std::string> metrics() const override {
        std::vector<std::string> names{kA2cMetrics.begin(), kA2cMetrics.end()};
        if (novelty().isOn()) std::ranges::copy(Novelty::metrics(), std::back_inserter(names));
        return names;
    }
    std::size_t batchBytes(const NetPlan& acting, std::size_t rows, bool lagging) const override {
        return advantages_.batchBytes(acting, rows, lagging);
    }
    double learningRate(const Progress& progress) const override {
        return params_.lr_schedule == "linear" ? linearRate(params_, progress) : params_.learning_rate;
    }
    Result<> prepare(Batch& batch, const Progress&, const EvaluateNetwork& evaluate) override {
        return advantages_.prepare(batch, evaluate);
    }
    std::string shardsProblem() const override { return novelty().shardsProblem(); }
    std::span<const TargetMoments> targetMoments() const override { return advantages_.targetMoments(); }
    double popArtRate() const override { return params_.popart_rate; }
    void learn(Step& step) const override;
    void setLive(const Json& params) override {
        const A2cParams changed = A2cParams::describe().read(params);
        params_.learning_rate = changed.learning_rate;
        params_.lr_horizon = changed.lr_horizon;
        params_.entropy_cost = changed.entropy_cost;
        advantages_.novelty().setCost(changed.novelty_cost);
    }
    void archive(Archive& archive) override { advantages_.novelty().archive(archive); }

private:
    const Novelty& novelty() const { return advantages_.novelty(); }

    A2cParams params_;
    PolicyEvaluator policy_;
    Advantages advantages_;
};

// Mnih et al. 2016, algorithm S3 and section 4: the gradients of log pi(a|x) A, of H(pi) and of (R - V(x))^2.
void A2c::learn(Step& step) const {
    const Step::Heads heads = step.forward(0, {}, Keep::tape);
    const NetIo io{heads.plan, heads.data, step.gradients(0)};
    const Chunk& chunk = step.chunk();
    double* sums = step.sums();
    const auto rows = static_cast<std::size_t>(chunk.rows());
    const ValueColumn column(*io.plan);
    const PolicyTerms terms = policy_.evaluate(chunk, io);
    const auto [value, weight] = scratchColumns<2>(rows);
    column.copy(io.heads, rows, value);

    const double scale = 1 / chunk.valid_rows;
    const bool normalise = params_.normalise_advantages;
    const auto mean = static_cast<float>(normalise ? chunk.advantage_mean : 0.0),
               factor = static_cast<float>(1 / (normalise ? chunk.advantage_std + 1e-8 : chunk.value_scale)),
               value_scale =
                   static_cast<float>(scale * params_.value_cost / (chunk.value_scale * chunk.value_scale));
    std::fill(weight, weight + paddedRows(rows), 0.0f);
    for (std::size_t i = 0; i < rows; ++i) {
        if (chunk.valid[i] == 0) continue;
        const float advantage = (chunk.advantage[i] - mean) * factor, error = value[i] - chunk.target[i];
        weight[i] = static_cast<float>(-scale) * advantage;
        sums[0] -= static_cast<double>(advantage) * (terms.log_ratio[i] + chunk.log_prob[i]);
        sums[1] += 0.5 * error * error;
        sums[2] += terms.entropy[i];
        sums[3] += terms.kl[i];
        io.gradients[i * column.stride + column.begin] += value_scale * error;
    }
    policy_.addGradients(chunk, io, weight, static_cast<float>(-params_.entropy_cost * scale));
    if (novelty().isOn())
        novelty().learn(step, heads, io.gradients, params_.value_cost, sums + kA2cMetrics.size());
    step.backward(0, io.gradients);
}

}  // namespace

SEEDBED_REGISTER_ALGORITHM(a2c, (AlgorithmEntry{.id = "a2c",
                                                .aliases = {"A2C", "vpg"},
                                                .help = "Advantage actor-critic, the policy gradient with a "
                                                        "learned baseline (Mnih et al. 2016).",
                                                .params = &A2cParams::describe().schema(),
                                                .make = makeAlgorithm<A2cParams, A2c>}));

}  // namespace seedbed
