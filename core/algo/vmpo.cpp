// SPDX-License-Identifier: Apache-2.0
// V-MPO (Song et al., "V-MPO: On-Policy Maximum a Posteriori Policy Optimization for Discrete and Continuous
// Control", arXiv:1909.12238): maximises the likelihood of the better half of the actions, weighted by
// exp(A / eta), within a KL trust region around the acting policy, which is a copy of the learned policy.
//
// Differences from the paper: the multipliers are trained by their logarithms with a separate learning
// rate instead of being projected onto positive numbers; means include rows with valid = 1 only; advantages
// of rows from older parameters may be corrected (the paper does not correct them).
//
// Published settings for Atari and DMLab: eta 1 with epsilon_eta 0.01 (pixels: 0.1), alpha 5 with
// epsilon_alpha 0.001 to 0.01; for continuous control, both alphas 1, with epsilon 0.005 to 0.01 for the mean
// and 5e-6 to 5e-5 for the covariance.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>

#include "core/algo/actor_critic.hpp"
#include "core/algo/advantages.hpp"

namespace seedbed {
namespace {

struct VmpoParams {
    int rollout_length = 64;
    int epochs = 1;
    int minibatches = 4;
    double gamma = 0.99;
    std::string advantages = "n_step";
    double lambda = 0.95;
    int n_step = 0;
    std::string correction = "auto";
    double rho_bar = 1;
    double c_bar = 1;
    double learning_rate = 3e-4;
    std::string lr_schedule = "constant";
    std::int64_t lr_horizon = 1'000'000;
    double lr_end = 0;
    std::int64_t target_period = 10;
    double value_cost = 1;
    double temperature = 1;
    double temperature_limit = 0.01;
    double kl_cost = 1;
    double kl_limit = 0.01;
    double covariance_kl_limit = 5e-5;
    double multiplier_rate = 0.01;
    bool skip_forced = false;
    bool popart = false;
    double popart_rate = 0.01;
    std::string novelty = "none";
    double novelty_cost = 0.5;
    double novelty_gamma = 0.99;
    double novelty_share = 0.25;

