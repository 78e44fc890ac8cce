// SPDX-License-Identifier: Apache-2.0
// Twin delayed deep deterministic policy gradients (Fujimoto et al. 2018, "Addressing Function Approximation
// Error in Actor-Critic Methods", arXiv:1802.09477, algorithm 1): twin critics, clipped noise on the actions
// of targets, and a policy and target networks that change only after every few steps of the critics.
//
// Noise is in units of half the action's range. The policy is the mean of a squashed Gaussian whose standard
// deviation is negligible, so acting, evaluation and export need no special case. A truncated episode
// bootstraps from its last observation.
#include <algorithm>
#include <array>

#include "core/algo/bounded_control.hpp"
#include "core/algo/returns.hpp"

namespace seedbed {
namespace {

constexpr std::size_t kTargetPolicy = TwinNets::other;

struct Td3Params {
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
    double learning_rate = 1e-3;
    double critic_learning_rate = 1e-3;
    double noise = 0.1;
    double target_noise = 0.2;
    double target_noise_clip = 0.5;
    int policy_delay = 2;

    static const Description<Td3Params>& describe();
};

const Description<Td3Params>& Td3Params::describe() {
    using P = Td3Params;
    static const Description<P> description = [] {
        Description<P> d("td3", "Twin delayed DDPG (Fujimoto et al. 2018)");
        describeBoundedControl(d);
        d.field(&P::noise, "noise",
                "Standard deviation of the noise on actions, as a share of half their range; 0: none.",
                {.min = 0, .max = 10, .level = Level::recipe, .live = true})
            .field(
                &P::target_noise, "target_noise",
                "Standard deviation of the noise on the actions of targets, as a share of half their range; "
                "0: none.",
                {.min = 0, .max = 10})
            .field(&P::target_noise_clip, "target_noise_clip",
                   "Bound of the noise on the actions of targets.", {.min = 0, .max = 10})
            .field(&P::policy_delay, "policy_delay",
                   "Optimiser steps of the critics for each one of the policy and of the target networks.",
                   {.unit = "steps", .min = 1, .max = 1000, .level = Level::recipe});
        return d;
    }();
    return description;
}

constexpr std::array kTd3Metrics{"loss/critic", "value/q", "value/td_error"};

class Td3 final : public Algorithm {
public:
    Td3(Td3Params params, const ActionDistribution& distribution)
        : params_(std::move(params)), actions_(distribution.spaces()) {}

    std::vector<NetworkDecl> networks() const override {
        std::vector<NetworkDecl> all = twinNetworks(params_.target_rate, params_.policy_delay);
        NetworkDecl& policy = all[TwinNets::policy];
        policy.every = params_.policy_delay;
        all.push_back(
            {.name = "target_policy",
             .heads = policy.heads,
             .trained = false,
             .copy_of = TwinNets::policy,
             .follow =
                 Follow{.of = TwinNets::policy, .tau = params_.target_rate, .every = params_.policy_delay}});
        return all;
    }
    LearnPlan plan() const override { return boundedControlPlan(params_); }
    std::vector<std::string> metrics() const override { return {kTd3Metrics.begin(), kTd3Metrics.end()}; }
    double learningRate(const Progress&) const override { return params_.learning_rate; }
    double networkRate(std::size_t net, const Progress&) const override {
        return net == TwinNets::policy ? params_.learning_rate : params_.critic_learning_rate;
    }
    ActingRule acting(const Progress& progress) const override {
        if (const auto random = randomStart(params_, progress)) return *random;
        if (params_.noise == 0) return {};
        return {.kind = ActingRule::Kind::gaussian, .noise = params_.noise};
    }
    void learn(Step& step) const override;
    void setLive(const Json& params) override { setLiveFields(params_, params); }

private:
    // Arrays for the rows of a chunk.
    struct Work {
        SuccessorActions next;
        float *action, *noise, *d_action;  // [rows, A]; `action` is next.data()
        float *target, *zero;              // [rows]
    };
    // Computes the policy's actions without noise; sets w.noise to 0.
    void mode(const float* heads, std::size_t rows, const Work& w) const;
    void findTargets(Step& step, const Work& w) const;
    void learnPolicy(Step& step, const Work& w) const;

