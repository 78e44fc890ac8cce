// SPDX-License-Identifier: Apache-2.0
// The algorithm that is recommended for a task, for environments as they declare themselves and for made-up
// tasks.
#include "core/algo/recommend.hpp"

#include <limits>
#include <map>

#include <gtest/gtest.h>

#include "core/algo/algorithm.hpp"
#include "core/env/env_registry.hpp"
#include "core/env/task_traits.hpp"

namespace seedbed {
namespace {

constexpr double kFast = 1e-6, kSlow = 2e-3;

// The facts that an environment declares, on two cores and without presets.
TaskFacts factsOf(const std::string& id, double decision_s = kFast) {
    const EnvEntry& entry = *envRegistry().find(id);
    const EnvSpec spec = *entry.spec(entry.params->defaults());
    const TaskTraits traits = taskTraits(id, entry.params->defaults());
    return {.spaces = spec.spaces,
            .agents = spec.agents,
            .has_goals = spec.goal.has_value(),
            .needs_memory = traits.needs_memory,
            .sparse_reward = traits.sparse_reward,
            .decision_s = decision_s,
            .cores = 2,
            .presets = {}};
}

std::string settingOf(const Recommendation& recommendation, const std::string& key) {
    for (const auto& [known, value] : recommendation.settings)
        if (known == key) return value;
    return "";
}

struct Task {
    std::string name, env;
    double decision_s;
    std::string algo;
    std::pair<std::string, std::string> setting;  // that must be recommended, if its key is not empty
    std::string reason;                           // words of the explanation
};

class Recommend : public testing::TestWithParam<Task> {};

TEST_P(Recommend, SuitsTheTaskAndGivesAReason) {
    const Task& task = GetParam();
    const Recommendation recommendation = recommendAlgorithm(factsOf(task.env, task.decision_s));
    EXPECT_EQ(recommendation.algo, task.algo);
    EXPECT_EQ(recommendation.preset, "");
    EXPECT_NE(recommendation.why.find(task.reason), std::string::npos) << recommendation.why;
    EXPECT_EQ(settingOf(recommendation, task.setting.first), task.setting.second);
    const AlgorithmEntry* entry = algorithmRegistry().find(recommendation.algo);
    ASSERT_NE(entry, nullptr);
    EXPECT_TRUE(!entry->fits || entry->fits(factsOf(task.env).spaces));
}

INSTANTIATE_TEST_SUITE_P(
    Tasks, Recommend,
    testing::Values(
        Task{"cartpole", "cartpole", kFast, "ppo", {}, "only 1 us"},
        Task{"cartpole_of_unknown_speed", "cartpole", 0, "ppo", {}, "not known to be slow"},
        Task{"slow_cartpole", "cartpole", kSlow, "dqn", {}, "2 ms, longer than learning"},
        Task{"pendulum", "pendulum", kFast, "ppo", {}, "only 1 us"},
        Task{"slow_pendulum", "pendulum", kSlow, "sac", {}, "several times"},
        Task{"t_maze", "t_maze", kFast, "ppo", {"network.core", "gru"}, "earlier observations"},
        Task{"slow_t_maze", "t_maze", kSlow, "r2d2", {"network.core", "lstm"}, "earlier observations"},
        Task{"slow_continuous_memory", "toy_memory", kSlow, "ppo", {"network.core", "gru"}, "memory"},
        Task{"hidden_velocity", "pendulum_position_only", kFast, "ppo", {"network.core", "gru"}, "memory"},
        Task{"deep_sea", "deep_sea", kFast, "dqn", {"algo.values", "ensemble"}, "rarely find"},
        Task{"door_key", "minigrid_door_key_16x16", kFast, "dqn", {"algo.values", "ensemble"}, "rarely find"},
        Task{"easy_grid", "minigrid_empty_5x5", kFast, "pqn", {}, "an image"},
        Task{"continuous_hill",
             "mountain_car_continuous",
             kFast,
             "sac",
             {"algo.random_hold", "50"},
             "repeated for"},
        Task{"bit_flipping", "bit_flipping", kFast, "dqn", {"algo.hindsight", "4"}, "goal"},
        Task{"minatar", "minatar_breakout", kFast, "pqn", {}, "few cores"},
        Task{"slow_minatar", "minatar_breakout", kSlow, "dqn", {}, "uses a replay"},
        Task{"self_play", "pong", kFast, "ppo", {}, "Several agents"}),
    [](const auto& test) { return test.param.name; });

TEST(RecommendCores, ManyCoresMakeSlowDecisionsCheap) {
    TaskFacts task = factsOf("cartpole", 200e-6);
    EXPECT_EQ(recommendAlgorithm(task).algo, "dqn");
    task.cores = 16;
    const Recommendation recommendation = recommendAlgorithm(task);
    EXPECT_EQ(recommendation.algo, "vtrace");
    EXPECT_EQ(settingOf(recommendation, "run.schedule"), "async");
    EXPECT_NE(recommendation.why.find("16 cores"), std::string::npos) << recommendation.why;
    TaskFacts images = factsOf("minatar_breakout");
    images.cores = 16;
    EXPECT_EQ(recommendAlgorithm(images).algo, "ppo");
}

TEST(RecommendSpaces, OnlyAlgorithmsThatFit) {
    TaskFacts task = factsOf("pendulum", kSlow);
    ActionLeaf choice;
    choice.n = 3;
    task.spaces.actions.push_back(choice);  // a product of a real number and a choice
    EXPECT_EQ(recommendAlgorithm(task).algo, "vtrace");
    EXPECT_EQ(settingOf(recommendAlgorithm(task), "learner.echo"), "0");
    task.sparse_reward = true;
    EXPECT_EQ(recommendAlgorithm(task).algo, "ppo");
    EXPECT_EQ(settingOf(recommendAlgorithm(task), "algo.novelty"), "rnd");
    TaskFacts unbounded = factsOf("pendulum", kSlow);
    unbounded.spaces.actions[0].high[0] = std::numeric_limits<double>::infinity();
    EXPECT_EQ(recommendAlgorithm(unbounded).algo, "vtrace");
    TaskFacts masked = factsOf("minatar_breakout");
    masked.spaces.has_mask = true;
    EXPECT_EQ(recommendAlgorithm(masked).algo, "ppo") << "pqn has no masks";
}

TaskPreset solved(const std::string& name, const std::string& algo, std::int64_t steps) {
    return {.name = name, .algo = algo, .is_solved = true, .steps = steps};
}

TEST(RecommendPresets, ASolvedPresetWinsOverTheRule) {
    TaskFacts task = factsOf("deep_sea");
    task.presets = {solved("tuned", "ppo", 1000)};
    const Recommendation recommendation = recommendAlgorithm(task);
    EXPECT_EQ(recommendation.algo, "ppo");
    EXPECT_EQ(recommendation.preset, "tuned");
    EXPECT_NE(recommendation.why.find("'tuned' reaches its goal with ppo"), std::string::npos)
        << recommendation.why;
    EXPECT_TRUE(recommendation.settings.empty()) << "those of the preset are better";
    task.presets[0].is_solved = false;
    EXPECT_EQ(recommendAlgorithm(task).algo, "dqn");
    EXPECT_EQ(recommendAlgorithm(task).preset, "");
}

TEST(RecommendPresets, PrefersTheAlgorithmOfTheRuleThenTheDefaultThenTheShortest) {
    TaskFacts task = factsOf("cartpole", kSlow);
    task.presets = {solved("a", "a2c", 10), solved("b", "dqn", 30), solved("c", "dqn", 20),
                    solved("d", "ppo", 500)};
    task.presets[3].is_default = true;
    EXPECT_EQ(recommendAlgorithm(task).preset, "c");
    task.presets[1].is_default = true;
    EXPECT_EQ(recommendAlgorithm(task).preset, "b");
    task.presets.erase(task.presets.begin() + 1, task.presets.begin() + 3);
    EXPECT_EQ(recommendAlgorithm(task).preset, "d");
    task.presets[1].is_default = false;
    EXPECT_EQ(recommendAlgorithm(task).preset, "a");
}

TEST(RecommendPresets, OnlySensibleOnes) {
    TaskFacts task = factsOf("t_maze");
    task.presets = {solved("forgets", "ppo", 10)};
    EXPECT_EQ(recommendAlgorithm(task).preset, "") << "its network has no memory";
    task.presets[0].is_recurrent = true;
    EXPECT_EQ(recommendAlgorithm(task).preset, "forgets");
    task.presets[0].algo = "sac";
    EXPECT_EQ(recommendAlgorithm(task).preset, "") << "its algorithm has continuous actions";
}

}  // namespace
}  // namespace seedbed
