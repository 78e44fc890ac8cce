// SPDX-License-Identifier: Apache-2.0
// The settings of replays and target networks, described once for all algorithms. Each function describes
// only the fields that the struct P has; the algorithm defines their defaults.
#pragma once

#include <optional>
#include <string>

#include "core/algo/algorithm.hpp"
#include "core/base/describe.hpp"

namespace seedbed {

// The parts of the settings' descriptions that depend on the elements of a batch.
struct BatchTexts {
    std::string elements = "decisions";  // elements that the replay draws
    std::string unit = "steps";          // unit of batch_size
    std::string ratio;                   // end of the description of replay_ratio
    double largest = 1e6;                // batch_size
};

// BatchTexts::ratio for batches of sequences.
constexpr const char* kSequenceRatio =
    ", without those of the burn-in: optimiser steps times batch_size times sequence.";

// Names of the network that estimates the values of successors, and of the network that it follows.
struct TargetTexts {
    std::string followed = "online network", followers = "target network";
    std::string copy = "; 1 copies it";
};

template <class P>
void describePriorities(Description<P>& d, const std::string& elements) {
    d.field(&P::prioritised, "prioritised",
            "Draw " + elements + " with large errors more often instead of all equally often.",
            {.level = Level::recipe})
        .field(&P::priority_alpha, "priority_alpha",
               "Exponent of the errors when drawing by priority; 0 draws uniformly.", {.min = 0, .max = 1})
        .field(&P::priority_beta, "priority_beta",
               "Exponent of the importance weights that correct for drawing by priority; 1 corrects fully.",
               {.min = 0, .max = 1});
    if constexpr (requires { &P::priority_eta; })
        d.field(&P::priority_eta, "priority_eta",
                "Share of the largest error in the priority of a sequence; the rest is the mean error.",
                {.min = 0, .max = 1});
}

// Describes the windows that P learns from: rollouts, the replay, and the draws from it.
template <class P>
void describeReplay(Description<P>& d, const BatchTexts& texts) {
    d.field(&P::rollout_length, "rollout_length", "Decisions per environment between two updates.",
            {.unit = "steps", .min = 1, .max = 1e6, .level = Level::recipe})
        .field(&P::replay_size, "replay_size",
               "Decisions that the replay keeps; the oldest are dropped first.",
               {.unit = "steps", .min = 1, .max = 1e9, .level = Level::recipe})
        .field(&P::replay_start, "replay_start", "Decisions in the replay before learning starts.",
               {.unit = "steps", .min = 1, .max = 1e9, .level = Level::recipe})
        .field(&P::replay_ratio, "replay_ratio",
               "Decisions used for learning per decision made" + texts.ratio,
               {.min = 1e-6, .max = 1e6, .level = Level::recipe});
    std::string elements = texts.elements;
    elements[0] = static_cast<char>(elements[0] - 'a' + 'A');
    d.field(&P::batch_size, "batch_size", elements + " per optimiser step, drawn from the replay.",
            {.unit = texts.unit, .min = 1, .max = texts.largest, .level = Level::recipe});
    if constexpr (requires { &P::sequence; })
        d.field(&P::sequence, "sequence", "Decisions of a sequence that are used for learning.",
                {.unit = "steps", .min = 1, .max = 1e5, .level = Level::recipe})
            .field(&P::burn_in, "burn_in",
                   "Decisions before a sequence that only update the recurrent state, which older parameters "
                   "computed; 0 for networks without memory.",
                   {.unit = "steps", .min = 0, .max = 1e5, .level = Level::recipe})
            .field(&P::stride, "stride",
                   "Decisions between the beginnings of neighbouring sequences, which overlap if it is "
                   "smaller than sequence. The replay stores a recurrent state every stride decisions.",
                   {.unit = "steps", .min = 1, .max = 1e5, .level = Level::recipe});
    if constexpr (requires { &P::prioritised; }) describePriorities(d, texts.elements);
    if constexpr (requires { &P::hindsight; })
        d.field(&P::hindsight, "hindsight",
                "Number of decisions, per decision with its own goal, whose goal is replaced with a state "
                "reached later in the episode. Needs an environment with "
                "goals; 0: none.",
                {.min = 0, .max = 100});
}

// Describes targets, and the networks that estimate the values of successors.
template <class P>
void describeTargets(Description<P>& d, const TargetTexts& texts = {}) {
    d.field(&P::gamma, "gamma", "Discount factor per decision.",
            {.min = 0, .max = 1, .level = Level::recipe});
    if constexpr (requires { &P::n_step; })
        d.field(&P::n_step, "n_step", "Rewards in a target before the value estimate.",
                {.unit = "steps", .min = 1, .max = 1000, .level = Level::recipe});
    if constexpr (requires { &P::double_q; })
        d.field(&P::double_q, "double_q",
                "Double Q-learning: the online network selects the action of the target, which reduces "
                "overestimation.",
                {.level = Level::recipe})
            .field(&P::dueling, "dueling",
                   "Separate outputs for the value of a state and the advantage of actions.",
                   {.level = Level::recipe});
    if constexpr (requires { &P::target_period; })
        d.field(&P::target_period, "target_period",
                "Optimiser steps between two updates of the target network.",
                {.min = 1, .max = 1e9, .level = Level::recipe});
    d.field(&P::target_rate, "target_rate",
            "Share of the " + texts.followed + " in an update of the " + texts.followers + texts.copy + ".",
            {.min = 1e-6, .max = 1});
}

// The plan of an algorithm with these settings.
template <class P>
LearnPlan replayPlan(const P& params) {
    ReplayPlan replay{.size = params.replay_size,
                      .start = params.replay_start,
                      .batch = params.batch_size,
                      .ratio = params.replay_ratio};
    if constexpr (requires { params.sequence; }) {
        replay.sequence = params.sequence;
        replay.burn_in = params.burn_in;
        replay.stride = params.stride;
        replay.unrolls = true;
    }
    if constexpr (requires { params.prioritised; }) {
        replay.prioritised = params.prioritised;
        replay.alpha = params.priority_alpha;
        replay.beta = params.priority_beta;
    }
    if constexpr (requires { params.hindsight; }) replay.hindsight = params.hindsight;
    int n_step = 1;
    if constexpr (requires { params.n_step; }) n_step = params.n_step;
    return {.rollout_length = params.rollout_length,
            .epochs = 1,
            .minibatches = 1,
            .unit = LearnPlan::Unit::columns,
            .rows_ahead = n_step,
            .replay = replay};
}

// An action-value network, and the target network that follows it.
template <class P>
std::vector<NetworkDecl> valueNetworks(const P& params, const std::vector<HeadSpec>& heads) {
    return {{.name = "q", .heads = heads},
            {.name = "target",
             .heads = heads,
             .trained = false,
             .copy_of = 0,
             .follow = Follow{.of = 0, .tau = params.target_rate, .every = params.target_period}}};
}

}  // namespace seedbed
