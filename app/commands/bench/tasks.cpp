// SPDX-License-Identifier: Apache-2.0
// The training benchmarks. Other programs were measured with the same settings; see tests/bench/README.md.
#include "app/commands/bench/tasks.hpp"

namespace seedbed::app {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

Settings operator+(Settings left, const Settings& right) {
    left.insert(left.end(), right.begin(), right.end());
    return left;
}

// Two networks with two hidden layers of 64 tanh units; 4 epochs of 4 minibatches.
Settings cartpolePpo4(const char* envs, const char* length, const char* rate) {
    return {{"network.hidden", "64,64"},
            {"network.activation", "tanh"},
            {"network.separate_critic", "true"},
            {"algo.epochs", "4"},
            {"algo.minibatches", "4"},
            {"algo.learning_rate", rate},
            {"algo.lr_schedule", "constant"},
            {"algo.gamma", "0.99"},
            {"algo.lambda", "0.95"},
            {"algo.clip", "0.2"},
            {"algo.entropy_cost", "0.01"},
            {"actor.num_envs", envs},
            {"algo.rollout_length", length}};
}

// PufferLib 3's configuration for its own CartPole: episodes of at most 200 steps, one epoch, one hidden
// layer of 128 units shared by policy and value. Adam instead of Muon, tanh instead of GELU.
Settings puffer(const char* envs, const char* minibatches, const char* rate) {
    return {{"env.wrap.time_limit", "200"}, {"network.hidden", "128"},
            {"network.activation", "tanh"}, {"network.separate_critic", "false"},
            {"algo.epochs", "1"},           {"algo.minibatches", minibatches},
            {"algo.learning_rate", rate},   {"algo.lr_schedule", "constant"},
            {"algo.gamma", "0.99"},         {"algo.lambda", "0.95"},
            {"algo.clip", "0.2"},           {"algo.entropy_cost", "0.01"},
            {"algo.rollout_length", "64"},  {"actor.num_envs", envs}};
}

const Settings& minatarCommon() {
    static const Settings settings{{"algo.epochs", "4"},          {"algo.gamma", "0.99"},
                                   {"algo.lambda", "0.95"},       {"algo.lr_schedule", "constant"},
                                   {"algo.entropy_cost", "0.01"}, {"algo.rollout_length", "128"}};
    return settings;
}

// One trunk of 16 3x3 convolutions and 128 ReLU units; 8 environments x 128 steps.
Settings minatarConv() {
    return minatarCommon() + Settings{{"network.encoder", "minatar_conv"},
                                      {"network.hidden", "128"},
                                      {"network.activation", "relu"},
                                      {"network.separate_critic", "false"},
                                      {"algo.minibatches", "4"},
                                      {"algo.learning_rate", "0.001"},
                                      {"algo.clip", "0.1"},
                                      {"actor.num_envs", "8"}};
}

// Two networks with two hidden layers of 64 tanh units on the flattened planes; 64 environments x 128 steps.
Settings minatarMlp(const char* rate) {
    return minatarCommon() + Settings{{"network.encoder", "flat"},    {"network.hidden", "64,64"},
                                      {"network.activation", "tanh"}, {"network.separate_critic", "true"},
                                      {"algo.minibatches", "8"},      {"algo.learning_rate", rate},
                                      {"algo.clip", "0.2"},           {"actor.num_envs", "64"},
                                      {"learner.chunk_rows", "256"}};
}

// Learning from a replay of 100,000 decisions: `batch` windows per step, each decision learned from `ratio`
// times on average.
Settings replayed(const char* algorithm, const char* batch, const char* ratio) {
    return {{"algo.id", algorithm},         {"algo.replay_size", "100000"}, {"algo.replay_start", "1000"},
            {"algo.rollout_length", "8"},   {"algo.batch_size", batch},     {"algo.replay_ratio", ratio},
            {"network.activation", "relu"}, {"actor.num_envs", "8"}};
}

std::vector<BenchTask> replayTasks() {
    const Settings minatar{{"network.encoder", "minatar_conv"}, {"network.hidden", "128"}};
    return {
        {"cartpole-dqn", "CartPole, DQN, 256 x 256 units, one step on 64 windows per decision", "cartpole",
         replayed("dqn", "64", "64") + Settings{{"network.hidden", "256,256"}}, "none", 0},
        {"minatar-breakout-dqn",
         "MinAtar Breakout, DQN, convolution and 128 units, one step on 32 windows per 4 decisions",
         "minatar_breakout", replayed("dqn", "32", "8") + minatar, "none", 0},
        {"minatar-breakout-dqn-prioritised", "minatar-breakout-dqn with windows drawn by priority",
         "minatar_breakout", replayed("dqn", "32", "8") + minatar + Settings{{"algo.prioritised", "true"}},
         "none", 0},
        {"minatar-breakout-r2d2",
         "MinAtar Breakout, R2D2, convolution and an LSTM of 512 units, 64 sequences of 80 decisions after "
         "40 "
         "of burn-in",
         "minatar_breakout",
         replayed("r2d2", "64", "16") + minatar +
             Settings{{"network.core", "lstm"},
                      {"network.core_size", "512"},
                      {"algo.sequence", "80"},
                      {"algo.burn_in", "40"},
                      {"algo.stride", "40"},
                      {"algo.rollout_length", "40"}},
         "none", 0},
    };
}

std::vector<BenchTask> makeTasks() {
    std::vector<BenchTask> tasks{
        {"cartpole-ppo4-8x128", "CartPole, PPO, 8 environments x 128 steps", "cartpole",
         cartpolePpo4("8", "128", "0.001"), "none", 0},
        {"cartpole-ppo4-64x128", "CartPole, PPO, 64 environments x 128 steps", "cartpole",
         cartpolePpo4("64", "128", "0.001"), "none", 0},
        {"cartpole-ppo4-512x32", "CartPole, PPO, 512 environments x 32 steps", "cartpole",
         cartpolePpo4("512", "32", "0.003"), "none", 0},
        {"cartpole-puffer", "CartPole with 200 steps, PPO, 1 epoch, 1024 environments x 64 steps, 128 units",
         "cartpole", puffer("1024", "4", "0.007"), "none", 0},
        {"cartpole-puffer-lstm", "cartpole-puffer with an LSTM of 128 units and 4096 environments",
         "cartpole",
         puffer("4096", "8", "0.006") +
             Settings{{"network.core", "lstm"}, {"network.core_size", "128"}, {"learner.chunk_rows", "1024"}},
         "none", 0},
        {"cartpole-solve",
         "time from process start until 100 greedy CartPole episodes reach a mean return of 475, with the "
         "preset cartpole",
         "cartpole",
         {},
         "cartpole",
         475},
    };
    for (BenchTask& task : replayTasks()) tasks.push_back(std::move(task));
    for (const char* game : {"asterix", "breakout", "freeway", "seaquest", "space_invaders"}) {
        const std::string env = std::string("minatar_") + game, name = std::string("minatar-") + game;
        tasks.push_back({name + "-conv", env + ", PPO, convolution and 128 units, 8 environments x 128 steps",
                         env, minatarConv(), "none", 0});
        tasks.push_back({name + "-mlp",
                         env + ", PPO, 64 x 64 units on the flattened planes, 64 environments x 128 steps",
                         env, minatarMlp(std::string(game) == "breakout" ? "0.005" : "0.0005"), "none", 0});
    }
    return tasks;
}

}  // namespace

const std::vector<BenchTask>& benchTasks() {
    static const std::vector<BenchTask> tasks = makeTasks();
    return tasks;
}

}  // namespace seedbed::app
