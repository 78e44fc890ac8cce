// SPDX-License-Identifier: Apache-2.0
// Thresholds are rules of thumb unless a source is given.
#include "core/analysis/doctor/replay_rules.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace seedbed::doctor {
namespace {

using Severity = Finding::Severity;

// Q values beyond this multiple of the largest possible return count as diverging: bootstrapping
// overestimates healthy values by a factor of up to about two.
constexpr double kFarBeyond = 3;
// Optimiser steps per decision: 1/4 in DQN (Mnih et al. 2015), 1 in SAC, which becomes unstable at 20 (Chen
// et al. 2021, "Randomized Ensembled Double Q-Learning").
constexpr double kManySteps = 4;
constexpr double kSmallReplay = 20'000;
constexpr double kNoEffect = 0.999, kFewWindows = 0.002;
constexpr double kCollapsed = 1e-3;

// Decisions per optimiser step.
double batchRows(const RunView& run) {
    return setting(run, "algo.batch_size", 32) * setting(run, "algo.sequence", 1);
}

// The largest possible discounted return with the learner's clipping and scaling; 0 if unknown.
double largestReturn(const RunView& run) {
    const double gamma = setting(run, "algo.gamma", 0.99), scale = setting(run, "env.wrap.reward_scale", 1),
                 clip = setting(run, "env.wrap.reward_clip", 0);
    double reward = std::max(std::abs(run.reward_low), std::abs(run.reward_high));
    if (clip > 0) reward = reward > 0 ? std::min(reward, clip) : clip;
    if (reward <= 0 || gamma >= 1) return 0;
    const double horizon = 1 / (1 - gamma);
    return std::abs(scale) * reward *
           (run.horizon > 0 ? std::min(horizon, static_cast<double>(run.horizon)) : horizon);
}

std::optional<Finding> divergingQ(const RunView& run) {
    if (!qDiverges(run)) return std::nullopt;
    Finding f = found("q_divergence", Severity::warning, SEEDBED_TEXT("The Q values diverge."));
    f.evidence = {
        SEEDBED_TEXT("the mean Q value is %1 (median of the last quarter), and no discounted return "
                     "can exceed %2"),
        {shortNumber(*medianOf(run, "value/q", 0.75, 1)), shortNumber(largestReturn(run))}};
    f.cause = SEEDBED_TEXT(
        "targets follow the values that they train: a target network that changes too fast, or "
        "too high a learning rate");
    f.remedy = SEEDBED_TEXT("a third of the learning rate");
    if (const double rate = setting(run, "algo.learning_rate", 0); rate > 0)
        suggest(f, run, "algo.learning_rate", rate / 3);
    return f;
}

std::optional<Finding> staleReplay(const RunView& run) {
    if (!replayIsStale(run)) return std::nullopt;
    Finding f =
        found("stale_replay", Severity::warning, SEEDBED_TEXT("The replay is used too often for its size."));
    f.evidence = {
        SEEDBED_TEXT(
            "there are %1 optimiser steps for each decision, and the replay keeps only %2 decisions"),
        {shortNumber(setting(run, "algo.replay_ratio", 0) / batchRows(run)),
         shortNumber(*medianOf(run, "replay/rows", 0.75, 1))}};
    f.cause =
        SEEDBED_TEXT("the network fits a few old decisions, whose values do not generalise to new ones");
    f.remedy = SEEDBED_TEXT("a lower replay ratio, or a larger replay");
    suggest(f, run, "algo.replay_ratio", batchRows(run) / 4);
    return f;
}

std::optional<Finding> deadPriorities(const RunView& run) {
    const auto share = medianOf(run, "replay/effective_share", 0.75, 1);
    if (!share || (*share<kNoEffect&& * share> kFewWindows)) return std::nullopt;
    const bool no_effect = *share >= kNoEffect;
    Finding f = found("dead_priorities", Severity::warning,
                      no_effect ? SEEDBED_TEXT("The priorities of the replay have no effect.")
                                : SEEDBED_TEXT("The replay draws the same few decisions."));
    f.evidence = {
        SEEDBED_TEXT("the draws are as varied as draws from %1 % of the replay (median of the last quarter)"),
        {shortNumber(100 * *share)}};
    f.cause = no_effect
                  ? SEEDBED_TEXT(
                        "errors far below 0.000001, because rewards are tiny, or algo.priority_alpha "
                        "is 0")
                  : SEEDBED_TEXT("a few decisions with huge errors, or algo.priority_alpha is too large");
    f.remedy = no_effect ? SEEDBED_TEXT("scale the rewards so that returns are of the order of 1 to 10")
                         : SEEDBED_TEXT("a smaller exponent of the priorities");
    if (!no_effect) suggest(f, run, "algo.priority_alpha", setting(run, "algo.priority_alpha", 0.6) / 2);
    else if (const double scale = setting(run, "env.wrap.reward_scale", 1); scale > 0 && scale < 1)
        suggest(f, run, "env.wrap.reward_scale", 1);
    return f;
}

std::optional<Finding> collapsedTemperature(const RunView& run) {
    const std::vector<double> temperature = valuesOf(run, "policy/temperature");
    if (temperature.size() < kMinPoints) return std::nullopt;
    const double begin = temperature.front(), end = medianOf(temperature, 0.9, 1);
    const auto early = medianOf(run, "policy/entropy", 0, 0.1),
               late = medianOf(run, "policy/entropy", 0.9, 1);
    // A falling temperature is normal while the policy still explores.
    if (begin <= 0 || end > kCollapsed * begin || !early || !late || *late > *early - 1) return std::nullopt;
    Finding f = found("temperature_collapse", Severity::warning,
                      SEEDBED_TEXT("The temperature collapsed, and the policy stopped exploring."));
    f.evidence = {SEEDBED_TEXT("the temperature fell from %1 to %2, and the entropy from %3 to %4 nats"),
                  {shortNumber(begin), shortNumber(end), shortNumber(*early), shortNumber(*late)}};
    f.cause = SEEDBED_TEXT("too low a target entropy, or a temperature that learns too fast");
    f.remedy = SEEDBED_TEXT("the target entropy of the preset or the default");
    return f;
}

}  // namespace

bool qDiverges(const RunView& run) {
    const auto q = medianOf(run, "value/q", 0.75, 1);
    const double limit = largestReturn(run);
    return q && limit > 0 && std::abs(*q) > kFarBeyond * limit;
}

bool replayIsStale(const RunView& run) {
    const auto rows = medianOf(run, "replay/rows", 0.75, 1);
    return rows && *rows < kSmallReplay &&
           setting(run, "algo.replay_ratio", 0) >= kManySteps * batchRows(run);
}

std::vector<Finding> replayFindings(const RunView& run) {
    static constexpr std::array kRules{divergingQ, staleReplay, deadPriorities, collapsedTemperature};
    std::vector<Finding> findings;
    for (const auto& rule : kRules)
        if (auto finding = rule(run)) findings.push_back(std::move(*finding));
    return findings;
}

}  // namespace seedbed::doctor
