// SPDX-License-Identifier: Apache-2.0
// The reward of the previous row.
#include "gpu/pass.hpp"

namespace seedbed::gpu {

namespace {

void forwardPreviousReward(Pass& pass, const PlanOp& op) {
    struct Push {
        std::uint32_t rows;
    };
    pass.dispatch("previous_reward", {pass.panel.previous_reward, pass.panel.first, pass.value(op.output)},
                  Push{pass.rows}, pass.rows);
}

[[maybe_unused]] const bool registered_previous_reward = registerGpuOperation({
    .id = "previous_reward",
    .forward = forwardPreviousReward,
});

}  // namespace

}  // namespace seedbed::gpu
