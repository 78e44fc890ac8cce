// SPDX-License-Identifier: Apache-2.0
#include "core/session/policies/policy_plan.hpp"

#include "core/session/session.hpp"

namespace seedbed {

const Description<PolicySettings>& PolicySettings::describe() {
    static const auto description =
        Description<PolicySettings>("policies",
                                    "Several policies in one run, each with its own parameters and learner. "
                                    "Affects the result.")
            .field(&PolicySettings::seats, "seats",
                   "The policy of each seat, separated by commas, such as pursuer,pursuer,evader: seats with "
                   "the same name share a policy, which learns from their decisions only; at most 8 "
                   "policies. Empty: one policy plays all seats.",
                   {.level = Level::recipe});
    return description;
}

namespace {

// Why several policies cannot train with these settings; "" if they can.
std::string unsupported(const SessionPlan& plan) {
    const TrainingConfig& config = plan.config;
    if (config.run.schedule != "sync") return "needs run.schedule=sync";
    if (plan.learn.replay)
        return "needs an algorithm that learns from each rollout once, such as ppo, a2c or vtrace; algo.id=" +
               config.algo_id + " learns from a replay";
    if (config.self_play.isUsed())
        return "does not fit self_play: set self_play.past, self_play.scripted_share, "
               "self_play.rival_share and self_play.opening to 0";
    if (config.learner.shards > 1 || plan.part.ranks > 1) return "needs learner.shards=1 and one rank";
    if (config.run.forced_lag > 0) return "needs run.forced_lag=0";
    if (config.run.inference == "central" || !config.infer.devices.empty())
        return "needs run.inference=inline";
    return "";
}

}  // namespace

Result<> planPolicies(SessionPlan& plan) {
    TrainingConfig& config = plan.config;
    auto parsed = SeatPolicies::parse(config.policies.seats);
    if (!parsed)
        return tl::unexpected<Error>(std::move(parsed).error().withContext("checking policies.seats"));
    plan.policies = std::move(*parsed);
    if (!plan.policies.isUsed()) return {};
    const auto agents = static_cast<std::size_t>(plan.env.agents);
    if (agents == 1)
        return fail(ErrorCode::config,
                    "policies.seats needs an environment with several seats; '" + plan.env.id + "' has one");
    if (plan.policies.of_seat.size() != agents)
        return fail(ErrorCode::config, "policies.seats names the policies of " +
                                           std::to_string(plan.policies.of_seat.size()) + " seats; '" +
                                           plan.env.id + "' has " + std::to_string(agents));
    if (const std::string reason = unsupported(plan); !reason.empty())
        return fail(ErrorCode::config, "policies.seats " + reason);
    config.run.inference = "inline";
    return {};
}

std::vector<Params> otherParams(const SeatPolicies& policies, Learner& learner) {
    std::vector<Params> params;
    if (!policies.isUsed()) return params;
    const std::size_t networks = learner.networkCount() / policies.names.size();
    for (std::size_t policy = 1; policy < policies.names.size(); ++policy)
        params.push_back(learner.params(policy * networks));
    return params;
}

void appendPolicyReturns(const SeatPolicies& policies, const std::vector<EpisodeEnd>& episodes,
                         std::vector<std::pair<std::string, double>>& metrics) {
    for (std::size_t policy = 0; policy < policies.names.size(); ++policy) {
        double sum = 0, length = 0;
        int count = 0;
        for (const EpisodeEnd& end : episodes) {
            const auto seat = static_cast<std::size_t>(end.column) % policies.of_seat.size();
            if (policies.of_seat[seat] != policy) continue;
            sum += end.episode_return;
            length += end.length;
            ++count;
        }
        if (count == 0) continue;
        metrics.emplace_back(policies.names[policy] + "/episode/return", sum / count);
        metrics.emplace_back(policies.names[policy] + "/episode/length", length / count);
    }
}

std::vector<std::pair<std::string, double>> policyMeans(const SeatPolicies& policies,
                                                        const EvaluationResult& result) {
    std::vector<std::pair<std::string, double>> means;
    if (result.seat_means.size() != policies.of_seat.size()) return means;
    for (std::size_t policy = 0; policy < policies.names.size(); ++policy) {
        double sum = 0;
        int seats = 0;
        for (std::size_t seat = 0; seat < policies.of_seat.size(); ++seat) {
            if (policies.of_seat[seat] != policy) continue;
            sum += result.seat_means[seat];
            ++seats;
        }
        means.emplace_back(policies.names[policy], sum / seats);
    }
    return means;
}

}  // namespace seedbed
