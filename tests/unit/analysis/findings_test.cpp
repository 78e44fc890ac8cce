// SPDX-License-Identifier: Apache-2.0
// Every rule of the training doctor fires on the curve it is about, and none on a healthy run.
#include "core/analysis/findings.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "core/analysis/run_settings.hpp"

namespace seedbed {
namespace {

constexpr int kPoints = 200;

Curve curve(const std::function<double(double)>& f) {
    Curve c;
    for (int i = 0; i < kPoints; ++i) {
        c.x.push_back(1000.0 * i);
        c.y.push_back(f(i / (kPoints - 1.0)));
    }
    return c;
}

RunView healthy() {
    RunView run;
    run.config = {{"algo", {{"id", "ppo"}, {"learning_rate", 0.001}, {"epochs", 4}, {"entropy_cost", 0.0}}},
                  {"env", {{"wrap", {{"reward_scale", 1.0}}}}},
                  {"actor", {{"num_envs", 8}}},
                  {"optimiser", {{"max_grad_norm", 0.5}}}};
    run.metrics = {{"policy/entropy", curve([](double t) { return 0.7 - 0.4 * t; })},
                   {"policy/kl", curve([](double) { return 0.01; })},
                   {"policy/clip_fraction", curve([](double) { return 0.1; })},
                   {"value/explained_variance", curve([](double t) { return t; })},
                   {"grad/norm", curve([](double) { return 0.4; })},
                   {"loss/value", curve([](double) { return 2.0; })},
                   {"episode/return", curve([](double t) { return 100 * t; })},
                   {"speed/env_steps_per_s", curve([](double) { return 1e5; })}};
    run.episode_lengths.assign(100, 60);
    run.horizon = 500;
    run.reference_score = 475;
    return run;
}

std::vector<std::string> rulesOf(const RunView& run) {
    std::vector<std::string> rules;
    for (const Finding& f : diagnose(run)) rules.push_back(f.rule);
    return rules;
}

TEST(Findings, AHealthyRunAndAnEmptyOneHaveNone) {
    EXPECT_TRUE(diagnose(healthy()).empty());
    EXPECT_TRUE(diagnose({}).empty());
}

TEST(Findings, EachRuleFiresAloneOnItsCurve) {
    const auto with = [](const std::string& metric, const std::function<double(double)>& f) {
        RunView run = healthy();
        run.metrics[metric] = curve(f);
        return run;
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    using Rules = std::vector<std::string>;
    EXPECT_EQ(rulesOf(with("policy/entropy", [](double t) { return t < 0.3 ? 0.7 : 0.001; })),
              Rules{"entropy_collapse"});
    EXPECT_EQ(rulesOf(with("policy/kl", [](double) { return 0.3; })), Rules{"kl_too_high"});
    EXPECT_EQ(rulesOf(with("policy/clip_fraction", [](double) { return 0.6; })), Rules{"many_clipped"});
    EXPECT_EQ(rulesOf(with("value/explained_variance", [](double) { return -0.2; })),
              Rules{"value_explains_nothing"});
    EXPECT_EQ(rulesOf(with("grad/norm", [](double) { return 9.0; })), Rules{"gradient_at_the_clip"});
    EXPECT_EQ(rulesOf(with("loss/value", [](double) { return 5000.0; })), Rules{"value_scale"});
    EXPECT_EQ(rulesOf(with("episode/return", [](double t) { return t < 0.2 ? 100 * t : 20; })),
              Rules{"stalled"});
    EXPECT_EQ(rulesOf(with("episode/return", [](double t) { return t < 0.5 ? 800 * t : 100; })),
              Rules{"collapse"});
    EXPECT_EQ(rulesOf(with("speed/env_steps_per_s", [](double t) { return t < 0.7 ? 1e5 : 3e4; })),
              Rules{"throughput_fall"});
    EXPECT_EQ(rulesOf(with("loss/value", [nan](double t) { return t > 0.9 ? nan : 2; })),
              Rules{"not_a_number"});
}

TEST(Findings, ACriticThatStandsAloneAlreadyIsNotAdvised) {
    RunView run = healthy();
    run.metrics["value/explained_variance"] = curve([](double) { return -0.2; });
    for (const bool separate : {false, true}) {
        run.config["network"]["separate_critic"] = separate;
        const std::vector<Finding> findings = diagnose(run);
        ASSERT_EQ(findings.size(), 1u);
        EXPECT_EQ(findings[0].settings.empty(), separate);
        EXPECT_EQ(findings[0].remedy.find("separate network") == std::string::npos, separate);
    }
}

TEST(Findings, TheTimeLimitIsAFindingOnlyWhereItIsAFailure) {
    using Rules = std::vector<std::string>;
    // A goal that is never reached: every episode costs the same.
    RunView run = healthy();
    run.metrics["episode/return"] = curve([](double) { return -200.0; });
    run.metrics["episode/length"] = curve([](double) { return 200.0; });
    run.episode_lengths.assign(100, 200), run.horizon = 200, run.reference_score = -110,
                                          run.random_return = -200;
    EXPECT_EQ(rulesOf(run), (Rules{"stalled", "all_truncated"}));
    // Its reward is not what happens to be observed in an environment without any other end.
    run.metrics["episode/return"] = curve([](double t) { return -1200 + 300 * std::sin(40 * t); });
    run.reference_score = -172;
    run.random_return = -1220;
    EXPECT_EQ(std::count(rulesOf(run).begin(), rulesOf(run).end(), "all_truncated"), 0);
    // Other episodes did end, also by chance.
    run.metrics["episode/length"] = curve([](double t) { return t < 0.1 ? 150.0 : 200.0; });
    run.metrics["episode/return"] = curve([](double t) { return t < 0.1 ? -150.0 : -200.0; });
    run.random_return.reset();
    run.reference_score = -110;
    EXPECT_EQ(rulesOf(run), (Rules{"stalled", "all_truncated"}));
    // Surviving to the limit is what the agent was to do, though it is below the reference.
    RunView survivor = healthy();
    survivor.episode_lengths.assign(100, 500);
    survivor.random_return = 22;
    survivor.metrics["episode/length"] = curve([](double t) { return 500 * t; });
    EXPECT_TRUE(diagnose(survivor).empty());
}

TEST(Findings, ACollapseSaysWhatWasBestAndWhatIsNow) {
    RunView run = healthy();
    run.metrics["episode/return"] = curve([](double t) { return t < 0.5 ? 868 * t : 107; });
    for (int i = 0; i < 12; ++i) run.evaluations.push_back({15000.0 * i, i < 6 ? 80.0 * i : 107, 20, 20});
    const Finding f = diagnose(run).front();
    EXPECT_EQ(f.rule, "collapse");
    EXPECT_EQ(f.severity, Finding::Severity::warning);
    // The best window is the last one before the fall, its middle at 0.45 of 199,000 steps: 868 * 89.5 / 199
    // is 390.
    EXPECT_EQ(f.evidence.text(),
              "the return was 390 around step 90000 and is 107 now (means of 20 updates); "
              "evaluations gave 320 around step 60000 and give 107 now (means of three)");
    EXPECT_DOUBLE_EQ(f.settings["algo.learning_rate"].get<double>(), 0.0005);
    // The evaluations alone: the policy that acts greedily lost what the one that explores still has.
    run.metrics["episode/return"] = curve([](double t) { return 400 * t; });
    EXPECT_EQ(rulesOf(run), std::vector<std::string>{"collapse"});
    // A run that reached the reference has not collapsed.
    run.reference_score = 350;
    EXPECT_TRUE(diagnose(run).empty());
}

TEST(Findings, RemediesChangeWhatTheRunHas) {
    RunView run = healthy();
    run.config["env"]["wrap"]["reward_scale"] = 0.01;
    run.metrics["loss/value"] = curve([](double) { return 1e4; });
    EXPECT_DOUBLE_EQ(diagnose(run).front().settings["env.wrap.reward_scale"].get<double>(), 0.01 * 0.01);
    // The entropy of real-valued actions falls through zero when all is well.
    RunView gaussian = healthy();
    gaussian.metrics["policy/entropy"] = curve([](double t) { return 1.42 - 1.62 * t; });
    EXPECT_EQ(rulesOf(gaussian), std::vector<std::string>{"entropy_collapse"});
    gaussian.discrete_actions = false;
    EXPECT_TRUE(diagnose(gaussian).empty());
}

TEST(RunSettings, ACommandQuotesWhatAShellWouldTakeApart) {
    EXPECT_EQ(trainCommand(
                  "catch",
                  {{"actor.num_envs", "16"}, {"network.hidden", "64,32"}, {"name", "it's"}, {"preset", ""}}),
              "seedbed train catch --actor.num_envs 16 --network.hidden 64,32 --name 'it'\\''s' --preset ''");
}

TEST(RunSettings, MoreSeedsKeepTheMachineAndAnotherTryDoesNot) {
    Json config = healthy().config;
    config["run"] = {{"seed", 3}, {"engine", "reference"}, {"threads", 2}, {"steps", 1000}};
    const auto names = [](const auto& settings) {
        std::vector<std::string> list;
        for (const auto& [name, text] : settings) list.push_back(name);
        return list;
    };
    const auto more_seeds = names(settingsOf(config, Json::object(), KeepMachine::yes));
    EXPECT_EQ(std::count(more_seeds.begin(), more_seeds.end(), "run.engine"), 1);
    EXPECT_EQ(std::count(more_seeds.begin(), more_seeds.end(), "run.seed"), 0);
    const auto another_try = names(settingsOf(config, Json::object()));
    EXPECT_EQ(std::count(another_try.begin(), another_try.end(), "run.engine"), 0);
}

TEST(Findings, ARunAtItsReferenceIsNotToldToExplore) {
    RunView run = healthy();
    run.metrics["policy/entropy"] = curve([](double t) { return t < 0.3 ? 0.7 : 0.001; });
    run.metrics["episode/return"] = curve([](double) { return 490.0; });
    run.episode_lengths.assign(100, 500);
    EXPECT_TRUE(diagnose(run).empty());
}

TEST(Findings, RemediesAreSettingsOfTheRun) {
    RunView run = healthy();
    run.metrics["policy/kl"] = curve([](double) { return 0.3; });
    const Finding f = diagnose(run).front();
    EXPECT_DOUBLE_EQ(f.settings["algo.learning_rate"].get<double>(), 0.0005);
    EXPECT_NE(f.evidence.text().find("0.3"), std::string::npos);
    EXPECT_EQ(f.severity, Finding::Severity::warning);
}

TEST(Findings, TheWorstComesFirstAndTooFewPointsSayNothing) {
    RunView run = healthy();
    run.metrics["policy/kl"] = curve([](double) { return 0.3; });
    run.metrics["loss/value"].y.back() = std::numeric_limits<double>::infinity();
    EXPECT_EQ(rulesOf(run), (std::vector<std::string>{"not_a_number", "kl_too_high"}));
    RunView young;
    young.config = run.config;
    young.metrics["policy/kl"] = {{0, 1, 2}, {5, 5, 5}};
    EXPECT_TRUE(diagnose(young).empty());
}

}  // namespace
}  // namespace seedbed
