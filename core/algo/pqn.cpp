// SPDX-License-Identifier: Apache-2.0
// Parallel Q-learning (Gallici et al., "Simplifying Deep Temporal Difference Learning", ICLR 2025):
// Q-learning on the newest rollouts of many environments, without a replay or a target network. Layer
// normalisation in the network keeps learning stable (network.layer_norm).
//
// Differences from the paper: Adam instead of RAdam; a truncated episode bootstraps from its last
// observation.
#include <array>
#include <cmath>

#include "core/algo/q_learning.hpp"
#include "core/algo/returns.hpp"

namespace seedbed {
namespace {

struct PqnParams {
    int rollout_length = 32;
    int epochs = 2;
    int minibatches = 16;
    double gamma = 0.99;
    double lambda = 0.65;
    double learning_rate = 5e-4;
    std::string lr_schedule = "constant";
    std::int64_t lr_horizon = 1'000'000;
    double lr_end = 0;
    double epsilon_start = 1;
    double epsilon_end = 0.05;
    std::int64_t epsilon_horizon = 100'000;
    double epsilon_ladder = 0;

    static const Description<PqnParams>& describe();
};

void describeLearning(Description<PqnParams>& d) {
    using P = PqnParams;
    d.field(&P::rollout_length, "rollout_length", "Decisions per environment between two updates.",
            {.unit = "steps", .min = 1, .max = 1e6, .level = Level::recipe})
        .field(&P::epochs, "epochs", "Passes over the data of one update.",
               {.min = 1, .max = 1000, .level = Level::recipe})
        .field(&P::minibatches, "minibatches",
               "Optimiser steps per epoch: the data are divided into this many random parts.",
               {.min = 1, .max = 1e6, .level = Level::recipe})
        .field(&P::gamma, "gamma", "Discount factor per decision.",
               {.min = 0, .max = 1, .level = Level::recipe})
        .field(&P::lambda, "lambda",
               "Decay of the targets: 1 sums all rewards of the rollout, 0 relies on the next value.",
               {.min = 0, .max = 1, .level = Level::recipe})
        .field(&P::learning_rate, "learning_rate", "Initial step size of the optimiser.",
               {.min = 0, .max = 10, .level = Level::recipe, .live = true})
        .field(&P::lr_schedule, "lr_schedule",
               "Whether the learning rate is constant or decreases linearly over lr_horizon.",
               {.choices = {"constant", "linear"}, .level = Level::recipe})
        .field(&P::lr_horizon, "lr_horizon",
               "Length of the linear schedule, independent of when the run stops or resumes.",
               {.unit = "steps", .min = 1, .level = Level::recipe, .live = true})
        .field(&P::lr_end, "lr_end", "Learning rate at the end of the linear schedule and after it.",
               {.min = 0, .max = 10});
}

const Description<PqnParams>& PqnParams::describe() {
    static const Description<PqnParams> description = [] {
        Description<PqnParams> d("pqn", "Parallel Q-learning (Gallici et al. 2025)");
        describeLearning(d);
        describeExploration(d);
        return d;
    }();
    return description;
}

constexpr std::array kPqnMetrics{"loss/value", "value/q", "value/td_error"};

class Pqn final : public Algorithm {
public:
    Pqn(PqnParams params, const ActionDistribution& distribution)
        : params_(std::move(params)), actions_(distribution.words()) {}

    std::vector<NetworkDecl> networks() const override {
        return {{.name = "q", .heads = {{"q", "q", 0, false}}}};
    }
    LearnPlan plan() const override {
        return {.rollout_length = params_.rollout_length,
                .epochs = params_.epochs,
                .minibatches = params_.minibatches};
    }
    std::vector<std::string> metrics() const override { return {kPqnMetrics.begin(), kPqnMetrics.end()}; }
    std::size_t batchBytes(const NetPlan& acting, std::size_t rows, bool) const override {
        return rows * sizeof(float) * static_cast<std::size_t>(acting.head_words + 2);
    }
    double learningRate(const Progress& progress) const override {
        return params_.lr_schedule == "linear" ? linearRate(params_, progress) : params_.learning_rate;
    }
    ActingRule acting(const Progress& progress) const override { return epsilonGreedy(params_, progress); }

