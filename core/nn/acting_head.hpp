// SPDX-License-Identifier: Apache-2.0
// Determines which head of a network selects actions and which operations that head needs. Used by training,
// evaluation, export and the runtime library.
#pragma once

#include <vector>

#include "core/base/error.hpp"
#include "core/nn/distribution.hpp"
#include "core/nn/net_plan.hpp"

namespace seedbed {

// The head named "policy" or, if there is no such head, the first head of kind q (its greedy actions are the
// modes of a categorical distribution whose logits are the q values). Null if the network has neither.
const PlanHead* actingHead(const NetPlan& plan);

// The operations needed to compute the values in `wanted` (indices into NetPlan::values).
std::vector<char> operationsFor(const NetPlan& plan, const std::vector<int>& wanted);

// The distribution of the acting head. error: config, with the reason: no acting head, a head that does not
// match the actions, or squashed words without finite bounds.
Result<ActionDistribution> actingDistribution(const NetPlan& plan, bool squash);

// Checks that all values of an entry are finite, and that variances and counts are not negative. error: names
// the entry.
Result<> checkNumbers(const ParamEntry& entry, const float* values);

}  // namespace seedbed
