// SPDX-License-Identifier: Apache-2.0
// R2D2 (Kapturowski et al., "Recurrent Experience Replay in Distributed Reinforcement Learning", ICLR 2019):
// n-step double Q-learning on sequences from a prioritised replay. Recurrent networks begin a sequence with
// the state stored when it was collected, and run over its first rows without learning (burn-in).
//
// - Values estimate rescaled returns, h(x) = sign(x) (sqrt(|x| + 1) - 1) + 0.001 x (section 2.3;
//   Pohlen et al. 2018, "Observe and Look Further", section 3.1).
// - The priority of a sequence is eta max |delta| + (1 - eta) mean |delta| over its training rows (section
//   2.3). The priority of a new sequence has the same form but uses the values of the acting network.
// - Dueling heads (Wang et al. 2016), double Q-learning (van Hasselt et al. 2016), a ladder of epsilons over
//   the environments (Horgan et al. 2018, section 4).
//
// Differences from the paper: sequences may cross the end of an episode, where the state is reset and returns
// end; a truncated episode bootstraps from its last observation; the loss is the mean over the rows of a
// batch, not a sum over time; importance weights are divided by the largest of their batch.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/algo/q_learning.hpp"
#include "core/algo/replay_settings.hpp"
#include "core/algo/returns.hpp"

namespace seedbed {
namespace {

struct R2d2Params {
    int rollout_length = 20;
    std::int64_t replay_size = 200'000;
    std::int64_t replay_start = 5000;
    double replay_ratio = 1.5;
    int batch_size = 32;
    int sequence = 40;
    int burn_in = 20;
    int stride = 20;
    bool prioritised = true;
    double priority_alpha = 0.9;
    double priority_beta = 0.6;
    double priority_eta = 0.9;
    double gamma = 0.997;
    int n_step = 5;
    bool rescale = true;
    bool double_q = true;
    bool dueling = true;
    std::int64_t target_period = 400;
    double target_rate = 1;
    double learning_rate = 3e-4;
    double epsilon_start = 0.4;
    double epsilon_end = 0.4;
    std::int64_t epsilon_horizon = 50'000;
    double epsilon_ladder = 7;

    static const Description<R2d2Params>& describe();
};

const Description<R2d2Params>& R2d2Params::describe() {
    using P = R2d2Params;
    static const Description<P> description = [] {
        Description<P> d("r2d2", "R2D2 (Kapturowski et al. 2019)");
        describeReplay(d, {.elements = "sequences", .unit = "", .ratio = kSequenceRatio});
        describeTargets(d);
        d.field(&P::rescale, "rescale",
                "Learn values of returns that are rescaled by about their square root, so that large returns "
                "need no reward clipping.",
                {.level = Level::recipe});
        describeLearningRate(d);
        describeExploration(d);
        return d;
    }();
    return description;
}

constexpr std::array kR2d2Metrics{"loss/value", "value/q", "value/td_error"};

// The largest |error|, the sum of |error| and the number of valid training rows of each sequence,
// [sequences].
struct ErrorSizes {
    float *largest, *sum, *rows;

    void clear(std::size_t sequences) const {
        for (float* field : {largest, sum, rows}) std::fill_n(field, sequences, 0.0f);
    }
    void add(std::size_t sequence, double size) const {
        largest[sequence] = std::max(largest[sequence], static_cast<float>(size));
        sum[sequence] += static_cast<float>(size);
        ++rows[sequence];
    }
    double priority(std::size_t sequence, double eta) const {
        if (rows[sequence] == 0) return 0;
        return eta * static_cast<double>(largest[sequence]) +
               (1 - eta) * static_cast<double>(sum[sequence] / rows[sequence]);
    }
};

class R2d2 final : public Algorithm {
public:
    R2d2(R2d2Params params, const ActionDistribution& distribution)
        : params_(params), actions_(static_cast<std::size_t>(distribution.words())) {}

    std::vector<NetworkDecl> networks() const override {
        return valueNetworks(params_, {{"q", "q", 0, params_.dueling}});
    }
    LearnPlan plan() const override {
        LearnPlan plan = replayPlan(params_);
        plan.replay->acting_priorities = params_.prioritised;
        return plan;
    }
    std::vector<std::string> metrics() const override { return {kR2d2Metrics.begin(), kR2d2Metrics.end()}; }
    double learningRate(const Progress&) const override { return params_.learning_rate; }
    ActingRule acting(const Progress& progress) const override { return epsilonGreedy(params_, progress); }

    void learn(Step& step) const override;
    void actingPriorities(const Chunk& acted, float* priorities) const override;

    void setLive(const Json& params) override { setLiveFields(params_, params); }

private:
    double target(const Chunk& chunk, std::size_t row, const float* chooser, const float* values) const;

