// SPDX-License-Identifier: Apache-2.0
// Which head of a network chooses actions and what acting needs: one answer for training, evaluation, export
// and the runtime library.
#pragma once

#include <vector>

#include "core/base/error.hpp"
#include "core/nn/distribution.hpp"
#include "core/nn/net_plan.hpp"

namespace seedbed {

// The head named policy, else the first one of kind q (the greedy actions of its values are those of a
// categorical distribution with them as logits). Null without either.
const PlanHead* actingHead(const NetPlan& plan);

// Which operations the values in `wanted` (indices into NetPlan::values) need.
std::vector<char> operationsFor(const NetPlan& plan, const std::vector<int>& wanted);

// The distribution of the acting head. error: config; names the part that cannot act (no such head, one that
// does not fit the actions, squashed words without finite bounds low < high).
Result<ActionDistribution> actingDistribution(const NetPlan& plan, bool squash);

// Checks that all numbers of a blob are finite, and that variances and counts are not negative. error: names
// the entry.
Result<> checkNumbers(const ParamEntry& entry, const float* values);

}  // namespace seedbed
