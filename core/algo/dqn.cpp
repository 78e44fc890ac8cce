// SPDX-License-Identifier: Apache-2.0
// Deep Q-learning (Mnih et al., "Human-level control through deep reinforcement learning", Nature 2015) and
// its usual extensions, each a setting:
// - double Q-learning: the online network selects the action whose value the target network estimates (van
// Hasselt
//   et al. 2016, "Deep Reinforcement Learning with Double Q-learning", eq. 4 with the target network);
// - dueling heads (Wang et al. 2016, "Dueling Network Architectures", eq. 9; a head of the network);
// - n-step returns (Sutton 1988; Hessel et al. 2018, "Rainbow", multi-step learning);
// - prioritised replay (Schaul et al. 2016, "Prioritized Experience Replay");
// - hindsight (Andrychowicz et al. 2017, "Hindsight Experience Replay");
// - a ladder of epsilons over the environments (Horgan et al. 2018, section 4).
//
// Differences from the papers: a truncated episode bootstraps from its last observation; importance weights
// are divided by the largest of their batch and their exponent is constant. The clipped error of Mnih et al.
// is the gradient of the Huber loss.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/algo/q_learning.hpp"
#include "core/algo/returns.hpp"

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

void describeReplay(Description<DqnParams>& d) {
    using P = DqnParams;
    d.field(&P::rollout_length, "rollout_length", "Decisions per environment between two updates.",
            {.unit = "steps", .min = 1, .max = 1e6, .level = Level::recipe})
        .field(&P::replay_size, "replay_size",
               "Decisions that the replay keeps; the oldest are dropped first.",
               {.unit = "steps", .min = 1, .max = 1e9, .level = Level::recipe})
        .field(&P::replay_start, "replay_start", "Decisions in the replay before learning starts.",
               {.unit = "steps", .min = 1, .max = 1e9, .level = Level::recipe})
        .field(&P::replay_ratio, "replay_ratio",
               "Decisions learned from per decision made: optimiser steps times batch_size. One step with a "
               "batch of 32 for every 4 decisions is a ratio of 8.",
               {.min = 1e-6, .max = 1e6, .level = Level::recipe})
        .field(&P::batch_size, "batch_size", "Decisions per optimiser step, drawn from the replay.",
               {.unit = "steps", .min = 1, .max = 1e6, .level = Level::recipe})
        .field(&P::prioritised, "prioritised",
               "Draw decisions with large errors more often instead of all equally often.",
               {.level = Level::recipe})
        .field(&P::priority_alpha, "priority_alpha",
               "Exponent of the errors when drawing by priority; 0 draws uniformly.", {.min = 0, .max = 1})
        .field(&P::priority_beta, "priority_beta",
               "Exponent of the importance weights that correct for drawing by priority; 1 corrects fully.",
               {.min = 0, .max = 1})
        .field(&P::hindsight, "hindsight",
               "For each decision that is learned from with its own goal, this many are learned from as if a "
               "state that was reached later in the episode had been the goal. Needs an environment with "
               "goals; 0: none.",
               {.min = 0, .max = 100});
}

void describeTargets(Description<DqnParams>& d) {
    using P = DqnParams;
    d.field(&P::gamma, "gamma", "Discount factor per decision.", {.min = 0, .max = 1, .level = Level::recipe})
        .field(&P::n_step, "n_step", "Rewards in a target before the value estimate.",
               {.unit = "steps", .min = 1, .max = 1000, .level = Level::recipe})
        .field(&P::double_q, "double_q",
               "Double Q-learning: the online network selects the action of the target, which reduces "
               "overestimation.",
               {.level = Level::recipe})
        .field(&P::dueling, "dueling",
               "Separate outputs for the value of a state and the advantage of actions.",
               {.level = Level::recipe})
        .field(&P::target_period, "target_period",
               "Optimiser steps between two updates of the target network.",
               {.min = 1, .max = 1e9, .level = Level::recipe})
        .field(&P::target_rate, "target_rate",
               "Share of the online network in an update of the target network; 1 copies it.",
               {.min = 1e-6, .max = 1})
        .field(&P::learning_rate, "learning_rate", "Step size of the optimiser.",
               {.min = 0, .max = 10, .level = Level::recipe, .live = true})
        .field(&P::loss, "loss", "Huber loss, whose gradient is clipped to 1, or half the squared error.",
               {.choices = {"huber", "squared"}});
}

const Description<DqnParams>& DqnParams::describe() {
    static const Description<DqnParams> description = [] {
        Description<DqnParams> d("dqn", "Deep Q-learning (Mnih et al. 2015)");
        describeReplay(d);
        describeTargets(d);
        describeExploration(d);
        return d;
    }();
    return description;
}

constexpr std::array kDqnMetrics{"loss/value", "value/q", "value/td_error"};

class Dqn final : public Algorithm {
public:
    Dqn(DqnParams params, const ActionDistribution& distribution)
        : params_(std::move(params)), actions_(distribution.words()) {}

    std::vector<NetworkDecl> networks() const override {
        const std::vector<HeadSpec> heads{{"q", "q", 0, params_.dueling}};
        return {{.name = "q", .heads = heads},
                {.name = "target",
                 .heads = heads,
                 .trained = false,
                 .copy_of = 0,
                 .follow = Follow{.of = 0, .tau = params_.target_rate, .every = params_.target_period}}};
    }

