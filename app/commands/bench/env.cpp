// SPDX-License-Identifier: Apache-2.0
// seedbed bench env: speed of an environment with random actions, on one thread.
#include <memory>
#include <vector>

#include "app/command.hpp"
#include "app/commands/bench/measure.hpp"
#include "app/configuration.hpp"
#include "core/env/env_registry.hpp"
#include "core/env/random_policy.hpp"
#include "core/env/vector_env.hpp"

namespace seedbed::app {
namespace {

struct EnvBenchOptions {
    std::string env;
    int envs = 64;
    double seconds = 3;
};

Result<int> benchEnv(const EnvBenchOptions& options, const Context& context) {
    SEEDBED_ASSIGN(const EnvEntry* entry, findEnv(options.env));
    SEEDBED_ASSIGN(const Json params, environmentParams(*entry, context));
    SEEDBED_ASSIGN(const EnvSpec spec, entry->spec(params));
    SEEDBED_ASSIGN(auto batch, entry->make(params, options.envs));
    SEEDBED_ASSIGN(
        const auto ring,
        Ring::create(RingSpec{.spaces = spec.spaces, .columns = options.envs * spec.agents, .rows = 34}));
    VectorEnv env(std::move(batch), *ring, VectorEnvOptions{.seed = 1, .horizon = spec.horizon});
    SEEDBED_TRY(env.reset());
    // Actions are drawn once per ring row, so that the loop measures the environment only.
    Rng rng(1, RngPurpose::test);
    std::vector<EpisodeEnd> ended;
    const bool masked = spec.spaces.has_mask;
    const auto drawActions = [&](std::uint64_t t) {
        const std::uint8_t* mask = masked ? ring->mask(t) : nullptr;
        randomActions(spec.spaces, ring->columns(), mask, rng, ring->action(t));
    };
    for (int i = 0; i < 34; ++i) {
        drawActions(ring->head());
        SEEDBED_TRY(env.step(ended));
    }
    const double cpu_begin = cpuSeconds();
    const std::uint64_t decisions = env.decisions();
    std::size_t episodes = 0;
    double wall = 0;
    for (const Stopwatch watch; wall < options.seconds; wall = watch.seconds()) {
        for (int i = 0; i < 256; ++i) {
            if (masked) drawActions(ring->head());
            ended.clear();
            SEEDBED_TRY(env.step(ended));
            episodes += ended.size();
        }
    }
    const auto steps = static_cast<double>(env.decisions() - decisions);
    const double cpu = cpuSeconds() - cpu_begin;
    printFigures({{"task", "env-" + spec.id},
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
                  {"words", spec.spaces.actionWords()}},
                 context);
    return kOk;
}

SEEDBED_REGISTER_COMMAND(bench_env,
                         {.id = "bench env",
                          .summary = "Measure the speed of an environment with random actions on one thread",
                          .examples = {"seedbed bench env cartpole"},
                          .takes_settings = true,
                          .define = [](CLI::App& cli) -> Action {
                              auto options = std::make_shared<EnvBenchOptions>();
                              cli.add_option("ENV", options->env, "Environment or alias")->required();
                              cli.add_option("--envs", options->envs, "Number of environments")
                                  ->check(CLI::Range(1, 1048576))
                                  ->capture_default_str();
                              cli.add_option("--seconds", options->seconds,
                                             "Duration of the measurement in seconds")
                                  ->check(CLI::Range(0.1, 3600.0))
                                  ->capture_default_str();
                              return
                                  [options](const Context& context) { return benchEnv(*options, context); };
                          }});

}  // namespace
}  // namespace seedbed::app
