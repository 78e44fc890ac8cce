// SPDX-License-Identifier: Apache-2.0
// The learners of several policies as one: each learns from the rows of its own seats.
#pragma once

#include <memory>
#include <vector>

#include "core/learn/learner.hpp"
#include "core/rollout/seat_policies.hpp"

namespace seedbed {

// One learner of `learners`, a learner for each policy, with the networks of all, named as by
// SeatPolicies::networkName(). Windows contain whole environments and come from rollouts. The learners run
// one after the other; `grace` applies only to the first, because afterwards parameters have changed. Metrics
// are those of each policy (NAME/...) and their means.
std::unique_ptr<Learner> joinLearners(SeatPolicies policies, std::vector<std::unique_ptr<Learner>> learners);

}  // namespace seedbed
