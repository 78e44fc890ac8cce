// SPDX-License-Identifier: Apache-2.0
// Common parts of recurrent cells.
#pragma once

#include <string>

#include "core/nn/operation.hpp"

namespace seedbed {

// A cell with `gates` gates of `spec.width` elements and `state_blocks` state vectors of that size.
// Parameters: weight_ih [gates * width, in], weight_hh [gates * width, width], bias_ih and bias_hh [gates *
// width].
int buildRecurrent(PlanBuilder& builder, const OpSpec& spec, const std::string& kind, int gates,
                   int state_blocks);
// `tape_blocks`: number of vectors of the output's size that a backward pass needs.
OperationCost recurrentCost(const NetPlan& plan, const PlanOp& op, std::size_t tape_blocks);

}  // namespace seedbed
