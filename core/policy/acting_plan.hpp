// SPDX-License-Identifier: Apache-2.0
// The part of a plan that actions need, for programs that act and never learn.
#pragma once

#include "core/base/error.hpp"
#include "core/nn/net_plan.hpp"

namespace seedbed {

// The same parameters and state layout; operations and values that only other heads need are left out, and
// the acting head (named policy, else the first one of kind q) is the only one, at column 0. error: config,
// when no head acts.
Result<NetPlan> actingPlan(const NetPlan& plan);

}  // namespace seedbed