    static const Description<VmpoParams>& describe();
};

void describeData(Description<VmpoParams>& d) {
    using P = VmpoParams;
    d.field(&P::rollout_length, "rollout_length", "Decisions per environment between two updates.",
            {.unit = "steps", .min = 1, .max = 1e6, .level = Level::recipe})
        .field(&P::epochs, "epochs", "Passes over the data of one update.",
               {.min = 1, .max = 1000, .level = Level::recipe})
        .field(&P::minibatches, "minibatches",
               "Optimiser steps per epoch: the data are divided into this many random parts.",
               {.min = 1, .max = 1e6, .level = Level::recipe});
    describeAdvantages(d);
    describeLinearRate(d);
}

void describeLoss(Description<VmpoParams>& d) {
    using P = VmpoParams;
    d.field(&P::target_period, "target_period",
            "Optimiser steps between copies of the learned policy to the acting policy.",
            {.unit = "optimiser steps", .min = 1, .max = 1e9, .level = Level::recipe})
        .field(&P::value_cost, "value_cost", "Weight of half the squared value error in the loss.",
               {.min = 0, .level = Level::recipe})
        .field(&P::temperature, "temperature",
               "Initial temperature eta of the weights exp(advantage / eta); it is learned.",
               {.min = 1e-6, .max = 1e6})
        .field(&P::temperature_limit, "temperature_limit",
               "Target divergence of the weights from equal weights; the learned temperature keeps it.",
               {.unit = "nats", .min = 0, .max = 1e3, .level = Level::recipe})
        .field(&P::kl_cost, "kl_cost",
               "Initial weight alpha of the divergence from the acting policy; it is learned.",
               {.min = 1e-6, .max = 1e6})
        .field(&P::kl_limit, "kl_limit",
               "Target divergence from the acting policy, which kl_cost keeps; for continuous actions, that "
               "of the "
               "means.",
               {.unit = "nats", .min = 0, .max = 1e3, .level = Level::recipe})
        .field(&P::covariance_kl_limit, "covariance_kl_limit",
               "Target divergence of the standard deviations of continuous actions, which have their own "
               "weight.",
               {.unit = "nats", .min = 0, .max = 1e3, .level = Level::recipe})
        .field(&P::multiplier_rate, "multiplier_rate",
               "Step size of the logarithms of temperature and weights.", {.min = 0, .max = 10});
}

const Description<VmpoParams>& VmpoParams::describe() {
    static const Description<VmpoParams> description = [] {
        Description<VmpoParams> d("vmpo", "V-MPO (Song et al. 2020)");
        describeData(d);
        describeLoss(d);
        describePopArt(d);
        describeNovelty(d);
        return d;
    }();
    return description;
}

// A positive Lagrange multiplier, trained by gradient descent on its logarithm with Adam (Kingma & Ba 2015,
// algorithm 1).
class Multiplier {
public:
    explicit Multiplier(double value) : log_(std::log(value)) {}
    double value() const { return std::exp(log_); }
    // `slope`: derivative of the loss with respect to the value. `step`: 1 for the first step.
    void descend(double slope, double rate, std::uint64_t step) {
        const double gradient = slope * value(), steps = static_cast<double>(step);
        mean_ = kBeta1 * mean_ + (1 - kBeta1) * gradient;
        square_ = kBeta2 * square_ + (1 - kBeta2) * gradient * gradient;
        const double mean = mean_ / (1 - std::pow(kBeta1, steps)),
                     square = square_ / (1 - std::pow(kBeta2, steps));
        log_ = std::clamp(log_ - rate * mean / (std::sqrt(square) + kEpsilon), -kMaxLog, kMaxLog);
    }
    // `name` as for Archive::field().
    void archive(Archive& archive, const char* name) {
        archive.field(name, log_, range(-kMaxLog, kMaxLog))
            .field(name, mean_, kFinite<double>)
            .field(name, square_, range(0.0, 1e300));
    }

private:
    static constexpr double kMaxLog = 20, kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;
    double log_, mean_ = 0, square_ = 0;
};

constexpr std::array kVmpoMetrics{"loss/policy",        "loss/value",          "policy/entropy",
                                  "policy/kl",          "policy/temperature",  "policy/kl_cost",
                                  "policy/kl_of_scale", "policy/scale_kl_cost"};
// The number of metrics for spaces without continuous actions.
constexpr std::size_t kDiscreteMetrics = 6;
// The acting network and the learned network.
constexpr std::size_t kActing = 0, kLearned = 1;

// Which columns of the policy head are log standard deviations (see distribution.cpp).
std::vector<char> scaleColumns(const Spaces& spaces) {
    std::vector<char> columns;
    for (const ActionLeaf& leaf : spaces.actions) {
        const bool discrete = leaf.kind == ActionLeaf::Kind::discrete;
        columns.insert(columns.end(), static_cast<std::size_t>(discrete ? leaf.n : leaf.words()), 0);
        if (!discrete) columns.insert(columns.end(), static_cast<std::size_t>(leaf.words()), 1);
    }
    return columns;
}

class Vmpo final : public Algorithm {
public:
    Vmpo(VmpoParams params, const ActionDistribution& distribution)
        : params_(std::move(params)),
          distribution_(distribution),
          advantages_(advantagesOf(params_), noveltyOf(params_), distribution, Advantages::OwnRatio::excluded,
                      kLearned + 1),
          is_scale_(scaleColumns(distribution.spaces())),
          has_scale_(std::ranges::count(is_scale_, 1) > 0),
          temperature_(params_.temperature),
          kl_cost_(params_.kl_cost),
          scale_kl_cost_(params_.kl_cost) {}

