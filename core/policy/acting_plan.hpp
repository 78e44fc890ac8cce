// SPDX-License-Identifier: Apache-2.0
// The part of a plan that is needed to select actions, for programs that never learn.
#pragma once

#include "core/base/error.hpp"
#include "core/nn/net_plan.hpp"

namespace seedbed {

// Returns a plan with the same layout of parameters and state, without the operations and values that only
// other heads need. The acting head (see core/nn/acting_head.hpp) is at column 0. error: config if there is
// no acting head.
Result<NetPlan> actingPlan(const NetPlan& plan);

}  // namespace seedbed
