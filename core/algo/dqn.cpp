// SPDX-License-Identifier: Apache-2.0
// Deep Q-learning (Mnih et al., "Human-level control through deep reinforcement learning", Nature 2015) and
// its usual extensions, each a setting:
// - double Q-learning: the online network selects the action whose value the target network estimates
//   (van Hasselt et al. 2016, "Deep Reinforcement Learning with Double Q-learning", eq. 4 with the target
//   network);
// - dueling heads (Wang et al. 2016, "Dueling Network Architectures", eq. 9; a head of the network);
// - n-step returns (Sutton 1988; Hessel et al. 2018, "Rainbow", multi-step learning);
// - prioritised replay (Schaul et al. 2016, "Prioritized Experience Replay");
// - hindsight (Andrychowicz et al. 2017, "Hindsight Experience Replay");
// - quantiles of the distribution of returns (Dabney et al. 2018, "Distributional Reinforcement Learning with
//   Quantile Regression");
// - an ensemble with fixed random priors; one member selects the actions of each episode (Osband et al. 2016,
//   "Deep Exploration via Bootstrapped DQN"; 2018, "Randomized Prior Functions for Deep Reinforcement
//   Learning");
// - a ladder of epsilons over the environments (Horgan et al. 2018, section 4).
//
// Differences from the papers: a truncated episode bootstraps from its last observation; importance weights
// are divided by the largest of their batch and their exponent is constant. The clipped error of Mnih et al.
// is the gradient of the Huber loss. The members of an ensemble share the layers below their outputs, the
// loss is the mean of their losses, and evaluations use the mean of their values. Priorities of quantiles and
// members are the errors of their means.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/algo/q_learning.hpp"
#include "core/algo/quantiles.hpp"
#include "core/algo/replay_settings.hpp"
#include "core/algo/returns.hpp"
#include "core/base/rng.hpp"

namespace seedbed {
namespace {

struct DqnParams {
    int rollout_length = 32;
    std::int64_t replay_size = 100'000;
    std::int64_t replay_start = 1000;
    double replay_ratio = 8;
    int batch_size = 32;
    bool prioritised = false;
    double priority_alpha = 0.6;
    double priority_beta = 0.5;
    double hindsight = 0;
    double gamma = 0.99;
    int n_step = 1;
    bool double_q = true;
    bool dueling = false;
    std::string values = "mean";
    int value_count = 10;
    double prior_scale = 3;
    double member_share = 0.5;
    std::int64_t target_period = 500;
    double target_rate = 1;
    double learning_rate = 1e-4;
    std::string loss = "huber";
    double epsilon_start = 1;
    double epsilon_end = 0.05;
    std::int64_t epsilon_horizon = 50'000;
    double epsilon_ladder = 0;

    static const Description<DqnParams>& describe();
};

void describeValues(Description<DqnParams>& d) {
    using P = DqnParams;
    d.field(&P::values, "values",
            "What the network predicts for an action: the mean return; quantiles of the return; or an "
            "ensemble of means, one of which acts in each episode, so that exploration is consistent.",
            {.choices = {"mean", "quantiles", "ensemble"}, .level = Level::recipe})
        .field(&P::value_count, "value_count", "Number of quantiles, or of members of the ensemble.",
               {.min = 2, .max = 1000, .level = Level::recipe})
        .field(&P::prior_scale, "prior_scale",
               "Scale of the fixed random function that is added to each member of an ensemble, so that "
               "members disagree where data are missing; 0: none.",
               {.min = 0, .max = 1e6})
        .field(&P::member_share, "member_share",
               "Probability that a member of an ensemble learns from a decision; 1: all learn from all.",
               {.min = 0.01, .max = 1})
        .field(&P::loss, "loss",
               "Huber loss, whose gradient is clipped to 1, or half the squared error. Quantiles always use "
               "the former.",
               {.choices = {"huber", "squared"}});
}

const Description<DqnParams>& DqnParams::describe() {
    static const Description<DqnParams> description = [] {
        Description<DqnParams> d("dqn", "Deep Q-learning (Mnih et al. 2015)");
        describeReplay(d, {.ratio = ": optimiser steps times batch_size. One step with a batch of 32 for "
                                    "every 4 decisions is a ratio of 8."});
        describeTargets(d);
        describeLearningRate(d);
        describeValues(d);
        describeExploration(d);
        return d;
    }();
    return description;
}

constexpr std::array kDqnMetrics{"loss/value", "value/q", "value/td_error"};

class Dqn final : public Algorithm {
public:
    Dqn(DqnParams params, const ActionDistribution& distribution)
        : params_(std::move(params)),
          actions_(distribution.words()),
          parts_(params_.values == "mean" ? 1 : params_.value_count) {}

