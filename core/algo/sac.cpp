// SPDX-License-Identifier: Apache-2.0
// Soft actor-critic with a learned temperature (Haarnoja et al. 2018, "Soft Actor-Critic Algorithms and
// Applications", arXiv:1812.05905): twin critics, a squashed Gaussian policy that learns through the critics
// (equation 10), and a temperature that keeps the entropy at a target (equation 18).
//
// Entropies and critics use actions in units of [-1, 1]. Differences from the paper, as in the authors' code:
// the temperature's loss is linear in its logarithm, and log standard deviations are clipped to [-20, 2]. A
// truncated episode bootstraps from its last observation. All gradients of a step use the networks as they
// were before the step.
#include <array>
#include <cmath>

#include "core/algo/bounded_control.hpp"
#include "core/algo/returns.hpp"

namespace seedbed {
namespace {

constexpr float kLeastLogStd = -20, kLargestLogStd = 2;
// Numbers of the random draws in an optimiser step.
constexpr int kNextDraw = 0, kPolicyDraw = 1;

struct SacParams {
    int rollout_length = 16;
    std::int64_t replay_size = 1'000'000;
    std::int64_t replay_start = 1000;
    std::int64_t random_steps = 1000;
    int random_hold = 1;
    double replay_ratio = 256;
    int batch_size = 256;
    int sequence = 1;
    int burn_in = 0;
    int stride = 1;
    double hindsight = 0;
    double gamma = 0.99;
    double target_rate = 0.005;
    double learning_rate = 3e-4;
    double critic_learning_rate = 3e-4;
    double temperature_learning_rate = 3e-4;
    double temperature = 0;
    double target_entropy = -1;

    static const Description<SacParams>& describe();
};

const Description<SacParams>& SacParams::describe() {
    using P = SacParams;
    static const Description<P> description = [] {
        Description<P> d("sac", "Soft actor-critic (Haarnoja et al. 2018)");
        describeBoundedControl(d);
        d.field(&P::temperature_learning_rate, "temperature_learning_rate",
                "Step size of the temperature's optimiser.", {.min = 0, .max = 10, .live = true})
            .field(&P::temperature, "temperature",
                   "Weight of the entropy against the reward; 0: learned, so that the entropy is "
                   "target_entropy.",
                   {.min = 0, .max = 1e6, .level = Level::recipe})
            .field(&P::target_entropy, "target_entropy",
                   "Target entropy per dimension of the action for a learned temperature, for actions in "
                   "units of [-1, 1]; uniform actions have 0.69.",
                   {.min = -20, .max = 0.69, .level = Level::recipe});
        return d;
    }();
    return description;
}

constexpr std::array kSacMetrics{"loss/critic",    "value/q",          "value/td_error",    "loss/policy",
                                 "policy/entropy", "loss/temperature", "policy/temperature"};
enum Sum : std::size_t { loss_critic, q, td_error, loss_policy, entropy, loss_temperature, temperature };

class Sac final : public Algorithm {
public:
    Sac(SacParams params, const ActionDistribution& distribution)
        : params_(params), actions_(distribution.spaces()) {}

