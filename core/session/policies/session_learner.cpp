// SPDX-License-Identifier: Apache-2.0
#include "core/session/policies/session_learner.hpp"

#include <utility>

#include "core/env/reward_view_of.hpp"
#include "core/learn/joined_learner.hpp"
#include "core/session/session.hpp"

namespace seedbed {
namespace {

// The reward function of the environment's goals, with the learner's clipping and scaling.
Result<std::optional<GoalScore>> learnerGoal(const SessionPlan& plan) {
    std::optional<GoalScore> goal = plan.env.goal;
    if (!goal) return goal;
    SEEDBED_ASSIGN(const EnvEntry* env, findEnv(plan.config.env_id));
    SEEDBED_ASSIGN(const RewardView view, rewardViewOf(*env, plan.config.env_params));
    if (view.isIdentity()) return goal;
    goal->reward = [raw = goal->reward, view](auto achieved, auto desired) {
        return view.apply(raw(achieved, desired));
    };
    return goal;
}

// The learner of policy `policy`. Policies differ in the random numbers of their first parameters only.
Result<std::unique_ptr<Learner>> makeOne(const SessionPlan& plan, const ActionDistribution& distribution,
                                         std::shared_ptr<Collective> collective, std::size_t policy,
                                         std::vector<std::shared_ptr<EngineNet>>& engines) {
    const TrainingConfig& config = plan.config;
    const auto seed = static_cast<std::uint64_t>(config.run.seed);
    auto algorithm = algorithmRegistry().find(config.algo_id)->make(config.algo_params, distribution);
    SEEDBED_ASSIGN(const std::vector<NetSpec> specs, networkSpecs(config, *algorithm, plan.env));
    std::vector<LearnerNet> nets;
    const std::vector<NetworkDecl> decls = algorithm->networks();
    for (std::size_t i = 0; i < specs.size(); ++i) {
        SEEDBED_ASSIGN(const NetPlan net_plan, buildPlan(specs[i]));
        SEEDBED_ASSIGN(std::shared_ptr<EngineNet> engine,
                       compileNet(plan.engine.id, net_plan,
                                  engineOptions(config.run.device, config.run.on_device_failure)));
        const auto stream = static_cast<std::uint32_t>(policy * specs.size() + i);
        const Params initial =
            decls[i].copy_of ? nets[*decls[i].copy_of].params : initialParams(net_plan, seed, stream);
        nets.push_back(LearnerNet{decls[i], engine, initial});
        engines.push_back(std::move(engine));
    }
    SEEDBED_ASSIGN(std::optional<GoalScore> goal, learnerGoal(plan));
    return Learner::create(std::move(algorithm), std::move(nets),
                           LearnerOptions{.chunk_rows = config.learner.chunk_rows,
                                          .seed = seed,
                                          .optimiser = config.optimiser,
                                          .shards = config.learner.shards,
                                          .collective = std::move(collective),
                                          .skips_columns = config.self_play.isUsed(),
                                          .goal = std::move(goal)});
}

}  // namespace

Result<SessionLearner> makeLearner(const SessionPlan& plan, const ActionDistribution& distribution,
                                   std::shared_ptr<Collective> collective) {
    SessionLearner made;
    if (!plan.policies.isUsed()) {
        SEEDBED_ASSIGN(made.learner, makeOne(plan, distribution, std::move(collective), 0, made.engines));
        return made;
    }
    std::vector<std::unique_ptr<Learner>> learners;
    for (std::size_t policy = 0; policy < plan.policies.names.size(); ++policy) {
        SEEDBED_ASSIGN(auto learner, makeOne(plan, distribution, nullptr, policy, made.engines));
        learners.push_back(std::move(learner));
    }
    made.learner = joinLearners(plan.policies, std::move(learners));
    return made;
}

}  // namespace seedbed
