// SPDX-License-Identifier: Apache-2.0
#include "core/policy/runtime/policy_handle.hpp"

#include <utility>

#include "core/policy/acting_plan.hpp"
#include "core/policy/without_critic_inputs.hpp"

namespace seedbed {

Result<std::unique_ptr<seedbed_policy>> policyHandle(PolicyBundle bundle) {
    auto policy = std::make_unique<seedbed_policy>();
    SEEDBED_ASSIGN(policy->bundle, withoutCriticInputs(std::move(bundle)));
    SEEDBED_ASSIGN(const NetPlan whole, buildPlan(policy->bundle.network.spec));
    SEEDBED_ASSIGN(policy->distribution, actingDistribution(whole, policy->bundle.squash));
    SEEDBED_ASSIGN(policy->plan, actingPlan(whole));
    policy->wants_previous_action = hasOp(policy->plan, "previous_action");
    policy->wants_reward = hasOp(policy->plan, "previous_reward");
    SEEDBED_ASSIGN(policy->net, compileNet("native", policy->plan, EngineOptions{}));
    policy->sha256 = policy->bundle.network.params.sha256();
    return policy;
}

}  // namespace seedbed
