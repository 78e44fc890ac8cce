// SPDX-License-Identifier: Apache-2.0
// Common parts of algorithms that learn continuous actions from a replay with twin critics: actions in units
// of [-1, 1], the networks, the critics' loss, and settings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/algo/actor_critic.hpp"
#include "core/algo/replay_settings.hpp"
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
    // Standard normal noise for the training rows: noise [rows, words()]. `draw`: see Step::key().
    void noise(const Step& step, int draw, float* noise) const;
    // [rows, words()]
    void fromEnvironment(std::size_t rows, const float* action, float* unit) const;
    // Calls body(x) for the elements of `panel` [rows, 2 words()] that are log standard deviations.
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

// The networks of an actor with twin critics, by number. If they are recurrent, each has a separate core (Ni
// et al. 2022, "Recurrent Model-Free RL Can Be a Strong Baseline for Many POMDPs"). Sequences begin with the
// policy's stored state (Kapturowski et al. 2019, section 3); critics begin with a zero state.
struct TwinNets {
    static constexpr std::size_t policy = 0, critics = 1, targets = 3, other = 5;
};
// The five networks before `other`; the targets follow the critics with rate `tau`, every `every` optimiser
// steps.
std::vector<NetworkDecl> twinNetworks(double tau, int every);

std::size_t learnedRows(const Chunk& chunk);
// Runs the networks before `end` on the burn-in if the chunk has one. Must come before all other passes.
void burnIn(Step& step, std::size_t end);

// Actions for the successors of the training rows. Sequences also need an action for their first row.
class SuccessorActions {
public:
    // `memory`: size(...) floats
    SuccessorActions(const Chunk& chunk, std::size_t words, float* memory);
    static std::size_t size(const Chunk& chunk, std::size_t words);

    float* data() const { return all_ + before_; }  // [rows, words]
    // The input of forwardSuccessors().
    const float* input(const Chunk& chunk) const { return chunk.learned > 1 ? all_ : data(); }

private:
    float* all_;
    std::size_t before_;
};

// The heads [rows, head words] of a network for the successor of each training row, without a tape. Recurrent
// networks reach the successor, the next row, by running on the whole sequence. `actions` may be null. Valid
// until the next pass of this network.
const float* forwardSuccessors(Step& step, std::size_t net, const SuccessorActions* actions);
// Writes the smaller of the two target values of each training row's successor to `smallest` [rows].
void smallestTarget(Step& step, const SuccessorActions& actions, float* smallest);
// Trains the critics with half the squared error of each against `target` [rows], averaged over valid rows,
// for the actions that were taken, in units of [-1, 1]. Adds the loss of both critics, the first critic's
// value and its absolute error to sums[0], sums[1] and sums[2].
void learnCritics(Step& step, const float* action, const float* target, double* sums);

// Describes the settings of the replay and the critics. P must have the members named here.
template <class P>
void describeBoundedControl(Description<P>& d) {
    describeReplay(d, {.elements = "sequences", .unit = "", .ratio = kSequenceRatio, .largest = 65536});
    describeTargets(d, {.followed = "critics", .followers = "target networks", .copy = ""});
    d.field(&P::random_steps, "random_steps", "Decisions at the start that are uniformly random.",
            {.unit = "steps", .min = 0, .max = 1e9, .level = Level::recipe})
        .field(&P::random_hold, "random_hold",
               "Decisions for which each uniformly random action is repeated, so that exploration gets "
               "further (Dabney et al. 2021, \"Temporally-Extended epsilon-Greedy Exploration\").",
               {.unit = "steps", .min = 1, .max = 1e6})
        .field(&P::learning_rate, "learning_rate", "Step size of the policy's optimiser.",
               {.min = 0, .max = 10, .level = Level::recipe, .live = true})
        .field(&P::critic_learning_rate, "critic_learning_rate", "Step size of the critics' optimiser.",
               {.min = 0, .max = 10, .level = Level::recipe, .live = true});
}

// Two hidden layers of 256 rectified units (Haarnoja et al. 2018, table 1) and gradients without a limit, as
// in the presets for MuJoCo.
AlgorithmDefaults boundedControlDefaults();

template <class P>
LearnPlan boundedControlPlan(const P& params) {
    LearnPlan plan = replayPlan(params);
    plan.replay->unrolls = params.sequence > 1;
    return plan;
}

// The rule for uniformly random actions at the start of a run; nullopt afterwards.
template <class P>
std::optional<ActingRule> randomStart(const P& params, const Progress& progress) {
    if (progress.steps >= static_cast<std::uint64_t>(params.random_steps)) return std::nullopt;
    return ActingRule{.kind = ActingRule::Kind::uniform, .hold = params.random_hold};
}

}  // namespace seedbed
