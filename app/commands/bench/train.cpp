// SPDX-License-Identifier: Apache-2.0
// seedbed bench train: training speed and the time of every phase.
#include <cstdio>
#include <deque>

#include "app/command.hpp"
#include "app/commands/bench/measure.hpp"
#include "app/commands/bench/tasks.hpp"
#include "app/configuration.hpp"
#include "core/base/os/memory.hpp"
#include "core/base/text.hpp"
#include "core/session/session.hpp"

namespace seedbed::app {
namespace {

struct TrainBenchOptions {
    ConfigurationRequest configuration;
    std::string task;
    double seconds = 10;
    std::uint64_t steps = 0;  // 0: for `seconds`
};

constexpr std::size_t kScoreEpisodes = 100;

// Returns of the latest training episodes.
class Recent {
public:
    explicit Recent(std::size_t capacity) : capacity_(capacity) {}
    void add(double value) {
        returns_.push_back(value);
        sum_ += value;
        if (returns_.size() <= capacity_) return;
        sum_ -= returns_.front();
        returns_.pop_front();
    }
    bool full() const { return returns_.size() == capacity_; }
    std::size_t size() const { return returns_.size(); }
    double mean() const { return returns_.empty() ? 0 : sum_ / static_cast<double>(returns_.size()); }

private:
    std::size_t capacity_;
    std::deque<double> returns_;
    double sum_ = 0;
};

// Sums over the measured iterations.
struct Totals {
    double rollout = 0, learn = 0;  // wall seconds
    double env = 0, inference = 0, gather = 0, targets = 0, forward = 0, loss = 0, backward = 0,
           optimiser = 0;  // thread-seconds
    TimingTree times;
    std::uint64_t optimiser_steps = 0;
    std::vector<PassRows> passes;  // by network