    std::vector<NetworkDecl> networks() const override {
        NetworkDecl acting = actorCriticNetwork(params_.popart), learned = acting;
        acting.trained = false;
        acting.follow = Follow{.of = kLearned, .tau = 1, .every = params_.target_period};
        learned.name = "learned";
        learned.copy_of = kActing;
        std::vector<NetworkDecl> networks{acting, learned};
        novelty().declare(networks);
        return networks;
    }
    LearnPlan plan() const override {
        return {.rollout_length = params_.rollout_length,
                .epochs = params_.epochs,
                .minibatches = params_.minibatches,
                .skips_forced = params_.skip_forced};
    }
    std::vector<std::string> metrics() const override {
        std::vector<std::string> names(kVmpoMetrics.begin(), kVmpoMetrics.begin() + ownMetrics());
        if (novelty().isOn()) std::ranges::copy(Novelty::metrics(), std::back_inserter(names));
        return names;
    }
    std::size_t batchBytes(const NetPlan& acting, std::size_t rows, bool lagging) const override {
        return advantages_.batchBytes(acting, rows, lagging) + rows * sizeof(float);
    }
    double learningRate(const Progress& progress) const override {
        return params_.lr_schedule == "linear" ? linearRate(params_, progress) : params_.learning_rate;
    }
    Result<> prepare(Batch& batch, const Progress&, const EvaluateNetwork& evaluate) override {
        return advantages_.prepare(batch, evaluate);
    }
    void minibatchBegin(const Batch& batch, const MinibatchRows& rows) override;
    std::string shardsProblem() const override {
        return "algo.id=vmpo computes its weights from all rows of a minibatch together";
    }
    std::span<const TargetMoments> targetMoments() const override { return advantages_.targetMoments(); }
    double popArtRate() const override { return params_.popart_rate; }
    void learn(Step& step) const override;
    bool minibatchDone(std::span<const double> sums, double valid_rows) override;
    void setLive(const Json& params) override {
        const VmpoParams changed = VmpoParams::describe().read(params);
        params_.learning_rate = changed.learning_rate;
        params_.lr_horizon = changed.lr_horizon;
        advantages_.novelty().setCost(changed.novelty_cost);
    }
    void archive(Archive& archive) override {
        archive.any(multiplier_steps_);
        temperature_.archive(archive, "temperature");
        kl_cost_.archive(archive, "weight of the divergence");
        scale_kl_cost_.archive(archive, "weight of the divergence of deviations");
        advantages_.novelty().archive(archive);
    }

private:
    // Columns of scratch memory for the rows of a chunk.
    struct Rows {
        int count = 0, words = 0;
        float *value, *log_prob, *entropy, *kl, *weight;  // [rows]
        float *acting, *moved, *gradient;                 // policy parameters [rows, words]
    };
    struct Kl {
        const Multiplier& cost;
        char scale;  // 1: cost of the standard deviations; 0: cost of means and choices
    };

    const Novelty& novelty() const { return advantages_.novelty(); }
    std::size_t ownMetrics() const { return has_scale_ ? kVmpoMetrics.size() : kDiscreteMetrics; }
    Rows scratchRows(int count) const;
    void learnWeighted(const Chunk& chunk, const NetIo& io, const Rows& rows, double* sums) const;
    double learnKl(const Chunk& chunk, const NetIo& io, const Rows& rows, const Kl& kl) const;

