// SPDX-License-Identifier: Apache-2.0
// The sync schedule: rollout of all groups on the pool, then one update on the windows they filled.
#include "core/run/session.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/run/engine_choice.hpp"

namespace seedbed {
namespace {

double secondsSince(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Environments of group `g`: an even split, the first groups take the remainder.
int envsOfGroup(int num_envs, int groups, int g) { return num_envs / groups + (g < num_envs % groups ? 1 : 0); }

GroupSpec groupSpec(const SessionPlan& plan, const ActionDistribution& distribution, EngineNet* net, int g) {
    const int num_envs = plan.config.actor.num_envs;
    int first = 0;
    for (int before = 0; before < g; ++before) first += envsOfGroup(num_envs, plan.groups, before);
    return GroupSpec{.env = envRegistry().find(plan.config.env_id),
                     .env_params = plan.config.env_params,
                     .distribution = distribution,
                     .net = net,
                     .envs = envsOfGroup(num_envs, plan.groups, g),
                     .first_env = first,
                     .rows = plan.learn.rollout_length + 1,
                     .state_every = plan.learn.rollout_length,
                     .seed = static_cast<std::uint64_t>(plan.config.run.seed)};
}

}  // namespace

ActionDistribution distributionOf(const TrainingConfig& config, const EnvSpec& env) {
    return ActionDistribution(env.spaces, config.network.squash);
}

Result<std::vector<NetSpec>> networkSpecs(const TrainingConfig& config, const Algorithm& algorithm, const EnvSpec& env) {
    std::vector<NetSpec> specs;
    for (const NetworkDecl& decl : algorithm.networks()) {
        SEEDBED_ASSIGN(NetSpec spec, makeNetSpec(env.spaces, config.network, decl.heads));
        specs.push_back(std::move(spec));
    }
    return specs;
}

Result<SessionPlan> Session::plan(const TrainingConfig& config) {
    SessionPlan plan;
    plan.config = config;
    SEEDBED_ASSIGN(const EnvEntry* env, envRegistry().get(config.env_id, "environment"));
    SEEDBED_ASSIGN(const AlgorithmEntry* algo, algorithmRegistry().get(config.algo_id, "algorithm"));
    plan.env = env->spec(config.env_params);
    plan.groups = std::min(config.actor.groupCount(), config.actor.num_envs);
    plan.threads = threadCount(config.run.threads);

    const auto algorithm = algo->make(config.algo_params, distributionOf(config, plan.env));
    plan.learn = algorithm->plan();
    SEEDBED_ASSIGN(const std::vector<NetSpec> specs, networkSpecs(config, *algorithm, plan.env));
    plan.net = specs.front();
    SEEDBED_ASSIGN(const NetPlan acting, buildPlan(plan.net));
    SEEDBED_ASSIGN(plan.engine, chooseEngine(config.run.engine, config.run.device, acting));

    // Memory: rings by their spec; the learner's panels, tapes and lanes by rows and threads; parameters with moments and working copies.
    const double row_count = static_cast<double>(plan.learn.rollout_length) * config.actor.num_envs * plan.env.agents;
    if (row_count > std::numeric_limits<int>::max())
        return fail(ErrorCode::config, "algo.rollout_length x actor.num_envs is " + formatNumber(row_count) +
                                           " rows for one update; at most 2147483647 are possible");
    const auto rows = static_cast<std::size_t>(row_count);
    for (const NetSpec& spec : specs) {
        SEEDBED_ASSIGN(const NetPlan net, buildPlan(spec));
        plan.parameters += net.param_floats;
        plan.memory.networks += 6 * net.param_floats * sizeof(float);
        const std::size_t chunk_rows = static_cast<std::size_t>(std::max(config.learner.chunk_rows, plan.learn.rollout_length));
        plan.memory.learner += static_cast<std::size_t>(plan.threads) * chunk_rows * 2 * net.tapeFloatsPerRow() * sizeof(float);
        const std::size_t minibatch_rows = rows / static_cast<std::size_t>(plan.learn.minibatches) + 1;
        const std::size_t chunks = minibatch_rows / static_cast<std::size_t>(config.learner.chunk_rows) + 1;
        const auto lanes = static_cast<std::size_t>(LearnerOptions{}.lanes);
        plan.memory.learner += std::min(chunks, lanes) * net.param_floats * sizeof(float);
    }
    for (int g = 0; g < plan.groups; ++g) {
        GroupSpec spec = groupSpec(plan, distributionOf(config, plan.env), nullptr, g);
        plan.memory.rings += Ring::bytes(ActorGroup::ringSpec(spec, plan.env, acting.state_words));
    }
    const Spaces& spaces = plan.env.spaces;
    const int words = 2 * spaces.actionWords() + distributionOf(config, plan.env).words() + 8;
    plan.memory.learner += rows * static_cast<std::size_t>(words) * sizeof(float);
    return plan;
}

Result<> Session::checkMemory(const SessionPlan& plan) {
    SEEDBED_ASSIGN(const MemoryInfo memory, readMemory());
    if (plan.memory.total() > memory.available_bytes)
        return fail(ErrorCode::out_of_memory,
                    "this run needs about " + formatBytes(plan.memory.total()) + " of memory and " + formatBytes(memory.available_bytes) +
                        " are free; fewer environments (actor.num_envs) or a shorter rollout (algo.rollout_length) need less");
    return {};
}

Result<std::unique_ptr<Session>> Session::create(SessionPlan plan) {
    SEEDBED_TRY(checkMemory(plan));
    std::unique_ptr<Session> session(new Session);
    session->plan_ = std::move(plan);
    const SessionPlan& p = session->plan_;
    session->distribution_ = distributionOf(p.config, p.env);
    session->pool_ = std::make_unique<WorkerPool>(p.threads);

    const auto seed = static_cast<std::uint64_t>(p.config.run.seed);
    auto algorithm = algorithmRegistry().find(p.config.algo_id)->make(p.config.algo_params, session->distribution_);
    SEEDBED_ASSIGN(const std::vector<NetSpec> specs, networkSpecs(p.config, *algorithm, p.env));
    std::vector<LearnerNet> nets;
    const std::vector<NetworkDecl> decls = algorithm->networks();
    for (std::size_t i = 0; i < specs.size(); ++i) {
        SEEDBED_ASSIGN(const NetPlan net_plan, buildPlan(specs[i]));
        SEEDBED_ASSIGN(std::shared_ptr<EngineNet> engine, compileNet(p.engine.id, net_plan, engineOptions(p.config.run.device)));
        nets.push_back(LearnerNet{decls[i], engine, initialParams(net_plan, seed)});
    }
    session->acting_ = nets.front().engine;
    SEEDBED_ASSIGN(
        session->learner_,
        Learner::create(std::move(algorithm), std::move(nets),
                        LearnerOptions{.chunk_rows = p.config.learner.chunk_rows, .seed = seed, .optimiser = p.config.optimiser}));
    for (int g = 0; g < p.groups; ++g) {
        SEEDBED_ASSIGN(auto group, ActorGroup::create(groupSpec(p, session->distribution_, session->acting_.get(), g)));
        session->rings_.push_back(&group->ring());
        session->groups_.push_back(std::move(group));
    }
    session->ended_.resize(session->groups_.size());
    return session;
}

Result<> Session::rollOut(IterationStats& stats) {
    const int length = plan_.learn.rollout_length;
    const Params params = learner_->params();
    std::uint64_t decisions_before = 0;
    double inference_before = 0, env_before = 0;
    for (const auto& group : groups_) {
        decisions_before += group->env().decisions();
        inference_before += group->inferenceSeconds(), env_before += group->envSeconds();
    }
    const auto roll = [&](std::size_t g, int) -> Result<> {
        ended_[g].clear();
        for (int t = 0; t < length; ++t) SEEDBED_TRY(groups_[g]->tick(params, ended_[g]));
        return {};
    };
    SEEDBED_TRY(pool_->run(groups_.size(), roll));
    int first_column = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        for (EpisodeEnd end : ended_[g]) {
            end.column += first_column;
            stats.episodes.push_back(end);
        }
        first_column += groups_[g]->ring().columns();
        stats.decisions += groups_[g]->env().decisions();
        stats.inference_s += groups_[g]->inferenceSeconds(), stats.env_s += groups_[g]->envSeconds();
    }
    stats.decisions -= decisions_before;
    stats.inference_s -= inference_before, stats.env_s -= env_before;
    return {};
}

Result<IterationStats> Session::iterate() {
    IterationStats stats;
    const auto begin = std::chrono::steady_clock::now();
    SEEDBED_TRY(rollOut(stats));
    stats.rollout_s = secondsSince(begin);

    const auto learning = std::chrono::steady_clock::now();
    const auto length = static_cast<std::uint64_t>(plan_.learn.rollout_length);
    std::vector<Window> windows;
    for (std::size_t g = 0; g < groups_.size(); ++g)
        windows.push_back(Window{static_cast<int>(g), rings_[g]->head() - length, plan_.learn.rollout_length, 0, rings_[g]->columns()});
    SEEDBED_ASSIGN(stats.update, learner_->update(rings_, windows, progress_, *pool_));
    stats.learn_s = secondsSince(learning);
    progress_.steps += stats.decisions;
    ++progress_.updates;
    return stats;
}

Result<EvaluationResult> Session::evaluate(int episodes, Selection selection, std::uint64_t seed, std::stop_token stop) {
    const EvaluationRequest request{.env = envRegistry().find(plan_.config.env_id),
                                    .env_params = plan_.config.env_params,
                                    .distribution = distribution_,
                                    .episodes = episodes,
                                    .selection = selection,
                                    .seed = seed};
    return seedbed::evaluate(*acting_, learner_->params(), request, *pool_, stop);
}

Result<> Session::archive(Archive& archive) {
    archive(progress_.steps)(progress_.updates);
    learner_->archive(archive);
    for (const auto& group : groups_) SEEDBED_TRY(group->archive(archive));
    return {};
}

}  // namespace seedbed
