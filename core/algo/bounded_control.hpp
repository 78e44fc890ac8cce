// SPDX-License-Identifier: Apache-2.0
// Common parts of algorithms that learn continuous actions from a replay with twin critics: actions in units
// of [-1, 1], the networks, the critics' loss, and settings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/algo/actor_critic.hpp"
#include "core/base/describe.hpp"

namespace seedbed {

// Whether all actions are real numbers with finite bounds.
bool hasBoundedActions(const Spaces& spaces);

// Converts actions between the environment's units and [-1, 1], the units of critics, noise and entropies.
class UnitActions {
public:
    explicit UnitActions(const Spaces& spaces);

    std::size_t words() const { return centre_.size(); }
    // Squashed Gaussians in [-1, 1].
    const ActionDistribution& distribution() const { return distribution_; }
    // [rows, words()]
    void fromEnvironment(std::size_t rows, const float* action, float* unit) const;
    // Calls body(x) for the elements of `panel` [rows, 2 words()] at the places of log standard deviations.
    template <class Body>
    void forLogStd(std::size_t rows, float* panel, const Body& body) const {
        for (std::size_t row = 0; row < rows; ++row, panel += 2 * words()) {
            float* leaf = panel;
            for (const std::size_t size : leaf_words_) {
                for (std::size_t i = size; i < 2 * size; ++i) body(leaf[i]);
                leaf += 2 * size;
            }
        }
    }

private:
    ActionDistribution distribution_;
    std::vector<std::size_t> leaf_words_;
    std::vector<float> centre_, scale_;
};

// The networks of an actor with twin critics, by number.
struct TwinNets {
    static constexpr std::size_t policy = 0, critics = 1, targets = 3, other = 5;
};
// The five networks before `other`; critics follow with rate `tau` after every `every` optimiser steps.
std::vector<NetworkDecl> twinNetworks(double tau, int every);

// The smaller target value of `action` [rows, words] in the successor of each learned row: smallest [rows].
void smallestTarget(Step& step, const float* action, float* smallest);
// The critics' loss, half the squared error of each against `target` [rows], averaged over valid rows, for
// the actions that were taken, in units of [-1, 1]. Adds the loss of both, the value of the first, and its
// absolute error to sums[0], sums[1] and sums[2].
void learnCritics(Step& step, const float* action, const float* target, double* sums);

// The settings of replay and critics. P has the members named here.
template <class P>
void describeBoundedControl(Description<P>& d) {
    d.field(&P::rollout_length, "rollout_length", "Decisions per environment between two updates.",
            {.unit = "steps", .min = 1, .max = 1e6, .level = Level::recipe})
        .field(&P::replay_size, "replay_size",
               "Decisions that the replay keeps; the oldest are dropped first.",
               {.unit = "steps", .min = 1, .max = 1e9, .level = Level::recipe})
        .field(&P::replay_start, "replay_start", "Decisions in the replay before learning starts.",
               {.unit = "steps", .min = 1, .max = 1e9, .level = Level::recipe})
        .field(&P::random_steps, "random_steps", "Decisions at the start that are uniformly random.",
               {.unit = "steps", .min = 0, .max = 1e9, .level = Level::recipe})
        .field(&P::random_hold, "random_hold",
               "Decisions for which each uniformly random action is repeated, so that exploration gets "
               "further (Dabney et al. 2021, \"Temporally-Extended epsilon-Greedy Exploration\").",
               {.unit = "steps", .min = 1, .max = 1e6})
        .field(&P::replay_ratio, "replay_ratio",
               "Decisions learned from per decision made: optimiser steps times batch_size. One step with a "
               "batch of 256 for every decision is a ratio of 256.",
               {.min = 1e-6, .max = 1e6, .level = Level::recipe})
        .field(&P::batch_size, "batch_size", "Decisions per optimiser step, drawn from the replay.",
               {.unit = "steps", .min = 1, .max = 65536, .level = Level::recipe})
        .field(&P::gamma, "gamma", "Discount factor per decision.",
               {.min = 0, .max = 1, .level = Level::recipe})
        .field(&P::target_rate, "target_rate",
               "Share of the critics in an update of the networks that value successors.",
               {.min = 1e-6, .max = 1})
        .field(&P::learning_rate, "learning_rate", "Step size of the policy's optimiser.",
               {.min = 0, .max = 10, .level = Level::recipe, .live = true})
        .field(&P::critic_learning_rate, "critic_learning_rate", "Step size of the critics' optimiser.",
               {.min = 0, .max = 10, .level = Level::recipe, .live = true});
}

// Uniformly random actions at the start, or nullopt afterwards.
template <class P>
std::optional<ActingRule> randomStart(const P& params, const Progress& progress) {
    if (progress.steps >= static_cast<std::uint64_t>(params.random_steps)) return std::nullopt;
    return ActingRule{.kind = ActingRule::Kind::uniform, .hold = params.random_hold};
}

// Single decisions, drawn uniformly.
template <class P>
LearnPlan boundedControlPlan(const P& params) {
    return {.rollout_length = params.rollout_length,
            .epochs = 1,
            .minibatches = 1,
            .unit = LearnPlan::Unit::columns,
            .rows_ahead = 1,
            .replay = ReplayPlan{.size = params.replay_size,
                                 .start = params.replay_start,
                                 .batch = params.batch_size,
                                 .sequence = 1,
                                 .ratio = params.replay_ratio}};
}

}  // namespace seedbed