    VmpoParams params_;
    ActionDistribution distribution_;
    Advantages advantages_;
    std::vector<char> is_scale_;
    bool has_scale_;
    Multiplier temperature_, kl_cost_, scale_kl_cost_;
    std::uint64_t multiplier_steps_ = 0;
    // For the current minibatch; the better half has advantages of at least the threshold.
    float threshold_ = 0;
    double eta_ = 1;  // the temperature in units of the returns
    double top_ = 0, weight_sum_ = 1, temperature_slope_ = 0;
    std::vector<float> sorted_;  // scratch
};

// Computes the normaliser of the weights psi (eq. 3) and the slope of the temperature's loss (eq. 4),
//   eta epsilon_eta + eta log mean exp(A / eta),
// both over the better half of the minibatch. Rows whose advantage equals that of the last row in this half
// are included.
void Vmpo::minibatchBegin(const Batch& batch, const MinibatchRows& rows) {
    sorted_.clear();
    for (const std::uint32_t unit : rows.units)
        for (std::size_t t = 0; t < rows.steps; ++t)
            if (const std::size_t row = unit + t * rows.columns; batch.valid[row] != 0)
                sorted_.push_back(batch.advantage[row]);
    if (sorted_.empty()) return;
    const auto half = sorted_.begin() + static_cast<std::ptrdiff_t>((sorted_.size() - 1) / 2);
    std::nth_element(sorted_.begin(), half, sorted_.end(), std::greater<>());
    threshold_ = *half;
    top_ = static_cast<double>(*std::max_element(sorted_.begin(), half + 1));
    eta_ = temperature_.value() * batch.value_scale;
    double count = 0, weighted = 0;
    weight_sum_ = 0;
    for (const float advantage : sorted_) {
        if (advantage < threshold_) continue;
        const double below = (static_cast<double>(advantage) - top_) / eta_, weight = std::exp(below);
        weight_sum_ += weight;
        weighted += weight * below;
        ++count;
    }
    temperature_slope_ = params_.temperature_limit + std::log(weight_sum_ / count) - weighted / weight_sum_;
}

Vmpo::Rows Vmpo::scratchRows(int count) const {
    const auto rows = static_cast<std::size_t>(count),
               words = static_cast<std::size_t>(distribution_.words());
    float* next = algorithmScratch(rows * (5 + 3 * words));
    const auto take = [&](std::size_t width) { return std::exchange(next, next + rows * width); };
    Rows r{.count = count, .words = distribution_.words()};
    for (float** column : {&r.value, &r.log_prob, &r.entropy, &r.kl, &r.weight}) *column = take(1);
    for (float** panel : {&r.acting, &r.moved, &r.gradient}) *panel = take(words);
    return r;
}

void Vmpo::learn(Step& step) const {
    const Step::Heads acting = step.forward(kActing, {}, Keep::nothing);
    const Step::Heads heads = step.forward(kLearned, {}, Keep::tape);
    const NetIo io{heads.plan, heads.data, step.gradients(kLearned)};
    const Chunk& chunk = step.chunk();
    double* sums = step.sums();
    const Rows rows = scratchRows(chunk.rows());
    const auto count = static_cast<std::size_t>(rows.count), words = static_cast<std::size_t>(rows.words);
    const auto stride = static_cast<std::size_t>(io.plan->head_words),
               begin = static_cast<std::size_t>(io.plan->head("policy")->begin);
    for (std::size_t row = 0; row < count; ++row)
        std::copy_n(acting.data + row * stride + begin, words, rows.acting + row * words);

    learnWeighted(chunk, io, rows, sums);
    sums[3] += learnKl(chunk, io, rows, {kl_cost_, 0});
    if (has_scale_) sums[6] += learnKl(chunk, io, rows, {scale_kl_cost_, 1});

    const ValueColumn column(*io.plan);
    column.copy(io.heads, count, rows.value);
    const double value_scale =
        params_.value_cost / (chunk.valid_rows * chunk.value_scale * chunk.value_scale);
    for (std::size_t row = 0; row < count; ++row) {
        if (chunk.valid[row] == 0) continue;
        const double error = static_cast<double>(rows.value[row]) - static_cast<double>(chunk.target[row]);
        sums[1] += 0.5 * error * error;
        sums[4] += temperature_.value();
        sums[5] += kl_cost_.value();
        if (has_scale_) sums[7] += scale_kl_cost_.value();
        io.gradients[row * stride + column.begin] += static_cast<float>(value_scale * error);
    }
    if (novelty().isOn()) novelty().learn(step, heads, io.gradients, params_.value_cost, sums + ownMetrics());
    step.backward(kLearned, io.gradients);
}

// Eq. 3: the gradient of -sum psi log pi(a|x) over the better half, whose weights psi sum to 1.
void Vmpo::learnWeighted(const Chunk& chunk, const NetIo& io, const Rows& rows, double* sums) const {
    const int stride = io.plan->head_words, begin = io.plan->head("policy")->begin;
    distribution_.logProb(rows.count, io.heads + begin, chunk.mask, chunk.action, rows.log_prob, stride);
    distribution_.entropy(rows.count, io.heads + begin, chunk.mask, chunk.action, rows.entropy, stride);
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows.count); ++row) {
        rows.weight[row] = 0;
        if (chunk.valid[row] == 0) continue;
        sums[2] += static_cast<double>(rows.entropy[row]);
        if (chunk.advantage[row] < threshold_) continue;
        const double below = static_cast<double>(chunk.advantage[row]) - top_,
                     psi = std::exp(below / eta_) / weight_sum_;
        rows.weight[row] = static_cast<float>(-psi);
        // Multiplied by the number of rows, because the learner divides by it.
        sums[0] -= psi * static_cast<double>(rows.log_prob[row]) * chunk.valid_rows;
    }
    distribution_.addLogProbGradient(rows.count, io.heads + begin, chunk.mask, chunk.action, rows.weight,
                                     io.gradients + begin, stride);
}

