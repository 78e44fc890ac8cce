// SPDX-License-Identifier: Apache-2.0
// Several policies in one run, each with its own parameters and learner.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/describe.hpp"
#include "core/env/vector_env.hpp"
#include "core/infer/seat_mix.hpp"
#include "core/learn/learner.hpp"
#include "core/rollout/seat_policies.hpp"

namespace seedbed {

struct EvaluationResult;
struct SessionPlan;

// Section policies: which policy learns on which seat.
struct PolicySettings {
    std::string seats;

    static const Description<PolicySettings>& describe();
};

// Checks policies.seats and sets SessionPlan::policies; decides on inline inference, as for self_play. error:
// config.
Result<> planPolicies(SessionPlan& plan);

// The parameters of the acting networks of policies 1, 2, ...; empty with one policy.
std::vector<Params> otherParams(const SeatPolicies& policies, Learner& learner);

// Adds NAME/episode/return and NAME/episode/length: means over the ended episodes of the seats of each
// policy.
void appendPolicyReturns(const SeatPolicies& policies, const std::vector<EpisodeEnd>& episodes,
                         std::vector<std::pair<std::string, double>>& metrics);
// The mean return of each policy in an evaluation, by name: the mean over its seats. Empty with an opponent.
std::vector<std::pair<std::string, double>> policyMeans(const SeatPolicies& policies,
                                                        const EvaluationResult& result);

}  // namespace seedbed