    R2d2Params params_;
    std::size_t actions_ = 0;
};

// Section 2.3: h(sum_k gamma^k r_{t+k} + gamma^n h^-1(Q(s_{t+n}, a*; theta-))) with a* = argmax_a Q(s_{t+n},
// a; theta), where theta are the parameters of `chooser` and theta- those of `values` ([rows, actions] of the
// whole chunk).
double R2d2::target(const Chunk& chunk, std::size_t row, const float* chooser, const float* values) const {
    const auto sequences = static_cast<std::size_t>(chunk.sequences);
    const NStepReturn ahead = nStepReturn(chunk.reward + row, chunk.discount + row, chunk.valid + row,
                                          sequences, params_.n_step, params_.gamma);
    double result = ahead.reward;
    if (ahead.discount != 0) {
        const std::size_t at = (row + static_cast<std::size_t>(ahead.rows) * sequences) * actions_;
        const std::uint8_t* mask = nullptr;
        if (chunk.successor_mask != nullptr) mask = chunk.successor_mask + row * actions_;
        else if (chunk.mask != nullptr) mask = chunk.mask + at;
        const int best = bestAction(chooser + at, static_cast<int>(actions_), mask);
        const double value = values[at + static_cast<std::size_t>(best)];
        result += ahead.discount * (params_.rescale ? unscaledValue(value) : value);
    }
    return params_.rescale ? scaledValue(result) : result;
}

void R2d2::learn(Step& step) const {
    const Chunk& chunk = step.chunk();
    const auto forward = [&](std::size_t net, Keep keep) {
        if (chunk.burn_in > 0) step.forward(net, {.part = Step::Part::burn_in}, Keep::nothing);
        return step.forward(net, {.part = Step::Part::all}, keep);
    };
    const Step::Heads target = forward(1, Keep::nothing), heads = forward(0, Keep::tape);
    const auto sequences = static_cast<std::size_t>(chunk.sequences),
               rows = static_cast<std::size_t>(chunk.learned) * sequences;
    const auto [largest, sum, counted] = scratchColumns<3>(sequences);
    const ErrorSizes sizes{largest, sum, counted};
    sizes.clear(sequences);
    float* gradients = step.gradients(0);
    double* sums = step.sums();
    const float* chooser = params_.double_q ? heads.data : target.data;
    for (std::size_t row = 0; row < rows; ++row) {
        if (chunk.valid[row] == 0) continue;
        const std::size_t sequence = row % sequences,
                          at = row * actions_ + static_cast<std::size_t>(chunk.action[row]);
        const double q = heads.data[at], error = this->target(chunk, row, chooser, target.data) - q;
        const double weight = chunk.weight == nullptr ? 1.0 : static_cast<double>(chunk.weight[sequence]);
        gradients[at] = static_cast<float>(-weight * error / chunk.valid_rows);
        sums[0] += weight * 0.5 * error * error;
        sums[1] += params_.rescale ? unscaledValue(q) : q;
        sums[2] += std::abs(error);
        sizes.add(sequence, std::abs(error));
    }
    if (float* priorities = step.priorities())
        for (std::size_t s = 0; s < sequences; ++s)
            priorities[s] = static_cast<float>(sizes.priority(s, params_.priority_eta));
    step.backward(0, gradients);
}

// Computes priorities with the action that was taken, but targets with the best action of the bootstrap row,
// so that exploration does not change the target.
void R2d2::actingPriorities(const Chunk& acted, float* priorities) const {
    const auto sequences = static_cast<std::size_t>(acted.sequences),
               rows = static_cast<std::size_t>(acted.learned) * sequences;
    const auto [largest, sum, counted] = scratchColumns<3>(sequences);
    const ErrorSizes sizes{largest, sum, counted};
    sizes.clear(sequences);
    for (std::size_t row = 0; row < rows; ++row) {
        if (acted.valid[row] == 0) continue;
        const double q = acted.policy[row * actions_ + static_cast<std::size_t>(acted.action[row])];
        sizes.add(row % sequences, std::abs(target(acted, row, acted.policy, acted.policy) - q));
    }
    for (std::size_t s = 0; s < sequences; ++s)
        priorities[s] = static_cast<float>(sizes.priority(s, params_.priority_eta));
}

}  // namespace

SEEDBED_REGISTER_ALGORITHM(
    r2d2,
    (AlgorithmEntry{.id = "r2d2",
                    .aliases = {"R2D2"},
                    .help = "Q-learning on sequences from a prioritised replay, for recurrent networks: "
                            "stored states with burn-in, rescaled values (Kapturowski et al. 2019).",
                    .params = &R2d2Params::describe().schema(),
                    .fits = isOneChoice,
                    .needs = "one discrete action",
                    .defaults = {.settings = {{"network", {{"core", "lstm"}}}},
                                 .why = "the burn-in of sequences needs a recurrent network",
                                 .steps = 500'000},
                    .make = makeAlgorithm<R2d2Params, R2d2>}));

}  // namespace seedbed