    std::vector<NetworkDecl> networks() const override {
        return valueNetworks(
            params_, {{"q", "q", 0, params_.dueling, parts_, isEnsemble() ? params_.prior_scale : 0}});
    }
    LearnPlan plan() const override { return replayPlan(params_); }
    std::vector<std::string> metrics() const override { return {kDqnMetrics.begin(), kDqnMetrics.end()}; }
    double learningRate(const Progress&) const override { return params_.learning_rate; }

    ActingRule acting(const Progress& progress) const override {
        ActingRule rule = epsilonGreedy(params_, progress);
        rule.members = isEnsemble() ? parts_ : 1;
        return rule;
    }

    void learn(Step& step) const override;

    void setLive(const Json& params) override { setLiveFields(params_, params); }

private:
    // The estimates of all actions in one row, [actions, parts], and their means.
    const float* parts(const Step::Heads& heads, std::size_t row) const { return heads.data + row * words(); }
    const float* means(const Step::Heads& heads, std::size_t row) const {
        return parts(heads, row) + (parts_ > 1 ? size(actions_ * parts_) : 0);
    }
    // Must match the layout of the heads in buildPlan().
    std::size_t words() const { return size(actions_ * parts_ + (parts_ > 1 ? actions_ : 0)); }
    static std::size_t size(int n) { return static_cast<std::size_t>(n); }
    bool isEnsemble() const { return params_.values == "ensemble"; }
    int bestOfMember(const float* parts, int member, const std::uint8_t* mask) const;
    void bestActions(const Step::Heads& heads, const Chunk& chunk, float* best) const;
    void successorValues(Step& step, float* values) const;
    double lossOf(double error) const;
    double learnRow(const Chunk& chunk, std::size_t row, const float* targets, const float* parts,
                    double weight, float* gradients) const;

