// SPDX-License-Identifier: Apache-2.0
// The reward of the previous row as an input of a recurrent core.
#include "core/nn/operation.hpp"

namespace seedbed {

namespace {

int buildPreviousReward(PlanBuilder& builder, const OpSpec&) {
    return builder.append({.kind = "previous_reward"}, 1);
}

[[maybe_unused]] const bool registered_previous_reward = registerOperation({
    .id = "previous_reward",
    .help = "y [1] = Rows::previous_reward; 0 in the first row of an episode.",
    .build = buildPreviousReward,
});

}  // namespace

}  // namespace seedbed