// Eq. 5: the gradient of alpha KL(acting || learned), a mean over the rows. For Gaussians, the divergence is
// the sum of a divergence of the means, with the acting policy's deviations, and a divergence of the
// deviations, with the acting policy's means (Abdolmaleki et al., "Relative Entropy Regularized Policy
// Iteration", arXiv:1812.02256, section 4). Returns the sum of the divergence over the rows.
double Vmpo::learnKl(const Chunk& chunk, const NetIo& io, const Rows& rows, const Kl& kl) const {
    const auto count = static_cast<std::size_t>(rows.count), words = static_cast<std::size_t>(rows.words);
    const auto stride = static_cast<std::size_t>(io.plan->head_words),
               begin = static_cast<std::size_t>(io.plan->head("policy")->begin);
    const auto cost = static_cast<float>(kl.cost.value() / chunk.valid_rows);
    for (std::size_t row = 0; row < count; ++row) {
        rows.weight[row] = chunk.valid[row] != 0 ? cost : 0.0f;
        for (std::size_t i = 0; i < words; ++i)
            rows.moved[row * words + i] =
                is_scale_[i] == kl.scale ? io.heads[row * stride + begin + i] : rows.acting[row * words + i];
    }
    distribution_.kl(rows.count, rows.acting, rows.moved, chunk.mask, rows.kl);
    std::fill_n(rows.gradient, count * words, 0.0f);
    distribution_.addKlGradient(rows.count, rows.acting, rows.moved, chunk.mask, rows.weight, rows.gradient);
    double sum = 0;
    for (std::size_t row = 0; row < count; ++row) {
        if (chunk.valid[row] == 0) continue;
        sum += static_cast<double>(rows.kl[row]);
        for (std::size_t i = 0; i < words; ++i)
            if (is_scale_[i] == kl.scale)
                io.gradients[row * stride + begin + i] += rows.gradient[row * words + i];
    }
    return sum;
}

// Eq. 4 and 5: the losses of the multipliers, alpha (epsilon_alpha - KL) for each of the divergences.
bool Vmpo::minibatchDone(std::span<const double> sums, double valid_rows) {
    if (valid_rows <= 0) return true;
    ++multiplier_steps_;
    const double rate = params_.multiplier_rate;
    temperature_.descend(temperature_slope_, rate, multiplier_steps_);
    kl_cost_.descend(params_.kl_limit - sums[3] / valid_rows, rate, multiplier_steps_);
    if (has_scale_)
        scale_kl_cost_.descend(params_.covariance_kl_limit - sums[6] / valid_rows, rate, multiplier_steps_);
    return true;
}

}  // namespace

SEEDBED_REGISTER_ALGORITHM(vmpo,
                           (AlgorithmEntry{.id = "vmpo",
                                           .aliases = {"v_mpo", "V-MPO"},
                                           .help = "Maximum a posteriori policy optimisation with a learned "
                                                   "value (V-MPO, Song et al. 2020).",
                                           .params = &VmpoParams::describe().schema(),
                                           .make = makeAlgorithm<VmpoParams, Vmpo>}));

}  // namespace seedbed