    Td3Params params_;
    UnitActions actions_;
};

void Td3::mode(const float* heads, std::size_t rows, const Work& w) const {
    std::fill_n(w.noise, rows * actions_.words(), 0.0f);
    actions_.distribution().fromNoise(static_cast<int>(rows), heads, w.noise, w.action, nullptr);
}

// Section 5.3 and algorithm 1: y = r + gamma min Q'(s', clip(pi'(s') + clip(noise))).
void Td3::findTargets(Step& step, const Work& w) const {
    const Chunk& chunk = step.chunk();
    const std::size_t rows = learnedRows(chunk);
    mode(forwardSuccessors(step, kTargetPolicy, nullptr), rows, w);
    actions_.noise(step, 0, w.noise);
    const auto scale = static_cast<float>(params_.target_noise),
               clip = static_cast<float>(params_.target_noise_clip);
    for (std::size_t i = 0; i < rows * actions_.words(); ++i)
        w.action[i] = std::clamp(w.action[i] + std::clamp(scale * w.noise[i], -clip, clip), -1.0f, 1.0f);
    smallestTarget(step, w.next, w.target);
    for (std::size_t row = 0; row < rows; ++row) {
        const NStepReturn next = nStepReturn(chunk.reward + row, chunk.discount + row, chunk.valid + row,
                                             static_cast<std::size_t>(chunk.sequences), 1, params_.gamma);
        w.target[row] = static_cast<float>(next.reward + next.discount * static_cast<double>(w.target[row]));
    }
}

// Silver et al. 2014, equation 9: the gradient of the mean of Q(s, pi(s)), with the first critic.
void Td3::learnPolicy(Step& step, const Work& w) const {
    const Chunk& chunk = step.chunk();
    const Step::Heads heads = step.forward(TwinNets::policy, {}, Keep::tape);
    mode(heads.data, heads.rows, w);
    step.forward(TwinNets::critics, {.action = w.action}, Keep::tape);
    float* d_q = step.gradients(TwinNets::critics);
    for (std::size_t row = 0; row < heads.rows; ++row)
        if (chunk.valid[row] != 0) d_q[row] = static_cast<float>(-1 / chunk.valid_rows);
    step.backward(TwinNets::critics, d_q, false, w.d_action);
    float* gradients = step.gradients(TwinNets::policy);
    std::fill_n(w.zero, heads.rows, 0.0f);
    actions_.distribution().addPathGradient(static_cast<int>(heads.rows), heads.data, w.noise, w.d_action,
                                            w.zero, gradients);
    step.backward(TwinNets::policy, gradients);
}

void Td3::learn(Step& step) const {
    const Chunk& chunk = step.chunk();
    const std::size_t rows = learnedRows(chunk), words = rows * actions_.words(),
                      with_first = SuccessorActions::size(chunk, actions_.words());
    float* free = algorithmScratch(with_first + 2 * words + 2 * rows);
    const auto take = [&](std::size_t count) { return std::exchange(free, free + count); };
    const SuccessorActions next(chunk, actions_.words(), take(with_first));
    const Work w{.next = next,
                 .action = next.data(),
                 .noise = take(words),
                 .d_action = take(words),
                 .target = take(rows),
                 .zero = take(rows)};
    burnIn(step, kTargetPolicy + 1);
    findTargets(step, w);
    actions_.fromEnvironment(rows, chunk.action, w.action);
    learnCritics(step, w.action, w.target, step.sums());
    if (step.isStepped(TwinNets::policy)) learnPolicy(step, w);
}

// Makes the standard deviation negligible; see the top of the file.
void requireDeterministicPolicy(NetworkParams& network) {
    network.squash = true;
    network.log_std = "parameter";
    network.initial_log_std = -20;
}

}  // namespace

SEEDBED_REGISTER_ALGORITHM(
    td3, (AlgorithmEntry{.id = "td3",
                         .aliases = {"TD3"},
                         .help = "Deterministic policy with a replay, twin critics and delayed updates, for "
                                 "continuous actions (Fujimoto et al. 2018).",
                         .params = &Td3Params::describe().schema(),
                         .fits = hasBoundedActions,
                         .needs = "continuous actions with finite bounds",
                         .require = requireDeterministicPolicy,
                         .defaults = boundedControlDefaults(),
                         .make = makeAlgorithm<Td3Params, Td3>}));

}  // namespace seedbed
