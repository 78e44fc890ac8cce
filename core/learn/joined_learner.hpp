// SPDX-License-Identifier: Apache-2.0
// The learners of several policies as one: each learns from the rows of its own seats.
#pragma once

#include <memory>
#include <vector>

#include "core/learn/learner.hpp"
#include "core/rollout/seat_policies.hpp"

namespace seedbed {

// A learner with the networks of all `learners`, one for each policy in their order, named as by
// SeatPolicies::networkName(). Windows must contain whole environments and come from rollouts, not from a
// replay. An update runs the learners one after the other; it can be abandoned (`grace`) only while the first
// one learns, because afterwards parameters have changed. After another error, earlier policies have learned
// and later ones have not. Metrics are those of each policy (NAME/...) and their means over the policies that
// learned.
std::unique_ptr<Learner> joinLearners(SeatPolicies policies, std::vector<std::unique_ptr<Learner>> learners);

}  // namespace seedbed