    std::vector<NetworkDecl> networks() const override {
        std::vector<NetworkDecl> all = twinNetworks(params_.target_rate, 1);
        if (learnsTemperature())
            all.push_back({.name = "temperature", .heads = {{"log_temperature", "parameter", 1, false}}});
        return all;
    }
    LearnPlan plan() const override { return boundedControlPlan(params_); }
    std::vector<std::string> metrics() const override { return {kSacMetrics.begin(), kSacMetrics.end()}; }
    double learningRate(const Progress&) const override { return params_.learning_rate; }
    double networkRate(std::size_t net, const Progress&) const override {
        return net == TwinNets::policy ? params_.learning_rate
               : net < TwinNets::other ? params_.critic_learning_rate
                                       : params_.temperature_learning_rate;
    }
    ActingRule acting(const Progress& progress) const override {
        return randomStart(params_, progress).value_or(ActingRule{});
    }
    void learn(Step& step) const override;
    void setLive(const Json& params) override { setLiveFields(params_, params); }

private:
    // Arrays for the rows of a chunk, with A words per row unless stated otherwise.
    struct Work {
        SuccessorActions next;
        float *action, *noise, *d_first, *d_second;  // `action` is next.data()
        float* params;                               // [rows, 2 A]
        float *target, *log_prob, *d_log_prob;       // [rows]
    };
    Work work(const Chunk& chunk) const;
    bool learnsTemperature() const { return params_.temperature == 0; }
    void draw(const Step& step, const float* heads, int draw, const Work& w) const;
    void findTargets(Step& step, double alpha, const Work& w) const;
    void learnPolicy(Step& step, double alpha, const Work& w) const;
    void learnTemperature(Step& step, double log_alpha, const Work& w) const;