    DqnParams params_;
    int actions_ = 0, parts_ = 1;
};

int Dqn::bestOfMember(const float* parts, int member, const std::uint8_t* mask) const {
    int best = -1;
    for (int a = 0; a < actions_; ++a)
        if ((mask == nullptr || mask[a] != 0) &&
            (best < 0 || parts[a * parts_ + member] > parts[best * parts_ + member]))
            best = a;
    return std::max(best, 0);
}

// The best actions of the successors according to the means or to each member: [rows, parts].
void Dqn::bestActions(const Step::Heads& heads, const Chunk& chunk, float* best) const {
    for (std::size_t row = 0; row < heads.rows; ++row) {
        const std::uint8_t* mask =
            chunk.successor_mask == nullptr ? nullptr : chunk.successor_mask + row * size(actions_);
        float* to = best + row * size(parts_);
        if (isEnsemble())
            for (int j = 0; j < parts_; ++j)
                to[j] = static_cast<float>(bestOfMember(parts(heads, row), j, mask));
        else std::fill_n(to, parts_, static_cast<float>(bestAction(means(heads, row), actions_, mask)));
    }
}

// Mnih et al. 2015, section "Training algorithm": max_a Q(s', a; theta-); van Hasselt et al. 2016:
// Q(s', argmax_a Q(s', a; theta); theta-). values: [rows, parts].
void Dqn::successorValues(Step& step, float* values) const {
    const Chunk& chunk = step.chunk();
    if (params_.double_q)
        bestActions(step.forward(0, {.part = Step::Part::successors}, Keep::nothing), chunk, values);
    const Step::Heads target = step.forward(1, {.part = Step::Part::successors}, Keep::nothing);
    if (!params_.double_q) bestActions(target, chunk, values);
    for (std::size_t row = 0; row < target.rows; ++row)
        for (std::size_t j = 0; j < size(parts_); ++j) {
            float& value = values[row * size(parts_) + j];
            value = parts(target, row)[static_cast<std::size_t>(value) * size(parts_) + j];
        }
}

double Dqn::lossOf(double error) const {
    const double size = std::abs(error);
    return params_.loss == "huber" && size > 1 ? size - 0.5 : 0.5 * error * error;
}

// Whether a member learns from a row: a fixed pseudo-random function of both, so that no masks need to be
// stored.
bool learnsFrom(const RowRef& ref, int member, double share) {
    const auto words =
        philox4x32({static_cast<std::uint32_t>(ref.t), static_cast<std::uint32_t>(ref.t >> 32),
                    static_cast<std::uint32_t>(ref.column), static_cast<std::uint32_t>(ref.group)},
                   {static_cast<std::uint32_t>(member / 4), 0x6d656d62});
    return words[static_cast<std::size_t>(member % 4)] * 0x1p-32 < share;
}

// The loss of one row and its gradient times `weight`. targets, parts and gradients: [parts] of the action.
double Dqn::learnRow(const Chunk& chunk, std::size_t row, const float* targets, const float* parts,
                     double weight, float* gradients) const {
    if (params_.values == "quantiles") return quantileLoss(parts, targets, parts_, weight, gradients);
    double loss = 0;
    for (int j = 0; j < parts_; ++j) {
        if (isEnsemble() && params_.member_share < 1 && !learnsFrom(chunk.refs[row], j, params_.member_share))
            continue;
        const double error = static_cast<double>(targets[j]) - static_cast<double>(parts[j]);
        const double clipped = params_.loss == "huber" ? std::clamp(error, -1.0, 1.0) : error;
        gradients[j] = static_cast<float>(-weight * clipped / parts_);
        loss += lossOf(error) / parts_;
    }
    return loss;
}

void Dqn::learn(Step& step) const {
    const Chunk& chunk = step.chunk();
    const std::size_t sequences = size(chunk.sequences), rows = size(chunk.learned) * sequences,
                      count = size(parts_);
    const auto [targets] = scratchColumns<1>(rows * count);
    successorValues(step, targets);
    const Step::Heads heads = step.forward(0, {}, Keep::tape);
    float* gradients = step.gradients(0);
    double* sums = step.sums();
    float* priorities = step.priorities();
    for (std::size_t row = 0; row < rows; ++row) {
        if (chunk.valid[row] == 0) continue;
        const NStepReturn ahead = nStepReturn(chunk.reward + row, chunk.discount + row, chunk.valid + row,
                                              sequences, params_.n_step, params_.gamma);
        const std::size_t at = static_cast<std::size_t>(chunk.action[row]) * count;
        const float* own = parts(heads, row) + at;
        double q = 0, target = 0;
        for (std::size_t j = 0; j < count; ++j) {
            float& value = targets[row * count + j];
            const double sum = ahead.reward + ahead.discount * static_cast<double>(value);
            value = static_cast<float>(sum);
            q += static_cast<double>(own[j]) / parts_;
            target += sum / parts_;
        }
        const double weight =
            chunk.weight == nullptr ? 1.0 : static_cast<double>(chunk.weight[row % sequences]);
        sums[0] += weight * learnRow(chunk, row, &targets[row * count], own, weight / chunk.valid_rows,
                                     gradients + row * words() + at);
        sums[1] += q;
        sums[2] += std::abs(target - q);
        if (priorities != nullptr) priorities[row % sequences] = static_cast<float>(std::abs(target - q));
    }
    step.backward(0, gradients);
}

}  // namespace

SEEDBED_REGISTER_ALGORITHM(dqn,
                           (AlgorithmEntry{.id = "dqn",
                                           .aliases = {"DQN"},
                                           .help = "Deep Q-learning with a replay: double, dueling, n-step, "
                                                   "prioritised, hindsight, quantiles and ensembles as "
                                                   "settings (Mnih et al. 2015).",
                                           .params = &DqnParams::describe().schema(),
                                           .fits = isOneChoice,
                                           .needs = "one discrete action",
                                           .defaults = {.steps = 500'000},
                                           .make = makeAlgorithm<DqnParams, Dqn>}));

}  // namespace seedbed
