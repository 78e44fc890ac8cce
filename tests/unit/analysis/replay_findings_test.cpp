// SPDX-License-Identifier: Apache-2.0
// The doctor's rules for Q values, replays and temperatures: each fires on its curve, and none on healthy
// runs.
#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include "core/analysis/doctor/findings.hpp"

namespace seedbed {
namespace {

Curve curve(const std::function<double(double)>& f) {
    Curve c;
    for (int i = 0; i < 200; ++i) {
        c.x.push_back(1000.0 * i);
        c.y.push_back(f(i / 199.0));
    }
    return c;
}

Curve constant(double value) {
    return curve([value](double) { return value; });
}

// Prioritised DQN on an environment with a reward of 1 per decision: returns are at most 100.
RunView dqn() {
    RunView run;
    run.config = {{"algo",
                   {{"id", "dqn"},
                    {"learning_rate", 0.0005},
                    {"gamma", 0.99},
                    {"batch_size", 64},
                    {"replay_ratio", 16.0},
                    {"replay_size", 100'000},
                    {"target_period", 200},
                    {"priority_alpha", 0.6}}},
                  {"env", {{"wrap", {{"reward_scale", 1.0}}}}},
                  {"actor", {{"num_envs", 8}}},
                  {"optimiser", {{"max_grad_norm", 10.0}}}};
    run.metrics = {{"value/q", curve([](double t) { return 95 * t; })},
                   {"value/td_error", constant(0.5)},
                   {"loss/value", constant(2)},
                   {"replay/rows", curve([](double t) { return 100'000 * t; })},
                   {"replay/effective_share", constant(0.4)},
                   {"grad/norm", constant(3)},
                   {"episode/return", curve([](double t) { return 100 * t; })}};
    run.reward_low = run.reward_high = 1;
    run.horizon = 500;
    run.reference_score = 475;
    return run;
}

// SAC on an environment whose rewards are at least -16.
RunView sac() {
    RunView run = dqn();
    run.config["algo"] = {
        {"id", "sac"}, {"learning_rate", 0.001}, {"batch_size", 256}, {"replay_ratio", 256.0}};
    run.metrics.erase("replay/effective_share");
    run.metrics["policy/temperature"] = curve([](double t) { return 1 / (1 + 50 * t); });
    run.metrics["policy/entropy"] = curve([](double t) { return 1.4 - t; });
    run.metrics["replay/rows"] = curve([](double t) { return 20'000 * t; });
    run.reward_low = -16.3;
    run.reward_high = 0;
    run.discrete_actions = false;
    return run;
}

using Rules = std::vector<std::string>;

Rules rulesOf(const RunView& run) {
    Rules rules;
    for (const Finding& f : diagnose(run)) rules.push_back(f.rule);
    return rules;
}

TEST(ReplayFindings, HealthyRunsHaveNone) {
    EXPECT_EQ(rulesOf(dqn()), Rules{});
    EXPECT_EQ(rulesOf(sac()), Rules{});
}

TEST(ReplayFindings, EachRuleFiresAloneOnItsCurve) {
    const auto with = [](RunView run, const std::string& metric, const std::function<double(double)>& f) {
        run.metrics[metric] = curve(f);
        return run;
    };
    EXPECT_EQ(rulesOf(with(dqn(), "value/q", [](double t) { return 1e4 * t; })), Rules{"q_divergence"});
    EXPECT_EQ(rulesOf(with(dqn(), "value/q", [](double t) { return 250 * t; })), Rules{})
        << "overestimated, not divergent";
    EXPECT_EQ(rulesOf(with(dqn(), "replay/effective_share", [](double) { return 1.0; })),
              Rules{"dead_priorities"});
    EXPECT_EQ(rulesOf(with(dqn(), "replay/effective_share", [](double) { return 1e-4; })),
              Rules{"dead_priorities"});
    EXPECT_EQ(rulesOf(with(sac(), "policy/temperature", [](double t) { return t < 0.3 ? 1.0 : 1e-5; })),
              Rules{})
        << "the policy still explores";
    RunView collapsed = with(sac(), "policy/temperature", [](double t) { return t < 0.3 ? 1.0 : 1e-5; });
    collapsed.metrics["policy/entropy"] = curve([](double t) { return t < 0.3 ? 1.4 : -6; });
    EXPECT_EQ(rulesOf(collapsed), Rules{"temperature_collapse"});
    RunView stale = dqn();
    stale.config["algo"]["replay_ratio"] = 512.0;
    EXPECT_EQ(rulesOf(stale), Rules{}) << "the replay is large";
    stale.metrics["replay/rows"] = constant(2000);
    EXPECT_EQ(rulesOf(stale), Rules{"stale_replay"});
}

TEST(ReplayFindings, TheSettingThatDiffersFromThePresetIsBlamedFirst) {
    const auto blamed = [](const char* key, const Json& value, const std::function<void(RunView&)>& change) {
        RunView run = dqn();
        run.preset = "cartpole_dqn";
        run.base = run.config;
        run.config["algo"][key] = value;
        // Another changed setting, which has no effect here.
        run.config["actor"]["num_envs"] = 10;
        run.goal = 475;
        run.random_return = 20;
        run.status = RunStatus::finished;
        run.metrics["episode/return"] = constant(20);
        change(run);
        const std::vector<Finding> findings = diagnose(run);
        return findings.empty() || findings[0].blames.empty() ? "" : findings[0].blames[0];
    };
    EXPECT_EQ(
        blamed("replay_ratio", 512.0, [](RunView& run) { run.metrics["replay/rows"] = constant(2000); }),
        "algo.replay_ratio");
    EXPECT_EQ(blamed("replay_size", 500, [](RunView& run) { run.metrics["replay/rows"] = constant(500); }),
              "algo.replay_size");
    const auto diverges = [](RunView& run) { run.metrics["value/q"] = constant(1e5); };
    EXPECT_EQ(blamed("target_period", 1, diverges), "algo.target_period");
    EXPECT_EQ(blamed("learning_rate", 0.1, diverges), "algo.learning_rate");
}

}  // namespace
}  // namespace seedbed