    SacParams params_;
    UnitActions actions_;
};

Sac::Work Sac::work(const Chunk& chunk) const {
    const std::size_t rows = learnedRows(chunk), words = rows * actions_.words(),
                      with_first = SuccessorActions::size(chunk, actions_.words());
    float* free = algorithmScratch(with_first + 5 * words + 3 * rows);
    const auto take = [&](std::size_t count) { return std::exchange(free, free + count); };
    const SuccessorActions next(chunk, actions_.words(), take(with_first));
    return {.next = next,
            .action = next.data(),
            .noise = take(words),
            .d_first = take(words),
            .d_second = take(words),
            .params = take(2 * words),
            .target = take(rows),
            .log_prob = take(rows),
            .d_log_prob = take(rows)};
}

// Draws actions from the policy's heads with clipped standard deviations, and leaves the clipped parameters
// in w.params.
void Sac::draw(const Step& step, const float* heads, int draw, const Work& w) const {
    const std::size_t rows = learnedRows(step.chunk());
    std::copy_n(heads, rows * 2 * actions_.words(), w.params);
    actions_.forLogStd(rows, w.params,
                       [](float& log_std) { log_std = std::clamp(log_std, kLeastLogStd, kLargestLogStd); });
    actions_.noise(step, draw, w.noise);
    actions_.distribution().fromNoise(static_cast<int>(rows), w.params, w.noise, w.action, w.log_prob);
}

// Equations 5 and 6, with the smaller of the two target values and a single sample of the next action.
void Sac::findTargets(Step& step, double alpha, const Work& w) const {
    const Chunk& chunk = step.chunk();
    draw(step, forwardSuccessors(step, TwinNets::policy, nullptr), kNextDraw, w);
    smallestTarget(step, w.next, w.target);
    for (std::size_t row = 0; row < learnedRows(chunk); ++row) {
        const NStepReturn next = nStepReturn(chunk.reward + row, chunk.discount + row, chunk.valid + row,
                                             static_cast<std::size_t>(chunk.sequences), 1, params_.gamma);
        const double value =
            static_cast<double>(w.target[row]) - alpha * static_cast<double>(w.log_prob[row]);
        w.target[row] = static_cast<float>(next.reward + next.discount * value);
    }
}

// Equation 9: the mean of alpha log pi(a|s) - min Q(s, a), with the gradient of equation 10.
void Sac::learnPolicy(Step& step, double alpha, const Work& w) const {
    const Chunk& chunk = step.chunk();
    const Step::Heads heads = step.forward(TwinNets::policy, {}, Keep::tape);
    draw(step, heads.data, kPolicyDraw, w);
    constexpr std::size_t first = TwinNets::critics, second = first + 1;
    const float *q_first = step.forward(first, {.action = w.action}, Keep::tape).data,
                *q_second = step.forward(second, {.action = w.action}, Keep::tape).data;
    float *d_q_first = step.gradients(first), *d_q_second = step.gradients(second);
    double* sums = step.sums();
    for (std::size_t row = 0; row < heads.rows; ++row) {
        w.d_log_prob[row] = 0;
        if (chunk.valid[row] == 0) continue;
        const bool is_first = q_first[row] <= q_second[row];
        (is_first ? d_q_first : d_q_second)[row] = static_cast<float>(-1 / chunk.valid_rows);
        w.d_log_prob[row] = static_cast<float>(alpha / chunk.valid_rows);
        const double log_prob = w.log_prob[row];
        sums[Sum::loss_policy] +=
            alpha * log_prob - static_cast<double>(std::min(q_first[row], q_second[row]));
        sums[Sum::entropy] -= log_prob;
    }
    step.backward(first, d_q_first, false, w.d_first);
    step.backward(second, d_q_second, false, w.d_second);
    for (std::size_t i = 0; i < heads.rows * actions_.words(); ++i) w.d_first[i] += w.d_second[i];
    float* gradients = step.gradients(TwinNets::policy);
    actions_.distribution().addPathGradient(static_cast<int>(heads.rows), w.params, w.noise, w.d_first,
                                            w.d_log_prob, gradients);
    // Clipped deviations have no gradient.
    const float* given = heads.data;
    actions_.forLogStd(heads.rows, gradients, [&](float& gradient) {
        const float log_std = given[&gradient - gradients];
        if (log_std < kLeastLogStd || log_std > kLargestLogStd) gradient = 0;
    });
    step.backward(TwinNets::policy, gradients);
}

// The authors' form of equation 18: the mean of -log alpha (log pi(a|s) + target entropy).
void Sac::learnTemperature(Step& step, double log_alpha, const Work& w) const {
    const Chunk& chunk = step.chunk();
    const double target = params_.target_entropy * static_cast<double>(actions_.words());
    float* gradients = step.gradients(TwinNets::other);
    for (std::size_t row = 0; row < learnedRows(chunk); ++row) {
        if (chunk.valid[row] == 0) continue;
        const double above = -(static_cast<double>(w.log_prob[row]) + target);
        gradients[row] = static_cast<float>(above / chunk.valid_rows);
        step.sums()[Sum::loss_temperature] += log_alpha * above;
    }
    step.backward(TwinNets::other, gradients);
}

void Sac::learn(Step& step) const {
    const Chunk& chunk = step.chunk();
    const std::size_t rows = learnedRows(chunk);
    const Work w = work(chunk);
    burnIn(step, TwinNets::other);
    const double log_alpha = learnsTemperature()
                                 ? static_cast<double>(step.forward(TwinNets::other, {}, Keep::tape).data[0])
                                 : std::log(params_.temperature);
    const double alpha = std::exp(log_alpha);
    findTargets(step, alpha, w);
    actions_.fromEnvironment(rows, chunk.action, w.action);
    learnCritics(step, w.action, w.target, step.sums());
    learnPolicy(step, alpha, w);
    if (learnsTemperature()) learnTemperature(step, log_alpha, w);
    for (std::size_t row = 0; row < rows; ++row)
        if (chunk.valid[row] != 0) step.sums()[Sum::temperature] += alpha;
}

void requireSquashedGaussian(NetworkParams& network) {
    network.squash = true;
    network.log_std = "network";
}

}  // namespace

SEEDBED_REGISTER_ALGORITHM(
    sac, (AlgorithmEntry{.id = "sac",
                         .aliases = {"SAC"},
                         .help = "Soft actor-critic with a replay, twin critics and a learned temperature, "
                                 "for continuous actions (Haarnoja et al. 2018).",
                         .params = &SacParams::describe().schema(),
                         .fits = hasBoundedActions,
                         .needs = "continuous actions with finite bounds",
                         .require = requireSquashedGaussian,
                         .defaults = boundedControlDefaults(),
                         .make = makeAlgorithm<SacParams, Sac>}));

}  // namespace seedbed