    Result<> prepare(Batch& batch, const Progress& progress, const EvaluateNetwork& evaluate) override;
    void learn(Step& step) const override;

    void setLive(const Json& params) override {
        const PqnParams changed = PqnParams::describe().read(params);
        params_.learning_rate = changed.learning_rate;
        params_.lr_horizon = changed.lr_horizon;
        params_.epsilon_end = changed.epsilon_end;
        params_.epsilon_horizon = changed.epsilon_horizon;
    }

private:
    PqnParams params_;
    int actions_ = 0;
    std::vector<float> heads_, values_, advantage_;  // scratch of prepare()
};

// Section 4, Q(lambda): R_t = r_t + gamma (lambda R_{t+1} + (1 - lambda) max_a Q(s_{t+1}, a)), which is the
// target of GAE for the values max_a Q.
Result<> Pqn::prepare(Batch& batch, const Progress&, const EvaluateNetwork& evaluate) {
    SEEDBED_ASSIGN([[maybe_unused]] const NetPlan* plan, evaluate(0, heads_));
    const auto words = static_cast<std::size_t>(actions_), rows = static_cast<std::size_t>(batch.rows());
    values_.resize(heads_.size() / words);
    for (std::size_t row = 0; row < values_.size(); ++row)
        values_[row] = *std::max_element(heads_.data() + row * words, heads_.data() + (row + 1) * words);
    batch.target.resize(rows);
    advantage_.resize(rows);
    gae({.steps = batch.steps,
         .columns = batch.columns,
         .reward = batch.reward.data(),
         .discount = batch.discount.data(),
         .value = values_.data(),
         .last_value = values_.data() + rows,
         .valid = batch.valid.data(),
         .gamma = params_.gamma},
        params_.lambda, advantage_.data(), batch.target.data());
    return {};
}

// Half the squared error of the chosen action's value.
void Pqn::learn(Step& step) const {
    const Step::Heads heads = step.forward(0, {}, Keep::tape);
    const Chunk& chunk = step.chunk();
    const auto rows = static_cast<std::size_t>(chunk.rows()), words = static_cast<std::size_t>(actions_);
    float* gradients = step.gradients(0);
    double* sums = step.sums();
    for (std::size_t row = 0; row < rows; ++row) {
        if (chunk.valid[row] == 0) continue;
        const std::size_t at = row * words + static_cast<std::size_t>(chunk.action[row]);
        const double q = heads.data[at], error = q - static_cast<double>(chunk.target[row]);
        gradients[at] = static_cast<float>(error / chunk.valid_rows);
        sums[0] += 0.5 * error * error;
        sums[1] += q;
        sums[2] += std::abs(error);
    }
    step.backward(0, gradients);
}

// Masks are not supported: returns bootstrap from the row after the rollout, whose mask is not part of a
// batch.
bool isOneFreeChoice(const Spaces& spaces) { return isOneChoice(spaces) && !spaces.has_mask; }

}  // namespace

SEEDBED_REGISTER_ALGORITHM(
    pqn,
    (AlgorithmEntry{.id = "pqn",
                    .aliases = {"PQN"},
                    .help = "Parallel Q-learning on fresh rollouts, without replay and "
                            "target network (Gallici et al. 2025).",
                    .params = &PqnParams::describe().schema(),
                    .fits = isOneFreeChoice,
                    .needs = "one discrete action without an action mask",
                    .defaults = {.settings = {{"actor", {{"num_envs", 32}}},
                                              {"network", {{"activation", "relu"}, {"layer_norm", true}}},
                                              {"optimiser", {{"max_grad_norm", 10}}}},
                                 .why = "layer norm replaces the target network"},
                    .make = makeAlgorithm<PqnParams, Pqn>}));

}  // namespace seedbed