    void add(const IterationStats& stats) {
        const UpdateStats& u = stats.update;
        optimiser_steps += u.minibatches;
        passes.resize(std::max(passes.size(), u.passes.size()));
        for (std::size_t net = 0; net < u.passes.size(); ++net) passes[net] += u.passes[net];
        rollout += stats.rollout_s;
        learn += stats.learn_s;
        env += stats.env_s;
        inference += stats.inference_s;
        gather += u.gather_s;
        targets += u.targets_s;
        forward += u.forward_s;
        loss += u.loss_s;
        backward += u.backward_s;
        optimiser += u.optimiser_s;
        times.add(stats.times);
    }
    // All threads together; waiting counts as idle.
    Json threadSeconds() const {
        double idle = 0;
        for (const RoleTimes& role : times.roles) idle += role.waiting();
        return {{"env", env},           {"inference", inference}, {"gather", gather},
                {"targets", targets},   {"forward", forward},     {"loss", loss},
                {"backward", backward}, {"optimiser", optimiser}, {"idle", idle}};
    }
};

// Describes the benchmarked session.
Json describePlan(const SessionPlan& plan, const std::string& load) {
    return {{"engine", plan.engine.id},
            {"threads", plan.threads},
            {"groups", plan.groups},
            {"actors", plan.actors},
            {"schedule", plan.config.run.schedule},
            {"inference", plan.config.run.inference},
            {"parameters", plan.parameters},
            {"seed", plan.config.run.seed},
            {"load_before", load}};
}

// Floating-point operations of `steps` decisions (one forward pass each) and of the learner's passes.
double flopsOf(Session& session, double steps, const std::vector<PassRows>& passes) {
    const Learner& learner = session.learner();
    const auto workOfNetwork = [&](std::size_t net) {
        return workOf(learner.networkPlan(net), session.plan().engine.id);
    };
    double multiply_adds = steps * workOfNetwork(0).forward;
    for (std::size_t net = 0; net < passes.size(); ++net) {
        const NetWork work = workOfNetwork(net);
        multiply_adds += static_cast<double>(passes[net].forward + passes[net].action_only) * work.forward +
                         static_cast<double>(passes[net].backward) * work.backward;
    }
    return 2 * multiply_adds;
}

Result<int> benchSpeed(const TrainBenchOptions& options, Session& session, const std::string& load,
                       const Context& context) {
    // Warm-up: the first updates are not counted.
    double first_update_s = 0;
    Recent recent(kScoreEpisodes);
    const auto note = [&recent](const IterationStats& stats) {
        for (const EpisodeEnd& end : stats.episodes) recent.add(end.episode_return);
    };
    for (const Stopwatch warm_up; warm_up.seconds() < std::min(1.0, options.seconds * 0.1);) {
        SEEDBED_ASSIGN(const IterationStats stats, session.iterate());
        if (first_update_s == 0) first_update_s = processAge();
        note(stats);
    }
    Totals totals;
    const std::uint64_t steps_begin = session.progress().steps, updates_begin = session.progress().updates;
    const double cpu_begin = cpuSeconds();
    const Stopwatch watch;
    while (options.steps > 0 ? session.progress().steps < options.steps : watch.seconds() < options.seconds) {
        SEEDBED_ASSIGN(const IterationStats stats, session.iterate());
        totals.add(stats);
        note(stats);
    }
    const double wall = watch.seconds(), cpu = cpuSeconds() - cpu_begin;
    const auto steps = static_cast<double>(session.progress().steps - steps_begin);
    const SessionPlan& plan = session.plan();
    const FmaPeak peak = measureBestFmaPeak(plan.threads);
    const double flops = flopsOf(session, steps, totals.passes);
    Json figures{{"task", options.task.empty() ? plan.config.env_id : options.task},
                 {"steps", steps},
                 {"seconds", wall},
                 {"sps", steps / wall},
                 {"cpu_s", cpu},
                 {"cpu_s_per_million_steps", cpu / steps * 1e6},
                 {"score", recent.size() > 0 ? Json(recent.mean()) : Json()},
                 {"solve_s", Json()},
                 {"trained_steps", session.progress().steps},
                 {"updates", session.progress().updates - updates_begin},
                 {"first_update_s", first_update_s},
                 {"peak_memory_bytes", peakResidentBytes()},
                 {"optimiser_steps_per_s", static_cast<double>(totals.optimiser_steps) / wall},
                 {"gflops", flops / wall * 1e-9},
                 {"fma_fraction", flops / wall * 1e-9 / peak.gflops},
                 {"fma_peak", toJson(peak)},
                 {"wall_s", {{"rollout", totals.rollout}, {"learn", totals.learn}}},
                 {"thread_s", totals.threadSeconds()},
                 {"timing", totals.times.json()},
                 {"bottleneck", totals.times.bottleneck()}};
    figures.update(describePlan(plan, load));
    printFigures(figures, context);
    return kOk;
}

constexpr int kSolveEpisodes = 100;
constexpr std::size_t kPromisingEpisodes = 20;  // training episodes whose mean decides whether to evaluate

// Trains until the mean return of 100 greedy episodes reaches the target. Evaluates when recent training
// episodes reach half of the target, at most every fourth update. The score comes from 100 further episodes
// with different random numbers, to avoid a bias from the stopping rule.
Result<int> benchSolve(const TrainBenchOptions& options, const BenchTask& task, Session& session,
                       const std::string& load, const Context& context) {
    Recent recent(kPromisingEpisodes);
    double solve_s = -1, first_update_s = 0, evaluation_s = 0;
    std::uint64_t evaluations = 0, next_update = 0;
    const Stopwatch watch;
    const auto budget = static_cast<std::uint64_t>(session.plan().config.run.steps);
    while (solve_s < 0 && watch.seconds() < options.seconds &&
           (budget == 0 || session.progress().steps < budget)) {
        SEEDBED_ASSIGN(const IterationStats stats, session.iterate());
        if (first_update_s == 0) first_update_s = processAge();
        for (const EpisodeEnd& end : stats.episodes) recent.add(end.episode_return);
        const bool promising = recent.full() && recent.mean() >= 0.5 * task.solved;
        if (!promising || session.progress().updates < next_update) continue;
        const Stopwatch evaluation;
        SEEDBED_ASSIGN(const EvaluationResult result,
                       session.evaluate(kSolveEpisodes, Selection::greedy, ++evaluations, {}));
        evaluation_s += evaluation.seconds();
        if (result.summary.mean >= task.solved) solve_s = processAge();
        next_update = session.progress().updates + 4;
    }
    const double wall = watch.seconds(), cpu = cpuSeconds();
    const auto steps = static_cast<double>(session.progress().steps);
    constexpr std::uint64_t kScoreSeed = 1'000'003;
    SEEDBED_ASSIGN(const EvaluationResult score,
                   session.evaluate(kSolveEpisodes, Selection::greedy, kScoreSeed, {}));
    Json figures{{"task", task.name},
                 {"steps", steps},
                 {"seconds", wall},
                 {"sps", steps / wall},
                 {"cpu_s", cpu},
                 {"cpu_s_per_million_steps", cpu / steps * 1e6},
                 {"score", score.summary.mean},
                 {"solve_s", solve_s < 0 ? Json() : Json(solve_s)},
                 {"updates", session.progress().updates},
                 {"evaluations", evaluations},
                 {"evaluation_s", evaluation_s},
                 {"first_update_s", first_update_s},
                 {"peak_memory_bytes", peakResidentBytes()}};
    figures.update(describePlan(session.plan(), load));
    printFigures(figures, context);
    return kOk;
}

Result<const BenchTask*> findTask(const std::string& name) {
    std::vector<std::string> names;
    for (const BenchTask& task : benchTasks()) {
        if (task.name == name) return &task;
        names.push_back(task.name);
    }
    return fail(ErrorCode::config, "unknown task '" + name + "'" + suggestion(name, names));
}

Result<int> benchTrain(TrainBenchOptions options, const Context& context) {
    const std::string load = loadAverage();
    const BenchTask* task = nullptr;
    ConfigurationRequest& request = options.configuration;
    if (!options.task.empty()) {
        SEEDBED_ASSIGN(task, findTask(options.task));
        if (!request.env.empty())
            return fail(ErrorCode::usage,
                        "task '" + task->name + "' has its own environment; omit '" + request.env + "'");
        request.env = task->env;
        request.preset = task->preset;
        request.settings.insert(request.settings.begin(), task->settings.begin(), task->settings.end());
    }
    if (request.env.empty() && !request.preset)
        return fail(ErrorCode::usage, "name an environment or a --task");
    request.needs_goal = request.default_steps = false;
    request.settings.insert(request.settings.end(), context.settings.begin(), context.settings.end());
    SEEDBED_ASSIGN(const Configuration configuration, makeConfiguration(request));
    SEEDBED_ASSIGN(SessionPlan plan, Session::plan(configuration.config));
    SEEDBED_ASSIGN(const auto session, Session::create(std::move(plan)));
    if (task != nullptr && task->solved > 0) return benchSolve(options, *task, *session, load, context);
    return benchSpeed(options, *session, load, context);
}

SEEDBED_REGISTER_COMMAND(
    bench_train,
    {.id = "bench train",
     .summary = "Measure training speed, with the time per phase",
     .examples = {"seedbed bench train --task cartpole-ppo4-8x128",
                  "seedbed bench train --task cartpole-solve --seed 3 --json",
                  "seedbed bench train pendulum --seconds 20"},
     .takes_settings = true,
     .define = [](CLI::App& cli) -> Action {
         auto options = std::make_shared<TrainBenchOptions>();
         defineConfigurationOptions(cli, options->configuration);
         std::string names;
         for (const BenchTask& task : benchTasks()) names += "\n  " + task.name + ": " + task.summary;
         cli.add_option("--task", options->task, "Benchmark task:" + names)->type_name("TASK");
         cli.add_option("--seconds", options->seconds,
                        "Duration of the measurement in seconds; for tasks to solve, the time limit")
             ->check(CLI::Range(0.1, 86400.0))
             ->capture_default_str();
         cli.add_option(
                "--until-steps", options->steps,
                "Stop after this many agent steps instead; the score is the mean of the last 100 episodes")
             ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000'000}));
         return [options](const Context& context) { return benchTrain(*options, context); };
     }});

}  // namespace
}  // namespace seedbed::app
