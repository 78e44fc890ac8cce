// SPDX-License-Identifier: Apache-2.0
// Every rule of the training doctor fires on its typical curve, and no rule on a healthy run.
#include "core/analysis/doctor/findings.hpp"

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

bool has(const RunView& run, const char* rule) {
    const std::vector<std::string> rules = rulesOf(run);
    return std::find(rules.begin(), rules.end(), rule) != rules.end();
}

TEST(Findings, AHealthyRunAndAnEmptyOneHaveNone) {
    EXPECT_TRUE(diagnose(healthy()).empty());
    EXPECT_TRUE(diagnose({}).empty());
}

TEST(Findings, ARunWithTheBestPossibleReturnHasNone) {
    RunView run = healthy();
    run.status = RunStatus::finished;
    run.goal = 600;  // more than the environment's best possible return
    run.metrics["episode/return"] = curve([](double t) { return std::min(500.0, 1000 * t); });
    run.metrics["policy/entropy"] = curve([](double t) { return t < 0.3 ? 0.7 : 0.001; });
    EXPECT_FALSE(diagnose(run).empty());
    run.best_possible = 500;
    EXPECT_TRUE(diagnose(run).empty());
    run.best_possible = 501;
    EXPECT_FALSE(diagnose(run).empty());
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
    // These findings are only notes, and a run that improves gets none.
    EXPECT_EQ(rulesOf(with("grad/norm", [](double) { return 9.0; })), Rules{});
    RunView clipped = with("grad/norm", [](double) { return 9.0; });
    clipped.metrics["episode/return"] = curve([](double) { return 20.0; });
    EXPECT_EQ(rulesOf(clipped), (Rules{"gradient_at_the_clip", "stalled"}));
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

TEST(Findings, ASeparateCriticIsNotSuggestedTwice) {
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

TEST(Findings, TheTimeLimitIsAFindingOnlyIfItIsAFailure) {
    using Rules = std::vector<std::string>;
    // A goal that is never reached: every episode costs the same.
    RunView run = healthy();
    run.metrics["episode/return"] = curve([](double) { return -200.0; });
    run.metrics["episode/length"] = curve([](double) { return 200.0; });
    run.episode_lengths.assign(100, 200), run.horizon = 200, run.reference_score = -110,
                                          run.random_return = -200;
    EXPECT_EQ(rulesOf(run), (Rules{"stalled", "all_truncated"}));
    // Not a failure if episodes only ever end at the time limit, as in Pendulum.
    run.metrics["episode/return"] = curve([](double t) { return -1200 + 300 * std::sin(40 * t); });
    run.reference_score = -172;
    run.random_return = -1220;
    EXPECT_FALSE(has(run, "all_truncated"));
    // Earlier episodes ended before the limit, even if only by chance.
    run.metrics["episode/length"] = curve([](double t) { return t < 0.1 ? 150.0 : 200.0; });
    run.metrics["episode/return"] = curve([](double t) { return t < 0.1 ? -150.0 : -200.0; });
    run.random_return.reset();
    run.reference_score = -110;
    EXPECT_EQ(rulesOf(run), (Rules{"stalled", "all_truncated"}));
    // Surviving to the limit is the task here, although the return is below the reference.
    RunView survivor = healthy();
    survivor.episode_lengths.assign(100, 500);
    survivor.random_return = 22;
    survivor.metrics["episode/length"] = curve([](double t) { return 500 * t; });
    EXPECT_TRUE(diagnose(survivor).empty());
}

TEST(Findings, ACollapseReportsTheBestAndTheCurrentReturn) {
    RunView run = healthy();
    run.metrics["episode/return"] = curve([](double t) { return t < 0.5 ? 868 * t : 107; });
    for (int i = 0; i < 12; ++i) run.evaluations.push_back({15000.0 * i, i < 6 ? 80.0 * i : 107, 20, 20});
    const Finding f = diagnose(run).front();
    EXPECT_EQ(f.rule, "collapse");
    EXPECT_EQ(f.severity, Finding::Severity::warning);
    // The best window is the last one before the drop; its middle is at 0.45 of 199,000 steps: 868 * 89.5 /
    // 199 is 390.
    EXPECT_EQ(f.evidence.text(),
              "the training return was 390 around step 90000 and is 107 now (means of 20 updates); "
              "the mean of three evaluations was 320 around step 60000 and is 107 now");
    EXPECT_DOUBLE_EQ(f.settings["algo.learning_rate"].get<double>(), 0.0005);
    // Only the evaluations drop: the greedy policy has lost a skill that the exploring policy still has.
    run.metrics["episode/return"] = curve([](double t) { return 400 * t; });
    EXPECT_EQ(rulesOf(run), std::vector<std::string>{"collapse"});
    // A run that reached the reference has not collapsed.
    run.evaluations.clear();
    run.reference_score = 350;
    EXPECT_TRUE(diagnose(run).empty());
}

TEST(Findings, RemediesChangeExistingSettings) {
    RunView run = healthy();
    run.config["env"]["wrap"]["reward_scale"] = 0.01;
    run.metrics["loss/value"] = curve([](double) { return 1e4; });
    EXPECT_DOUBLE_EQ(diagnose(run).front().settings["env.wrap.reward_scale"].get<double>(), 0.01 * 0.01);
    // The entropy of continuous actions drops below zero in healthy runs, too.
    RunView gaussian = healthy();
    gaussian.metrics["policy/entropy"] = curve([](double t) { return 1.42 - 1.62 * t; });
    EXPECT_EQ(rulesOf(gaussian), std::vector<std::string>{"entropy_collapse"});
    gaussian.discrete_actions = false;
    EXPECT_TRUE(diagnose(gaussian).empty());
}

TEST(Findings, ActionsThatDoNotFitTheirBoundsAreNamed) {
    RunView run = healthy();
    run.goal.reset();
    ActionLeaf heat{.name = "heat", .kind = ActionLeaf::Kind::box, .low = {-1, 100}, .high = {1, 200}};
    run.actions = {heat};
    run.config["network"]["scale_actions"] = true;
    EXPECT_TRUE(rulesOf(run).empty());
    run.config["network"]["scale_actions"] = false;
    ASSERT_EQ(rulesOf(run), std::vector<std::string>{"unfit_actions"});
    EXPECT_EQ(diagnose(run).front().settings, Json({{"network.scale_actions", true}}));
    EXPECT_EQ(diagnose(run).front().evidence.text(), "number 2 of action 'heat' is between 100 and 200");
    for (const auto& [low, high] : {std::pair(-2.0, 2.0), {0.0, 1.0}, {170.0, 170.0}}) {
        run.actions[0].low[1] = low;
        run.actions[0].high[1] = high;
        EXPECT_TRUE(rulesOf(run).empty()) << low << " to " << high;
    }
    run.actions[0].high[1] = INFINITY;
    run.config["network"]["scale_actions"] = true;
    EXPECT_FALSE(has(run, "unfit_actions")) << "notes do not interrupt a run that improves";
    run.status = RunStatus::finished;
    EXPECT_TRUE(has(run, "unfit_actions"));
    run.config["network"]["squash"] = true;
    EXPECT_FALSE(has(run, "unfit_actions"));
}

TEST(RunSettings, ACommandQuotesWordsForTheShell) {
    EXPECT_EQ(trainCommand(
                  "catch",
                  {{"actor.num_envs", "16"}, {"network.hidden", "64,32"}, {"name", "it's"}, {"preset", ""}}),
              "seedbed train catch --actor.num_envs 16 --network.hidden 64,32 --name 'it'\\''s' --preset ''");
}

TEST(RunSettings, OnlyMoreSeedsKeepTheMachineSettings) {
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

TEST(Findings, ARunAtItsReferenceIsNotAdvisedToExplore) {
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

TEST(Findings, TheMostSevereIsFirstAndFewPointsGiveNoFinding) {
    RunView run = healthy();
    run.metrics["policy/kl"] = curve([](double) { return 0.3; });
    run.metrics["loss/value"].y.back() = std::numeric_limits<double>::infinity();
    EXPECT_EQ(rulesOf(run), (std::vector<std::string>{"not_a_number", "kl_too_high"}));
    RunView young;
    young.config = run.config;
    young.metrics["policy/kl"] = {{0, 1, 2}, {5, 5, 5}};
    EXPECT_TRUE(diagnose(young).empty());
}

// A finished run that missed the goal of its preset; `changed`: its changed settings.
RunView missed(const std::string& section, const std::string& name, const Json& value) {
    RunView run = healthy();
    run.status = RunStatus::finished;
    run.preset = "cartpole";
    run.goal = 475;
    run.random_return = 22;
    run.steps = 200'000;
    run.config["run"] = {{"steps", 200'000}};
    run.config["algo"]["lr_horizon"] = 200'000;
    run.config["network"] = {{"core", "gru"}};
    run.base = run.config;
    run.config[section][name] = value;
    run.metrics["episode/return"] = curve([](double) { return 9.3; });
    run.evaluations = {{200'000, 9.3, 0.5, 100}};
    return run;
}

TEST(Findings, ASettingThatDiffersFromThePresetIsBlamedFirstAndOnlyItsChangeIsSuggested) {
    RunView run = missed("algo", "learning_rate", 5.0);
    run.metrics["policy/entropy"] = curve([](double t) { return t < 0.01 ? 0.7 : 1e-30; });
    const std::vector<Finding> findings = diagnose(run);
    ASSERT_GE(findings.size(), 2u);
    EXPECT_EQ(findings[0].rule, "learning_rate_high");
    EXPECT_EQ(findings[0].severity, Finding::Severity::warning);
    EXPECT_EQ(findings[0].blames, std::vector<std::string>{"algo.learning_rate"});
    EXPECT_EQ(findings[0].settings, Json({{"algo.learning_rate", 0.001}}));
    EXPECT_EQ(
        findings[0].evidence.text(),
        "the last evaluation is 9.3 and the goal 475; algo.learning_rate is 5.0 (in the preset: 0.001)");
    for (std::size_t i = 1; i < findings.size(); ++i) {
        EXPECT_EQ(findings[i].severity, Finding::Severity::note) << findings[i].rule;
        EXPECT_TRUE(findings[i].settings.empty()) << findings[i].rule;
        EXPECT_EQ(findings[i].remedy, "") << findings[i].rule;
    }
    run.evaluations.clear();
    EXPECT_EQ(
        diagnose(run)[0].evidence.text(),
        "the training return is 9.3 and the goal 475; algo.learning_rate is 5.0 (in the preset: 0.001)");
}

TEST(Findings, ARunThatOnlyLacksStepsIsContinued) {
    RunView run = missed("run", "steps", 20'000);
    run.steps = 20'000;
    run.metrics["episode/return"] = curve([](double t) { return 40 + 100 * t; });
    run.evaluations = {{20'000, 150, 5, 100}};
    EXPECT_FALSE(diagnose(run).front().resume) << "there is no checkpoint";
    run.saved_step = 20'000;
    Finding f = diagnose(run).front();
    EXPECT_EQ(f.rule, "too_few_steps");
    EXPECT_TRUE(f.resume);
    EXPECT_EQ(f.settings, Json({{"run.steps", 200'000}}));
    // No setting differs. A linear schedule that ends before the new total needs a different length from the
    // beginning.
    run = missed("algo", "lr_schedule", "constant");
    run.base = run.config;
    run.saved_step = 200'000;
    run.metrics["episode/return"] = curve([](double t) { return 40 + 100 * t; });
    f = diagnose(run).front();
    EXPECT_EQ(f.rule, "goal_missed");
    EXPECT_TRUE(f.resume);
    EXPECT_EQ(f.settings, Json({{"run.steps", 400'000}}));
    run.config["algo"]["lr_schedule"] = run.base["algo"]["lr_schedule"] = "linear";
    f = diagnose(run).front();
    EXPECT_FALSE(f.resume);
    EXPECT_EQ(f.settings, Json({{"run.steps", 400'000}, {"algo.lr_horizon", 400'000}}));
}

TEST(Findings, ARunWithoutStepsHasAFindingAboutIt) {
    RunView run;
    run.status = RunStatus::queued;
    EXPECT_EQ(rulesOf(run), std::vector<std::string>{"not_trained"});
    EXPECT_FALSE(diagnose(run).front().resume);
    run.status = RunStatus::interrupted;
    run.segments = {{}};
    EXPECT_EQ(rulesOf(run), std::vector<std::string>{"not_trained"});
    EXPECT_TRUE(diagnose(run).front().resume);
    run.status = RunStatus::starting;
    EXPECT_TRUE(diagnose(run).empty());
    run.status = RunStatus::interrupted;
    run.steps = 64;
    EXPECT_TRUE(diagnose(run).empty());
}

TEST(Findings, NothingSuggestsToContinueARunWhoseNumbersAreNotFinite) {
    RunView run = missed("algo", "lr_schedule", "linear");
    run.metrics["optimiser/learning_rate"] = curve([](double t) { return std::max(0.0, 0.001 - 0.002 * t); });
    run.status = RunStatus::failed;
    run.status_text = "the gradient of parameter 'w' of network 'net' is not a finite number";
    EventRecord event;
    event.kind = "resumed";
    run.events = {event};
    const std::vector<Finding> findings = diagnose(run);
    EXPECT_EQ(findings.front().rule, "not_a_number");
    EXPECT_TRUE(has(run, "schedule_over"));
    for (const Finding& f : findings) EXPECT_FALSE(f.resume) << f.rule;
}

TEST(Findings, TheBlamedSettingIsTheOneThatFitsNotTheFirstThatDiffers) {
    RunView run = missed("algo", "learning_rate", 1e-6);
    run.config["actor"]["num_envs"] = 12;
    run.config["algo"]["epochs"] = 5;
    EXPECT_EQ(diagnose(run)[0].rule, "learning_rate_low");
    EXPECT_EQ(diagnose(missed("algo", "gamma", 0.0)).size(), diagnose(missed("algo", "gamma", 0.99)).size())
        << "the base configuration has no gamma";
    EXPECT_EQ(diagnose(missed("network", "core", "none"))[0].blames,
              std::vector<std::string>{"network.core"});
}

TEST(Findings, AChangeThatItsOwnRuleFindsHarmlessIsNotBlamed) {
    RunView run = missed("run", "steps", 100'000);
    run.steps = 100'000;
    run.base["run"]["steps"] = 0;  // no limit
    run.metrics["policy/entropy"] = curve([](double t) { return t < 0.3 ? 0.7 : 0.001; });
    Finding f = diagnose(run).front();
    EXPECT_EQ(f.rule, "entropy_collapse");
    EXPECT_EQ(f.settings, Json({{"algo.entropy_cost", 0.01}}));
    // A limit above all rewards clips nothing.
    run.config["env"]["wrap"]["reward_clip"] = 5.0;
    run.base["env"]["wrap"]["reward_clip"] = 0.0;
    run.reward_low = 0;
    run.reward_high = 1;
    EXPECT_EQ(diagnose(run).front().rule, "entropy_collapse");
    // More exploration is not a lack of exploration.
    run.config["algo"]["entropy_cost"] = 0.001;
    EXPECT_EQ(diagnose(run).front().rule, "entropy_collapse");
}

TEST(Findings, ARunAtItsGoalIsNotAlarmed) {
    RunView run = missed("algo", "learning_rate", 5.0);
    run.evaluations = {{200'000, 480, 5, 100}};
    run.metrics["grad/norm"] = curve([](double) { return 9.0; });
    run.metrics["policy/kl"] = curve([](double) { return 0.3; });
    EXPECT_TRUE(diagnose(run).empty());
}

TEST(Findings, MemorySwitchedOffIsNoticedEvenWhereTheGoalIsModest) {
    RunView run = missed("network", "core", "none");
    run.evaluations = {{200'000, 474, 5, 100}};
    run.goal = 100;
    ASSERT_EQ(diagnose(run).size(), 1u);
    EXPECT_EQ(diagnose(run)[0].rule, "no_memory");
    run.evaluations = {{200'000, 476, 5, 100}};
    EXPECT_TRUE(diagnose(run).empty()) << "the run is as good as the reference";
}

TEST(Findings, AMissedGoalIsNamedWithoutAnyChangedSetting) {
    RunView run = missed("algo", "epochs", 4);
    run.metrics["episode/return"] = curve([](double t) { return 40 + 100 * t; });
    run.evaluations = {{200'000, 150, 5, 100}};
    EXPECT_EQ(rulesOf(run), std::vector<std::string>{"goal_missed"});
    // A goal that random play reaches cannot be missed.
    run.goal = 22;
    EXPECT_TRUE(diagnose(run).empty());
}

TEST(Findings, AFailureOrRollbackWithNumbersThatAreNotFiniteIsAProblemWithARemedy) {
    RunView run = missed("algo", "learning_rate", 5.0);
    run.status = RunStatus::failed;
    run.status_text = "the gradient of parameter 'w' of network 'net' is not a finite number";
    Finding f = diagnose(run).front();
    EXPECT_EQ(f.rule, "not_a_number");
    EXPECT_EQ(f.severity, Finding::Severity::problem);
    EXPECT_EQ(f.settings, Json({{"algo.learning_rate", 0.001}}));
    run.status = RunStatus::finished;
    EventRecord event;
    event.kind = "rolled_back";
    event.text = "after step 300: a value target is not a finite number";
    run.events = {event};
    run.base = Json();
    f = diagnose(run).front();
    EXPECT_EQ(f.rule, "not_a_number");
    EXPECT_EQ(f.settings, Json({{"algo.learning_rate", 0.5}}));
    // Any other failure is reported, too.
    run.events.clear();
    run.status = RunStatus::failed;
    run.status_text = "the disk is full";
    EXPECT_EQ(diagnose(run).front().rule, "failed");
    EXPECT_EQ(diagnose(run).front().evidence.text(), "the disk is full");
}

TEST(Findings, ProcessesThatEndInARowWithoutACheckpointAreAProblem) {
    RunView run = healthy();
    run.status = RunStatus::interrupted;
    run.saved_step = 5000;
    const auto process = [&](std::int64_t begin) {
        SegmentRecord segment;
        segment.begin_step = begin;
        segment.started = 100.0 * static_cast<double>(run.segments.size());
        run.segments.push_back(segment);
    };
    const auto event = [&](const char* kind, double time) {
        EventRecord record;
        record.kind = kind;
        record.time = time;
        run.events = {record};
    };
    for (const std::int64_t begin : {0, 5000, 5000}) process(begin);
    EXPECT_TRUE(diagnose(run).empty()) << "two processes are not enough";
    process(5000);
    ASSERT_EQ(rulesOf(run), std::vector<std::string>{"process_ends"});
    const Finding f = diagnose(run).front();
    EXPECT_EQ(f.severity, Finding::Severity::problem);
    EXPECT_EQ(f.evidence.text(),
              "3 consecutive processes began at step 5000; each ended without a stop request or a later "
              "checkpoint");
    EXPECT_TRUE(f.resume && f.settings.empty());
    // The newest process is still running.
    run.status = RunStatus::running;
    EXPECT_TRUE(diagnose(run).empty());
    process(5000);
    EXPECT_EQ(rulesOf(run), std::vector<std::string>{"process_ends"});
    // The run was stopped by the user, got other settings, or was rolled back in between.
    for (const char* kind : {"stopped", "settings", "rolled_back"}) {
        event(kind, 310);
        EXPECT_FALSE(has(run, "process_ends")) << kind;
    }
    run.events.clear();
    run.saved_step = 6000;
    EXPECT_TRUE(diagnose(run).empty()) << "a later checkpoint was saved";
    run.saved_step = 5000;
    run.status = RunStatus::finished;
    EXPECT_FALSE(has(run, "process_ends"));
}

TEST(Findings, EvaluationsFarBelowATrainingThatReachesTheGoalAreBlamedThemselves) {
    RunView run = missed("algo", "learning_rate", 0.01);
    EXPECT_EQ(diagnose(run).front().rule, "learning_rate_high");
    run.metrics["episode/return"] = curve([](double t) { return std::min(480.0, 600 * t); });
    Finding f = diagnose(run).front();
    EXPECT_EQ(f.rule, "evaluation_differs");
    EXPECT_EQ(f.settings, Json({{"eval.greedy", false}}));
    EXPECT_EQ(f.evidence.text(), "the last evaluation is 9.3, and training episodes return 480");
    run.config["eval"]["greedy"] = false;
    EXPECT_EQ(diagnose(run).front().settings, Json({{"eval.greedy", true}}));
    run.evaluations = {{200'000, 470, 5, 100}};
    EXPECT_TRUE(diagnose(run).empty());
}

TEST(Findings, StepsWithoutALearningRateAreFoundAndAResumedRunIsOfferedANewHorizon) {
    RunView run = missed("algo", "lr_schedule", "linear");
    run.metrics["optimiser/learning_rate"] = curve([](double t) { return std::max(0.0, 0.001 - 0.002 * t); });
    Finding f = diagnose(run).front();
    EXPECT_EQ(f.rule, "schedule_over");
    EXPECT_EQ(f.settings, Json({{"algo.lr_horizon", 200'000}}));
    EXPECT_FALSE(f.resume);
    // The rate of an update is recorded at its last step: the first one without effect begins a row earlier.
    RunView coarse = run;
    coarse.metrics["optimiser/learning_rate"] = {{50'000, 100'000, 150'000, 200'000}, {0.001, 0.0005, 0, 0}};
    EXPECT_EQ(diagnose(coarse).front().evidence.arguments,
              (std::vector<std::string>{"100000", "200000", "50"}));
    EventRecord event;
    event.kind = "resumed";
    run.events = {event};
    run.evaluations = {{200'000, 480, 5, 100}};
    f = diagnose(run).front();
    EXPECT_EQ(f.rule, "schedule_over");
    EXPECT_EQ(f.severity, Finding::Severity::warning) << "a warning even if the run has reached its goal";
    EXPECT_TRUE(f.resume);
    EXPECT_EQ(f.settings, Json({{"run.steps", 400'000}, {"algo.lr_horizon", 400'000}}));
    // A run with numbers that are not finite cannot be resumed.
    run.status = RunStatus::failed;
    run.status_text = "a value target is not a finite number";
    for (const Finding& finding : diagnose(run)) EXPECT_FALSE(finding.resume) << finding.rule;
    EXPECT_TRUE(has(run, "not_a_number") && has(run, "schedule_over"));
    run.status = RunStatus::finished;
    // A schedule that ends with the run is correct.
    run.metrics["optimiser/learning_rate"] = curve([](double t) { return 0.001 - 0.001 * t; });
    EXPECT_TRUE(diagnose(run).empty());
}

TEST(Findings, ProposedValuesHaveTheTypeOfTheirSetting) {
    RunView run = healthy();
    run.metrics["episode/return"] = curve([](double t) { return t < 0.2 ? 100 * t : 20; });
    const Json settings = diagnose(run).front().settings;
    EXPECT_TRUE(settings.at("actor.num_envs").is_number_integer());
    EXPECT_EQ(settingText(settings.at("actor.num_envs")), "16");
}

TEST(Findings, AreTheSameAfterAnotherProcessReadThem) {
    const Finding f = diagnose(missed("algo", "learning_rate", 5.0)).front();
    const Finding read = findingFromJson(Json::parse(toJson(f).dump())).value();
    EXPECT_EQ(toJson(read), toJson(f));
    EXPECT_EQ(read.evidence, f.evidence);
    EXPECT_FALSE(findingFromJson(Json::object()));
}

}  // namespace
}  // namespace seedbed
