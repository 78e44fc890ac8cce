// SPDX-License-Identifier: Apache-2.0
// The reward of the previous row.
#include "core/nn/engines/reference/operations/shared/pass.hpp"

namespace seedbed::reference {

namespace {

void forwardPreviousReward(Pass<Real>& pass, const PlanOp& op) {
    Real* y = pass.value(op.output);
    for (int row = 0; row < pass.rows; ++row)
        y[row] = pass.panel->first[row] ? Real(0) : static_cast<Real>(pass.panel->previous_reward[row]);
}

[[maybe_unused]] const bool registered_previous_reward = registerKernels<Real>({
    .id = "previous_reward",
    .forward = forwardPreviousReward,
});

}  // namespace

}  // namespace seedbed::reference