    LearnPlan plan() const override {
        return {.rollout_length = params_.rollout_length,
                .epochs = 1,
                .minibatches = 1,
                .unit = LearnPlan::Unit::columns,
                .rows_ahead = params_.n_step,
                .replay = ReplayPlan{.size = params_.replay_size,
                                     .start = params_.replay_start,
                                     .batch = params_.batch_size,
                                     .sequence = 1,
                                     .ratio = params_.replay_ratio,
                                     .prioritised = params_.prioritised,
                                     .alpha = params_.priority_alpha,
                                     .beta = params_.priority_beta,
                                     .hindsight = params_.hindsight}};
    }

    std::vector<std::string> metrics() const override { return {kDqnMetrics.begin(), kDqnMetrics.end()}; }
    double learningRate(const Progress&) const override { return params_.learning_rate; }

    ActingRule acting(const Progress& progress) const override { return epsilonGreedy(params_, progress); }

    void learn(Step& step) const override;

    void setLive(const Json& params) override {
        const DqnParams changed = DqnParams::describe().read(params);
        params_.learning_rate = changed.learning_rate;
        params_.epsilon_end = changed.epsilon_end;
        params_.epsilon_horizon = changed.epsilon_horizon;
    }

private:
    void successorValues(Step& step, float* values) const;

    DqnParams params_;
    int actions_ = 0;
};

// Mnih et al. 2015, section "Training algorithm": max_a Q(s', a; theta-); van Hasselt et al. 2016:
// Q(s', argmax_a Q(s', a; theta); theta-).
void Dqn::successorValues(Step& step, float* values) const {
    const Chunk& chunk = step.chunk();
    const auto rows = static_cast<std::size_t>(chunk.learned * chunk.sequences);
    const auto maskOf = [&](std::size_t row) {
        return chunk.successor_mask == nullptr
                   ? nullptr
                   : chunk.successor_mask + row * static_cast<std::size_t>(actions_);
    };
    const auto best = [&](const Step::Heads& heads, std::size_t row) {
        return bestAction(heads.data + row * static_cast<std::size_t>(actions_), actions_, maskOf(row));
    };
    if (params_.double_q) {
        const Step::Heads online = step.forward(0, {.part = Step::Part::successors}, Keep::nothing);
        for (std::size_t row = 0; row < rows; ++row) values[row] = static_cast<float>(best(online, row));
    }
    const Step::Heads target = step.forward(1, {.part = Step::Part::successors}, Keep::nothing);
    for (std::size_t row = 0; row < rows; ++row) {
        const int action = params_.double_q ? static_cast<int>(values[row]) : best(target, row);
        values[row] =
            target.data[row * static_cast<std::size_t>(actions_) + static_cast<std::size_t>(action)];
    }
}

void Dqn::learn(Step& step) const {
    const Chunk& chunk = step.chunk();
    const auto sequences = static_cast<std::size_t>(chunk.sequences),
               rows = static_cast<std::size_t>(chunk.learned) * sequences,
               words = static_cast<std::size_t>(actions_);
    const auto [successor] = scratchColumns<1>(rows);
    successorValues(step, successor);
    const Step::Heads heads = step.forward(0, {}, Keep::tape);
    float* gradients = step.gradients(0);
    double* sums = step.sums();
    float* priorities = step.priorities();
    const bool huber = params_.loss == "huber";
    for (std::size_t row = 0; row < rows; ++row) {
        if (chunk.valid[row] == 0) continue;
        const NStepReturn ahead = nStepReturn(chunk.reward + row, chunk.discount + row, chunk.valid + row,
                                              sequences, params_.n_step, params_.gamma);
        const double target = ahead.reward + ahead.discount * static_cast<double>(successor[row]);
        const std::size_t at = row * words + static_cast<std::size_t>(chunk.action[row]);
        const double q = heads.data[at], error = target - q, size = std::abs(error);
        const double clipped = huber ? std::clamp(error, -1.0, 1.0) : error;
        const double weight =
            chunk.weight == nullptr ? 1.0 : static_cast<double>(chunk.weight[row % sequences]);
        gradients[at] = static_cast<float>(-weight * clipped / chunk.valid_rows);
        sums[0] += weight * (huber && size > 1 ? size - 0.5 : 0.5 * error * error);
        sums[1] += q;
        sums[2] += size;
        if (priorities != nullptr) priorities[row % sequences] = static_cast<float>(size);
    }
    step.backward(0, gradients);
}

}  // namespace

SEEDBED_REGISTER_ALGORITHM(dqn,
                           (AlgorithmEntry{.id = "dqn",
                                           .aliases = {"DQN"},
                                           .help = "Deep Q-learning with a replay: double, dueling, n-step "
                                                   "and prioritised as settings (Mnih et al. 2015).",
                                           .params = &DqnParams::describe().schema(),
                                           .fits = isOneChoice,
                                           .needs = "one discrete action",
                                           .make = makeAlgorithm<DqnParams, Dqn>}));

}  // namespace seedbed
