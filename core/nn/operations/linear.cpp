// SPDX-License-Identifier: Apache-2.0
// Fully connected layers.
#include <algorithm>

#include "core/nn/operation.hpp"

namespace seedbed {

namespace {

int buildLinear(PlanBuilder& builder, const OpSpec& spec) {
    PlanOp op{.kind = "linear", .inputs = spec.inputs, .activation = spec.activation};
    const auto in = static_cast<int>(builder.value(spec.inputs[0]).size());
    const auto init = spec.initial == 0 ? ParamEntry::Init::zero : ParamEntry::Init::constant;
    op.params = {
        builder.param(spec.name + ".weight", {spec.width, in}, ParamEntry::Init::orthogonal, spec.gain),
        builder.param(spec.name + ".bias", {spec.width}, init, spec.initial)};
    return builder.append(std::move(op), static_cast<std::size_t>(std::max(spec.width, 0)));
}

OperationCost costOfLinear(const NetPlan& plan, const PlanOp& op) {
    return {.input_macs = static_cast<double>(plan.params[static_cast<std::size_t>(op.params[0])].count)};
}

[[maybe_unused]] const bool registered_linear = registerOperation({
    .id = "linear",
    .help = "y = activation(W x + b); W [out, in], b [out].",
    .build = buildLinear,
    .cost = costOfLinear,
});

}  // namespace

}  // namespace seedbed
