// SPDX-License-Identifier: Apache-2.0
// Gated recurrent unit: Cho et al. 2014 in the form of torch.nn.GRUCell.
#include "core/nn/operation.hpp"
#include "core/nn/operations/shared/recurrent.hpp"

namespace seedbed {

namespace {

int buildGru(PlanBuilder& builder, const OpSpec& spec) { return buildRecurrent(builder, spec, "gru", 3, 1); }

// The tape contains the gates, the candidate's recurrent part and the previous state.
OperationCost costOfGru(const NetPlan& plan, const PlanOp& op) { return recurrentCost(plan, op, 5); }

[[maybe_unused]] const bool registered_gru = registerOperation({
    .id = "gru",
    .help = "y = h of torch.nn.GRUCell, gates r, z, n, state h; W_ih, W_hh, b_ih, b_hh.",
    .build = buildGru,
    .cost = costOfGru,
    .state_per_output = 1,
    .core = true,
    .fields = {OpField::state_offset},
});

}  // namespace

}  // namespace seedbed
