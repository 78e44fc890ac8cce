// SPDX-License-Identifier: Apache-2.0
// Long short-term memory: Hochreiter & Schmidhuber 1997 with forget gates (Gers et al. 2000).
#include "core/nn/operation.hpp"
#include "core/nn/operations/shared/recurrent.hpp"

namespace seedbed {

namespace {

int buildLstm(PlanBuilder& builder, const OpSpec& spec) {
    return buildRecurrent(builder, spec, "lstm", 4, 2);
}

// The tape contains the gates, the cell, the tanh of the cell and both previous states.
OperationCost costOfLstm(const NetPlan& plan, const PlanOp& op) { return recurrentCost(plan, op, 8); }

[[maybe_unused]] const bool registered_lstm = registerOperation({
    .id = "lstm",
    .help = "y = h of torch.nn.LSTMCell, gates i, f, g, o, state (h, c); W_ih, W_hh, b_ih, b_hh.",
    .build = buildLstm,
    .cost = costOfLstm,
    .state_per_output = 2,
    .core = true,
    .fields = {OpField::state_offset},
});

}  // namespace

}  // namespace seedbed
