// SPDX-License-Identifier: Apache-2.0
// The settings of a run whose preset is for another algorithm or that has none, and the goals of the presets.
#include <algorithm>
#include <cstdint>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/algo/algorithm.hpp"
#include "core/base/os/memory.hpp"
#include "core/config/presets.hpp"
#include "core/config/resources.hpp"
#include "core/env/env_registry.hpp"
#include "core/session/session.hpp"

namespace seedbed {
namespace {

using testing::HasSubstr;

const PresetLibrary& presets() {
    static const PresetLibrary library = [] {
        RealFileSystem files;
        return PresetLibrary::load(files, {resourcesFolder().value() / "presets"}).value();
    }();
    return library;
}

// The plan of a run of `algo` that starts from the environment's default preset, with `changes` on top.
Result<SessionPlan> planOf(const std::string& env, const std::string& algo, const Json& changes = {}) {
    ConfigLayers layers(runConfigSchema());
    SEEDBED_TRY(layers.addDocument("test", {{"env", {{"id", env}}}, {"algo", {{"id", algo}}}}));
    SEEDBED_TRY(layers.addDocument("defaults", algorithmSettings(algo)));
    if (const Preset* preset = presets().defaultFor(env))
        SEEDBED_TRY(layers.addDocument("preset", taskSettings(preset->config)));
    if (changes.is_object()) SEEDBED_TRY(layers.addDocument("changes", changes));
    SEEDBED_ASSIGN(const RunConfig resolved, layers.resolve());
    SEEDBED_ASSIGN(const TrainingConfig config, parseTrainingConfig(resolved.document()));
    return Session::plan(config);
}

// Discrete, masked, continuous and image observations; memory; goals; several seats.
const char* const kEnvs[] = {"cartpole",     "catch",      "memory_chain",     "bit_flipping", "connect_four",
                             "catch_pixels", "toy_memory", "minatar_breakout", "pendulum",     "two_state"};

TEST(AlgorithmDefaults, EveryAlgorithmCanBePlannedForEveryEnvironmentThatFits) {
    for (const std::string& algo : algorithmRegistry().ids()) {
        if (algo.ends_with("_probe")) continue;  // of other tests
        const AlgorithmEntry& entry = *algorithmRegistry().find(algo);
        EXPECT_GE(entry.defaults.steps, 100'000) << algo;
        EXPECT_EQ(entry.defaults.why.empty(), entry.defaults.settings.empty()) << algo;
        for (const std::string env : kEnvs) {
            const auto plan = planOf(env, algo);
            const EnvEntry& task = *envRegistry().find(env);
            const bool fits = !entry.fits || entry.fits(task.spec(task.params->defaults())->spaces);
            EXPECT_EQ(plan.has_value(), fits) << algo << " on " << env;
            if (fits && !plan) ADD_FAILURE() << plan.error().text();
            if (!fits && !plan) {
                EXPECT_THAT(plan.error().text(), HasSubstr("algorithms that fit: a2c, awr"));
            }
        }
    }
}

TEST(AlgorithmDefaults, R2d2HasARecurrentCoreUnlessItIsSetOtherwise) {
    EXPECT_EQ(planOf("catch", "r2d2")->config.network.core, "lstm");
    EXPECT_EQ(planOf("catch", "r2d2", {{"network", {{"core", "gru"}}}})->config.network.core, "gru");
    const Json none{{"network", {{"core", "none"}}}};
    EXPECT_THAT(planOf("catch", "r2d2", none).error().text(), HasSubstr("burn-in on a feed-forward network"));
    EXPECT_THAT(
        planOf("catch", "r2d2", {{"algo", {{"replay_size", 400}, {"replay_start", 1}}}}).error().text(),
        HasSubstr("windows (algo.burn_in, algo.sequence"));
}

TEST(AlgorithmDefaults, OfAPresetForAnotherAlgorithmOnlyTheTaskRemains) {
    const Json preset{{"env", {{"id", "pong"}, {"wrap", {{"reward_scale", 0.1}}}}},
                      {"network", {{"encoder", "flat"}, {"core", "gru"}, {"hidden", {8}}}},
                      {"algo", {{"id", "ppo"}, {"gamma", 0.5}}},
                      {"actor", {{"num_envs", 64}}},
                      {"self_play", {{"past", 0.5}}},
                      {"eval", {{"opponent", "tracker"}}},
                      {"checkpoint", {{"every_s", 5}, {"replay", "full"}}},
                      {"run", {{"steps", 7}, {"schedule", "async"}}}};
    EXPECT_EQ(taskSettings(preset), (Json{{"env", preset["env"]},
                                          {"eval", preset["eval"]},
                                          {"checkpoint", {{"every_s", 5}}},
                                          {"run", Json::object()},
                                          {"network", {{"encoder", "flat"}}}}));
    EXPECT_EQ(taskSettings(Json::object()), Json::object());
}

TEST(AlgorithmDefaults, TheLastChoiceOfAnAlgorithmCounts) {
    EXPECT_EQ(chosenAlgorithm({}), "");
    EXPECT_EQ(chosenAlgorithm({{"algo", "PPO"}}), "ppo");
    EXPECT_EQ(chosenAlgorithm({{"algo", {{"id", "dqn"}}}}, {{"algo.gamma", "1"}}), "dqn");
    EXPECT_EQ(chosenAlgorithm({{"algo", {{"id", "dqn"}}}}, {{"algo.id", "sac"}, {"algo", "pp0"}}), "pp0");
    EXPECT_EQ(algorithmSettings("pp0"), Json::object());
}

// So the recorded results of presets stay valid when the defaults of their algorithms change.
TEST(AlgorithmDefaults, PresetsStateAllSettingsThatTheDefaultsOfTheirAlgorithmContain) {
    for (const Preset* preset : presets().all()) {
        const Json own = algorithmSettings(preset->algo());
        for (const auto& [section, settings] : own.items())
            for (const auto& [name, value] : settings.items())
                EXPECT_TRUE(preset->config.contains(Json::json_pointer("/" + section + "/" + name)))
                    << preset->name << " lacks " << section << "." << name;
    }
}

TEST(ReplayMemory, CountsTheRowsThatTheRunFills) {
    const auto need = [](int steps) {
        return planOf("cartpole", "dqn",
                      {{"algo", {{"replay_size", 1'000'000}}}, {"run", {{"steps", steps}}}})
            ->memory;
    };
    const MemoryNeed full = need(0), half = need(500'000), few = need(10'000);
    EXPECT_EQ(full.replay, full.full_replay);
    EXPECT_EQ(need(2'000'000).replay, full.full_replay);
    EXPECT_EQ(few.full_replay, full.full_replay);
    // Truncations and open rollouts add about 1 %.
    EXPECT_NEAR(static_cast<double>(half.replay) / static_cast<double>(full.replay), 0.5, 0.01);
    EXPECT_LT(few.replay, full.replay / 50);
}

TEST(ReplayMemory, AReplayThatCannotBeFilledIsRefusedEvenForAShortRun) {
    const auto decisions =
        static_cast<std::int64_t>(std::min<std::uint64_t>(readMemory()->total_bytes / 40, 1'000'000'000));
    const auto plan = planOf("minatar_breakout", "dqn",
                             {{"algo", {{"replay_size", decisions}}}, {"run", {{"steps", 1000}}}});
    ASSERT_TRUE(plan.has_value()) << plan.error().text();
    ASSERT_GT(plan->memory.full_replay, readMemory()->total_bytes);
    const auto checked = Session::checkMemory(*plan);
    ASSERT_FALSE(checked.has_value());
    EXPECT_EQ(checked.error().code, ErrorCode::out_of_memory);
    EXPECT_THAT(checked.error().text(), HasSubstr("algo.replay_size"));
}

// Goals of games against a scripted player are at least a draw, which random play does not reach.
TEST(PresetGoals, AreAboveRandomPlayAndTheLowestReturn) {
    int compared = 0;
    for (const Preset* preset : presets().all()) {
        const EnvEntry* env = envRegistry().find(preset->env);
        if (env == nullptr) continue;  // of a pack
        Json params = preset->config.at("env");
        params.erase("id");
        const EnvSpec spec = env->spec(env->params->complete(params).value()).value();
        const bool has_opponent = preset->config.contains(Json::json_pointer("/eval/opponent"));
        if (has_opponent) {
            EXPECT_GE(preset->expected_score, 0) << preset->name;
            continue;
        }
        EXPECT_EQ(spec.agents, 1) << preset->name << ": only an opponent can score a game of several seats";
        const double random = spec.random_return.value_or(-1e30);
        const double lowest =
            spec.horizon > 0 && spec.reward_low < spec.reward_high ? spec.reward_low * spec.horizon : -1e30;
        EXPECT_GT(preset->expected_score, std::max(random, lowest)) << preset->name;
        EXPECT_GT(spec.solved.value_or(1e30), random) << preset->name;
        compared += spec.random_return ? 1 : 0;
    }
    EXPECT_GT(compared, 50);
}

}  // namespace
}  // namespace seedbed
