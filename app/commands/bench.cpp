// SPDX-License-Identifier: Apache-2.0
// seedbed bench train, bench env: how fast this computer trains and steps, as one JSON line each.
#include <chrono>
#include <cstdio>
#include <fstream>

#include <sys/resource.h>

#include "app/command.hpp"
#include "app/configuration.hpp"

#include "core/base/text.hpp"
#include "core/env/random_policy.hpp"
#include "core/run/session.hpp"

namespace seedbed::app {
namespace {

// A named, fixed piece of work, so that figures can be compared between machines and versions.
struct Task {
    const char* name;
    const char* what;
    const char* env;
    std::vector<std::pair<std::string, std::string>> settings;
};

// Two networks of two hidden layers of 64 units, tanh; 4 epochs of 4 minibatches: the settings the peers were measured with.
const std::vector<Task>& tasks() {
    static const std::vector<std::pair<std::string, std::string>> ppo4{
        {"network.hidden", "64,64"}, {"network.separate_critic", "true"}, {"algo.epochs", "4"},
        {"algo.minibatches", "4"},   {"algo.learning_rate", "0.001"},     {"algo.lr_schedule", "constant"}};
    const auto with = [](std::vector<std::pair<std::string, std::string>> more) {
        auto all = ppo4;
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    static const std::vector<Task> table{
        {"cartpole-ppo4-8x128", "CartPole, PPO, 8 environments x 128 steps", "cartpole",
         with({{"actor.num_envs", "8"}, {"algo.rollout_length", "128"}})},
        {"cartpole-ppo4-64x128", "CartPole, PPO, 64 environments x 128 steps", "cartpole",
         with({{"actor.num_envs", "64"}, {"algo.rollout_length", "128"}})},
        {"cartpole-ppo4-512x32", "CartPole, PPO, 512 environments x 32 steps", "cartpole",
         with({{"actor.num_envs", "512"}, {"algo.rollout_length", "32"}})},
    };
    return table;
}

double cpuSeconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6; };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::string loadAverage() {
    std::string text;
    std::ifstream file("/proc/loadavg");
    std::getline(file, text);
    return text;
}

struct TrainBenchOptions {
    ConfigurationRequest configuration;
    std::string task;
    double seconds = 10;
};

Result<int> benchTrain(TrainBenchOptions options, const Context& context) {
    if (!options.task.empty()) {
        std::vector<std::string> names;
        const Task* found = nullptr;
        for (const Task& task : tasks()) {
            names.push_back(task.name);
            if (options.task == task.name) found = &task;
        }
        if (found == nullptr) return fail(ErrorCode::config, "unknown task '" + options.task + "'" + suggestion(options.task, names));
        options.configuration.env = found->env;
        options.configuration.preset = "none";
        options.configuration.settings.insert(options.configuration.settings.begin(), found->settings.begin(), found->settings.end());
    }
    options.configuration.needs_goal = false;
    if (options.configuration.env.empty()) return fail(ErrorCode::usage, "name an environment, or a task with --task");
    options.configuration.settings.insert(options.configuration.settings.end(), context.settings.begin(), context.settings.end());
    SEEDBED_ASSIGN(const Configuration configuration, makeConfiguration(options.configuration));
    SEEDBED_ASSIGN(SessionPlan plan, Session::plan(configuration.config));
    SEEDBED_ASSIGN(const auto session, Session::create(std::move(plan)));
    const std::string load = loadAverage();

    // The first updates warm caches, buffers and clocks; they are not counted.
    using Clock = std::chrono::steady_clock;
    const auto since = [](Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    for (const auto begin = Clock::now(); since(begin) < std::min(1.0, options.seconds * 0.1);) {
        SEEDBED_ASSIGN([[maybe_unused]] const IterationStats warm_up, session->iterate());
    }
    const auto begin = Clock::now();
    const double cpu_begin = cpuSeconds();
    const std::uint64_t steps_begin = session->progress().steps, updates_begin = session->progress().updates;
    double rollout = 0, learn = 0, env = 0, inference = 0, gather = 0, targets = 0, forward = 0, loss = 0, backward = 0, optimiser = 0;
    double return_sum = 0;
    std::size_t episodes = 0;
    while (since(begin) < options.seconds) {
        SEEDBED_ASSIGN(const IterationStats stats, session->iterate());
        const UpdateStats& u = stats.update;
        rollout += stats.rollout_s, learn += stats.learn_s, env += stats.env_s, inference += stats.inference_s;
        gather += u.gather_s, targets += u.targets_s, forward += u.forward_s, loss += u.loss_s, backward += u.backward_s,
            optimiser += u.optimiser_s;
        for (const EpisodeEnd& end : stats.episodes) return_sum += end.episode_return;
        episodes += stats.episodes.size();
    }
    const double wall = since(begin), cpu = cpuSeconds() - cpu_begin;
    const auto steps = static_cast<double>(session->progress().steps - steps_begin);
    const SessionPlan& p = session->plan();
    const double busy = env + inference + gather + targets + forward + loss + backward + optimiser;
    printJson({{"task", options.task.empty() ? p.config.env_id : options.task},
               {"steps", steps},
               {"seconds", wall},
               {"sps", steps / wall},
               {"cpu_s", cpu},
               {"cpu_s_per_million_steps", cpu / steps * 1e6},
               {"updates", session->progress().updates - updates_begin},
               {"score", episodes > 0 ? Json(return_sum / static_cast<double>(episodes)) : Json()},
               {"solve_s", Json()},
               {"engine", p.engine.id},
               {"threads", p.threads},
               {"groups", p.groups},
               {"load_before", load},
               {"wall_s", {{"rollout", rollout}, {"learn", learn}}},
               {"thread_s",
                {{"env", env},
                 {"inference", inference},
                 {"gather", gather},
                 {"targets", targets},
                 {"forward", forward},
                 {"loss", loss},
                 {"backward", backward},
                 {"optimiser", optimiser},
                 {"idle", wall * p.threads - busy}}}});
    return kOk;
}

struct EnvBenchOptions {
    std::string env;
    int envs = 64;
    double seconds = 3;
};

Result<int> benchEnv(const EnvBenchOptions& options, const Context&) {
    SEEDBED_ASSIGN(const EnvEntry* entry, envRegistry().get(options.env, "environment"));
    const Json params = entry->params->defaults();
    const EnvSpec spec = entry->spec(params);
    SEEDBED_ASSIGN(auto batch, entry->make(params, options.envs));
    SEEDBED_ASSIGN(const auto ring, Ring::create(RingSpec{.spaces = spec.spaces, .columns = options.envs * spec.agents, .rows = 34}));
    VectorEnv env(std::move(batch), *ring, VectorEnvOptions{.seed = 1, .horizon = spec.horizon});
    SEEDBED_TRY(env.reset());
    // Random legal actions, drawn once for each row of the ring, so that the loop measures the environment.
    Rng rng(1, RngPurpose::test);
    const int words = spec.spaces.actionWords();
    std::vector<EpisodeEnd> ended;
    const auto drawActions = [&](std::uint64_t t) {
        const std::uint8_t* mask = spec.spaces.has_mask ? ring->mask(t) : nullptr;
        randomActions(spec.spaces, ring->columns(), mask, rng, ring->action(t));
    };
    const bool masked = spec.spaces.has_mask;
    for (int i = 0; i < 34; ++i) {
        drawActions(ring->head());
        SEEDBED_TRY(env.step(ended));
    }
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const double cpu_begin = cpuSeconds();
    const std::uint64_t decisions = env.decisions();
    std::size_t episodes = 0;
    double wall = 0;
    while (wall < options.seconds) {
        for (int i = 0; i < 256; ++i) {
            if (masked) drawActions(ring->head());
            ended.clear();
            SEEDBED_TRY(env.step(ended));
            episodes += ended.size();
        }
        wall = std::chrono::duration<double>(Clock::now() - begin).count();
    }
    const auto steps = static_cast<double>(env.decisions() - decisions);
    const double cpu = cpuSeconds() - cpu_begin;
    printJson({{"task", "env-" + spec.id},
               {"steps", steps},
               {"seconds", wall},
               {"sps", steps / wall},
               {"cpu_s", cpu},
               {"cpu_s_per_million_steps", cpu / steps * 1e6},
               {"score", Json()},
               {"solve_s", Json()},
               {"envs", options.envs},
               {"ns_per_step", wall / steps * 1e9},
               {"episodes", episodes},
               {"words", words}});
    return kOk;
}

SEEDBED_REGISTER_COMMAND(
    bench_train,
    {.id = "bench train",
     .summary = "Training speed, with time by phase",
     .examples = {"seedbed bench train --task cartpole-ppo4-8x128", "seedbed bench train pendulum --seconds 20"},
     .takes_settings = true,
     .define = [](CLI::App& cli) -> Action {
         auto options = std::make_shared<TrainBenchOptions>();
         defineConfigurationOptions(cli, options->configuration);
         cli.get_option("ENV")->required(false);
         std::string names;
         for (const Task& task : tasks()) names += std::string(names.empty() ? "" : ", ") + task.name;
         cli.add_option("--task", options->task, "A fixed piece of work: " + names);
         cli.add_option("--seconds", options->seconds, "How long to measure")->check(CLI::Range(0.1, 86400.0))->capture_default_str();
         return [options](const Context& context) { return benchTrain(*options, context); };
     }});

SEEDBED_REGISTER_COMMAND(
    bench_env,
    {.id = "bench env",
     .summary = "Speed of an environment on one core, random actions, rows written",
     .examples = {"seedbed bench env cartpole"},
     .define = [](CLI::App& cli) -> Action {
         auto options = std::make_shared<EnvBenchOptions>();
         cli.add_option("ENV", options->env, "Environment or alias")->required();
         cli.add_option("--envs", options->envs, "Environments side by side")->check(CLI::Range(1, 1048576))->capture_default_str();
         cli.add_option("--seconds", options->seconds, "How long to measure")->check(CLI::Range(0.1, 3600.0))->capture_default_str();
         return [options](const Context& context) { return benchEnv(*options, context); };
     }});

}  // namespace
}  // namespace seedbed::app
