// SPDX-License-Identifier: Apache-2.0
#include "core/algo/recommend.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/algo/algorithm.hpp"
#include "core/base/text.hpp"

namespace seedbed {
namespace {

// Environments in this process take about a microsecond per decision; learning takes about ten. If decisions
// take this time or longer, environments are the bottleneck, and learning from each decision several times is
// worthwhile.
constexpr double kSlowDecision = 50e-6;
// With more cores, PPO learns from images as quickly as PQN, whose single network suits a small machine.
constexpr int kFewCores = 4;

bool fits(const char* algo, const TaskFacts& task) {
    const AlgorithmEntry* entry = algorithmRegistry().find(algo);
    return entry != nullptr && (!entry->fits || entry->fits(task.spaces));
}

std::string decisionText(const TaskFacts& task) {
    const double micros = task.decision_s * 1e6;
    return micros < 1000 ? formatNumber(std::max(0.1, std::round(micros * 10) / 10)) + " us"
                         : formatNumber(std::round(micros / 100) / 10) + " ms";
}

bool seesImage(const TaskFacts& task) {
    return std::ranges::any_of(task.spaces.obs,
                               [](const ObsLeaf& leaf) { return leaf.kind == ObsLeaf::Kind::image; });
}

Recommendation forMemory(const TaskFacts& task, bool is_dear) {
    const std::string needs = "Good actions depend on earlier observations, so the network needs memory";
    if (is_dear && fits("r2d2", task))
        return {.algo = "r2d2",
                .why = needs + ", and decisions take " + decisionText(task) +
                       ", so r2d2 learns several times from sequences in a replay.",
                .settings = {{"network.core", "lstm"}}};
    return {.algo = "ppo",
            .why = needs + "; ppo trains a recurrent network on whole sequences.",
            .settings = {{"network.core", "gru"}}};
}

Recommendation forSparseReward(const TaskFacts& task) {
    const std::string rare = "Random actions rarely find a reward";
    if (fits("dqn", task))
        return {.algo = "dqn",
                .why = rare +
                       "; dqn with an ensemble of values acts with one member for a whole episode, which "
                       "explores consistently.",
                .settings = {
                    {"algo.values", "ensemble"}, {"algo.epsilon_start", "0"}, {"algo.epsilon_end", "0"}}};
    if (fits("sac", task))
        return {.algo = "sac",
                .why = rare +
                       "; sac begins with random actions, each repeated for several decisions, and "
                       "learns often from the rewards found.",
                .settings = {{"algo.random_hold", "50"}}};
    return {.algo = "ppo",
            .why = rare + "; ppo with an intrinsic reward for new observations explores beyond it.",
            .settings = {{"algo.novelty", "rnd"}}};
}

Recommendation forSlowEnvironment(const TaskFacts& task) {
    const std::string slow = "Decisions take " + decisionText(task);
    const char* replays = fits("dqn", task) ? "dqn" : fits("sac", task) ? "sac" : nullptr;
    if (replays != nullptr)
        return {.algo = replays,
                .why = slow + ", longer than learning from them; " + replays +
                       " uses a replay to learn from each decision several times."};
    return {
        .algo = "vtrace",
        .why = slow +
               ", longer than learning from them, and no algorithm with a replay supports these "
               "actions; vtrace learns several times from each rollout while the next ones are collected.",
        .settings = {{"run.schedule", "async"}, {"learner.echo", "0"}}};
}

// The algorithm that suits the task, ignoring presets.
Recommendation byTask(const TaskFacts& task) {
    const bool is_slow = task.decision_s >= kSlowDecision,
               is_dear = task.decision_s >= kSlowDecision * std::max(1, task.cores);
    if (task.agents > 1)
        return {
            .algo = "ppo",
            .why =
                "Several agents learn together, so decisions against earlier opponents are misleading; ppo "
                "learns only from the newest decisions."};
    if (task.has_goals && fits("dqn", task))
        return {.algo = "dqn",
                .why =
                    "The reward depends on a goal; dqn with hindsight also learns from failures, as if "
                    "the state reached had been the goal.",
                .settings = {{"algo.hindsight", "4"}}};
    if (task.needs_memory) return forMemory(task, is_dear);
    if (task.sparse_reward) return forSparseReward(task);
    if (is_dear) return forSlowEnvironment(task);
    if (is_slow)
        return {.algo = "vtrace",
                .why = "Decisions take " + decisionText(task) + ", but " + std::to_string(task.cores) +
                       " cores make them in parallel; with vtrace, environments never wait for the learner.",
                .settings = {{"run.schedule", "async"}}};
    if (task.cores <= kFewCores && seesImage(task) && fits("pqn", task))
        return {.algo = "pqn",
                .why =
                    "Decisions are fast, and each selects one action from an image; pqn learns with one "
                    "network and without a replay, which suits machines with few cores."};
    return {
        .algo = "ppo",
        .why = (task.decision_s > 0 ? "Decisions take only " + decisionText(task)
                                    : std::string("Decisions are not known to be slow")) +
               ", so making new ones is cheaper than learning again from old ones; ppo is the most robust "
               "algorithm that learns from new decisions."};
}

}  // namespace

Recommendation recommendAlgorithm(const TaskFacts& task) {
    Recommendation best = byTask(task);
    const TaskPreset* chosen = nullptr;
    const auto rank = [&](const TaskPreset& preset) {
        return std::tuple(preset.algo != best.algo, !preset.is_default, preset.steps, preset.name);
    };
    for (const TaskPreset& preset : task.presets) {
        const bool is_sensible = preset.is_solved && fits(preset.algo.c_str(), task) &&
                                 (preset.is_recurrent || !task.needs_memory);
        if (is_sensible && (chosen == nullptr || rank(preset) < rank(*chosen))) chosen = &preset;
    }
    if (chosen == nullptr) return best;
    const std::string reaches = "The preset '" + chosen->name + "' reaches its goal";
    best.why = chosen->algo == best.algo
                   ? best.why + " " + reaches + " with this algorithm."
                   : reaches + " with " + chosen->algo + ", which takes precedence over the general rule (" +
                         best.algo + ").";
    best.algo = chosen->algo;
    best.preset = chosen->name;
    best.settings.clear();
    return best;
}

}  // namespace seedbed
