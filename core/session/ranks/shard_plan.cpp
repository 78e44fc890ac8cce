// SPDX-License-Identifier: Apache-2.0
#include "core/session/ranks/shard_plan.hpp"

#include <algorithm>
#include <string>

#include "core/env/host_id.hpp"
#include "core/session/session.hpp"

namespace seedbed {
namespace {

bool isPowerOfTwo(int number) { return number > 0 && (number & (number - 1)) == 0; }

Result<> checkRanks(const SessionPlan& plan) {
    const TrainingConfig& config = plan.config;
    const int ranks = plan.part.ranks, shards = config.learner.shards;
    const std::string count = std::to_string(ranks) + " ranks";
    if (!isPowerOfTwo(ranks))
        return fail(ErrorCode::config, count +
                                           " are not possible: the number must be a power of two "
                                           "(1, 2, 4, ...)");
    if (ranks > shards)
        return fail(ErrorCode::config, count + " need learner.shards to be at least " +
                                           std::to_string(ranks) + "; it is " + std::to_string(shards));
    if (ranks == 1) return {};
    if (config.self_play.isUsed())
        return fail(ErrorCode::config,
                    "self_play requires one process: the results of all opponents are counted together");
    if (isOfHost(config.env_id))
        return fail(ErrorCode::config,
                    "the environments of a host program belong to its own process, so "
                    "ranks are not possible");
    return {};
}

}  // namespace

Result<> planShards(SessionPlan& plan, const Algorithm& algorithm) {
    const TrainingConfig& config = plan.config;
    const int shards = config.learner.shards, envs = config.actor.num_envs;
    const std::string setting = "learner.shards=" + std::to_string(shards);
    if (!isPowerOfTwo(shards))
        return fail(ErrorCode::config, setting + " is not a power of two (1, 2, 4, ...)");
    SEEDBED_TRY(checkRanks(plan));
    if (shards == 1) return {};
    if (plan.learn.replay)
        return fail(ErrorCode::config, setting +
                                           " needs an algorithm that learns from each rollout once, such as "
                                           "ppo or vtrace; algo.id=" +
                                           config.algo_id +
                                           " draws windows from a replay, which belong to no shard");
    if (const std::string problem = algorithm.shardsProblem(); !problem.empty())
        return fail(ErrorCode::config, setting + " is not possible: " + problem);
    if (config.run.schedule == "async")
        return fail(ErrorCode::config, setting +
                                           " requires run.schedule=sync: in the async schedule, a "
                                           "batch has the rollouts that are full, not those of all "
                                           "shards");
    if (shards > envs)
        return fail(ErrorCode::config, setting + " needs at least " + std::to_string(shards) +
                                           " environments; actor.num_envs is " + std::to_string(envs));
    if (envs % shards != 0)
        return fail(ErrorCode::config,
                    setting + " does not divide actor.num_envs=" + std::to_string(envs) + " evenly; " +
                        std::to_string((envs + shards - 1) / shards * shards) + " is possible");
    const int of_shard = envs / shards;
    plan.groups = shards * std::clamp((plan.groups + shards - 1) / shards, 1, of_shard);
    return {};
}

EnvRange envsOfGroup(const SessionPlan& plan, int group) {
    const int shards = plan.config.learner.shards, envs = plan.config.actor.num_envs / shards,
              groups = plan.groups / shards;
    const int shard = group / groups, index = group % groups;
    // Without shards the division may have a remainder.
    const int all = shards == 1 ? plan.config.actor.num_envs : envs;
    const auto firstOf = [&](int g) { return shard * envs + g * (all / groups) + std::min(g, all % groups); };
    return {firstOf(index), firstOf(index + 1)};
}

GroupRange ownGroups(const SessionPlan& plan) {
    const int of_rank = plan.groups / plan.part.ranks;
    return {plan.part.rank * of_rank, (plan.part.rank + 1) * of_rank};
}

}  // namespace seedbed
