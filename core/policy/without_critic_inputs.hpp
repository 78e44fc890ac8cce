// SPDX-License-Identifier: Apache-2.0
// Policies that act without the inputs of their value estimate.
#pragma once

#include "core/base/error.hpp"
#include "core/policy/bundle.hpp"

namespace seedbed {

// The bundle without observations that are critic_only and without the value estimates, which need them; its
// actions are the same. Unchanged if there are no such observations. error: config, if the parameters do not
// match the network.
Result<PolicyBundle> withoutCriticInputs(PolicyBundle bundle);

}  // namespace seedbed
