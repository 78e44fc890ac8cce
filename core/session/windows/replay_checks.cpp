// SPDX-License-Identifier: Apache-2.0
#include "core/session/windows/replay_checks.hpp"

#include <algorithm>
#include <limits>

#include "core/base/text.hpp"
#include "core/session/windows/replay_windows.hpp"

namespace seedbed {
namespace {

Result<> checkHindsight(const SessionPlan& plan) {
    if (plan.learn.replay->hindsight <= 0) return {};
    const std::string setting = "algo.hindsight=" + formatNumber(plan.learn.replay->hindsight);
    if (!plan.env.goal)
        return fail(ErrorCode::config, setting + " needs an environment with goals; '" + plan.env.id +
                                           "' has none, or their rewards are summed by wrap.action_repeat");
    if (plan.config.network.previous_reward)
        return fail(ErrorCode::config, setting +
                                           " changes rewards, which does not fit "
                                           "network.previous_reward");
    if (plan.config.network.core != "none")
        return fail(ErrorCode::config, setting +
                                           " changes the goals that a recurrent state has seen, which "
                                           "does not fit network.core=" +
                                           plan.config.network.core + "; use none");
    if (plan.config.run.schedule == "async")
        return fail(ErrorCode::config, setting + " requires run.schedule=sync");
    const ObsLeaf &achieved = plan.env.spaces.obs[static_cast<std::size_t>(plan.env.goal->achieved)],
                  &desired = plan.env.spaces.obs[static_cast<std::size_t>(plan.env.goal->desired)];
    for (const ObsLeaf* leaf : {&achieved, &desired})
        SEEDBED_CHECK(leaf->dtype == DType::f32 && leaf->stack == 1 && leaf->elements() == desired.elements(),
                      "goals are vectors of the same size");
    return {};
}

// Checks that the windows of a batch fit into the replay.
Result<> checkReplaySize(const SessionPlan& plan) {
    const TrainingConfig& config = plan.config;
    const ReplayPlan& replay = *plan.learn.replay;
    const std::int64_t columns = std::int64_t{config.actor.num_envs} * plan.env.agents;
    const std::int64_t rows = ReplayWindows::capacityRows(replay, columns);
    const std::string kept = "algo.replay_size=" + std::to_string(replay.size) + " keeps " +
                             std::to_string(rows) + " rows of each of " + std::to_string(columns) +
                             " environments";
    if (rows > std::numeric_limits<int>::max() / 2)
        return fail(ErrorCode::config, kept + "; at most 1073741823 are possible");
    const int longest = std::max(plan.learn.windowRows() + replay.stride, plan.learn.rollout_length);
    std::vector<std::string> names;
    for (const char* setting : {"burn_in", "sequence", "stride", "n_step"})
        if (config.algo_params.contains(setting)) names.push_back(std::string("algo.") + setting);
    if (rows < longest)
        return fail(ErrorCode::config, kept + ", but windows (" + join(names, ", ") +
                                           ") and rollouts (algo.rollout_length) need " +
                                           std::to_string(longest));
    const double batch_rows = static_cast<double>(replay.batch) * (plan.learn.windowRows() + 1);
    if (batch_rows > std::numeric_limits<int>::max())
        return fail(ErrorCode::config, "algo.batch_size windows have " + formatNumber(batch_rows) +
                                           " rows; at most 2147483647 are possible");
    if (replay.start > rows * columns)
        return fail(ErrorCode::config, "algo.replay_start is " + std::to_string(replay.start) +
                                           ", more than the replay holds: " + kept);
    return {};
}

}  // namespace

Result<> checkReplay(const SessionPlan& plan) {
    const TrainingConfig& config = plan.config;
    const std::string algo = "algo.id=" + config.algo_id;
    if (!plan.learn.replay) {
        if (config.checkpoint.replay == "none") return {};
        return fail(ErrorCode::config, "checkpoint.replay=" + config.checkpoint.replay +
                                           " needs an algorithm with a replay; " + algo + " has none");
    }
    const ReplayPlan& replay = *plan.learn.replay;
    const auto refuse = [&](const std::string& what) {
        return fail(ErrorCode::config, algo + " learns from a replay, which does not support " + what);
    };
    if (config.learner.echo != 1)
        return refuse("learner.echo; algo.replay_ratio sets how often decisions repeat");
    const bool is_recurrent = config.network.core != "none";
    const auto has = [&](const char* setting) { return config.algo_params.contains(setting); };
    if (is_recurrent && !replay.unrolls)
        return refuse("network.core=" + config.network.core + " with single decisions; use none, or " +
                      (has("sequence") ? "algo.sequence above 1" : "algo.id=r2d2"));
    if (!is_recurrent && replay.burn_in > 0)
        return fail(ErrorCode::config, "burn-in on a feed-forward network: algo.burn_in is " +
                                           std::to_string(replay.burn_in) +
                                           " and network.core is none; use algo.burn_in=0 or a recurrent "
                                           "core (network.core=lstm)");
    SEEDBED_TRY(checkReplaySize(plan));
    return checkHindsight(plan);
}

}  // namespace seedbed
