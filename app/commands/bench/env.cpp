// SPDX-License-Identifier: Apache-2.0
// seedbed bench env: speed of an environment with random actions, on one thread per group.
#include <memory>
#include <string>
#include <vector>

#include "app/command.hpp"
#include "app/commands/bench/measure.hpp"
#include "app/configuration.hpp"
#include "core/base/thread.hpp"
#include "core/env/env_registry.hpp"
#include "core/env/random_policy.hpp"
#include "core/env/vector_env.hpp"

namespace seedbed::app {
namespace {

struct EnvBenchOptions {
    std::string env;
    int envs = 64;
    int groups = 1;
    double seconds = 3;
};

// A group of environments that are stepped together.
class EnvGroup {
public:
    static Result<std::unique_ptr<EnvGroup>> create(const EnvEntry& entry, const EnvSpec& spec,
                                                    const Json& params, int first, int count) {
        SEEDBED_ASSIGN(auto batch,
                       entry.makeFrom ? entry.makeFrom(params, first, count) : entry.make(params, count));
        SEEDBED_ASSIGN(auto ring, Ring::create(RingSpec{
                                      .spaces = spec.spaces, .columns = count * spec.agents, .rows = kRows}));
        VectorEnv env(std::move(batch), *ring,
                      VectorEnvOptions{.seed = 1, .first_lane = first, .horizon = spec.horizon});
        std::unique_ptr<EnvGroup> group(new EnvGroup(std::move(ring), std::move(env), first));
        SEEDBED_TRY(group->warmUp());
        return group;
    }

    // Steps the environments until at least `seconds` have elapsed on `watch`.
    Result<> run(const Stopwatch& watch, double seconds) {
        for (; wall_ < seconds; wall_ = watch.seconds())
            for (int i = 0; i < 256; ++i) {
                if (masked_) drawActions();
                ended_.clear();
                SEEDBED_TRY(env_.step(ended_));
                episodes_ += ended_.size();
            }
        return {};
    }

    double stepsPerSecond() const { return steps() / wall_; }
    double steps() const { return static_cast<double>(env_.decisions() - before_); }
    double wall() const { return wall_; }
    std::size_t episodes() const { return episodes_; }

private:
    static constexpr int kRows = 34;

    EnvGroup(std::unique_ptr<Ring> ring, VectorEnv env, int first)
        : ring_(std::move(ring)),
          env_(std::move(env)),
          masked_(env_.spec().spaces.has_mask),
          rng_(1, RngPurpose::test, static_cast<std::uint32_t>(first)) {}

    // Draws the actions for all ring rows in advance, outside of the measured time.
    Result<> warmUp() {
        SEEDBED_TRY(env_.reset());
        for (int i = 0; i < kRows; ++i) {
            drawActions();
            SEEDBED_TRY(env_.step(ended_));
        }
        before_ = env_.decisions();
        return {};
    }

    void drawActions() {
        const std::uint64_t t = ring_->head();
        const std::uint8_t* mask = masked_ ? ring_->mask(t) : nullptr;
        randomActions(env_.spec().spaces, ring_->columns(), mask, rng_, ring_->action(t));
    }

    std::unique_ptr<Ring> ring_;
    VectorEnv env_;
    bool masked_ = false;
    Rng rng_;
    std::vector<EpisodeEnd> ended_;
    std::uint64_t before_ = 0;  // decisions made during warm-up
    std::size_t episodes_ = 0;
    double wall_ = 0;
};

Result<int> benchEnv(const EnvBenchOptions& options, const Context& context) {
    SEEDBED_ASSIGN(const EnvEntry* entry, findEnv(options.env));
    SEEDBED_ASSIGN(const Json params, environmentParams(*entry, context));
    SEEDBED_ASSIGN(const EnvSpec spec, entry->spec(params));
    if (options.groups > options.envs)
        return fail(ErrorCode::config,
                    "--groups: there are only " + std::to_string(options.envs) + " environments");
    std::vector<std::unique_ptr<EnvGroup>> groups;
    for (int g = 0; g < options.groups; ++g) {
        const int first = options.envs * g / options.groups;
        const int count = options.envs * (g + 1) / options.groups - first;
        SEEDBED_ASSIGN(auto group, EnvGroup::create(*entry, spec, params, first, count));
        groups.push_back(std::move(group));
    }
    const double cpu_begin = cpuSeconds();
    const Stopwatch watch;
    std::vector<Result<>> results(groups.size());
    {
        std::vector<NamedThread> threads;
        for (std::size_t g = 1; g < groups.size(); ++g)
            threads.emplace_back(
                "bench env",
                [&, g](const std::stop_token&) -> Result<> {
                    results[g] = groups[g]->run(watch, options.seconds);
                    return {};
                },
                nullptr);
        results[0] = groups[0]->run(watch, options.seconds);
    }
    const double cpu = cpuSeconds() - cpu_begin;
    double steps = 0, steps_per_second = 0;
    std::size_t episodes = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        SEEDBED_TRY(results[g]);
        steps += groups[g]->steps();
        steps_per_second += groups[g]->stepsPerSecond();
        episodes += groups[g]->episodes();
    }
    printFigures({{"task", "env-" + spec.id},
                  {"steps", steps},
                  {"seconds", groups.front()->wall()},
                  {"sps", steps_per_second},
                  {"cpu_s", cpu},
                  {"cpu_s_per_million_steps", cpu / steps * 1e6},
                  {"score", Json()},
                  {"solve_s", Json()},
                  {"envs", options.envs},
                  {"groups", options.groups},
                  {"ns_per_step", 1e9 / steps_per_second},
                  {"episodes", episodes},
                  {"words", spec.spaces.actionWords()}},
                 context);
    return kOk;
}

SEEDBED_REGISTER_COMMAND(bench_env,
                         {.id = "bench env",
                          .summary = "Measure the speed of an environment with random actions",
                          .examples = {"seedbed bench env cartpole"},
                          .takes_settings = true,
                          .define = [](CLI::App& cli) -> Action {
                              auto options = std::make_shared<EnvBenchOptions>();
                              cli.add_option("ENV", options->env, "Environment or alias")->required();
                              cli.add_option("--envs", options->envs, "Number of environments")
                                  ->check(CLI::Range(1, 1048576))
                                  ->capture_default_str();
                              cli.add_option("--groups", options->groups,
                                             "Groups that are stepped independently, one thread each, as in "
                                             "the async schedule; each group has its own processes")
                                  ->check(CLI::Range(1, 1024))
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
