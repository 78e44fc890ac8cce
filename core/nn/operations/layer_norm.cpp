// SPDX-License-Identifier: Apache-2.0
// Layer normalisation: Ba, Kiros & Hinton, arXiv:1607.06450.
#include "core/nn/operation.hpp"

namespace seedbed {

namespace {

int buildLayerNorm(PlanBuilder& builder, const OpSpec& spec) {
    const PlanValue from = builder.value(spec.inputs[0]);
    const auto size = static_cast<int>(from.size());
    PlanOp op{.kind = "layer_norm", .inputs = spec.inputs, .activation = spec.activation};
    op.params = {builder.param(spec.name + ".gain", {size}, ParamEntry::Init::one, 1),
                 builder.param(spec.name + ".bias", {size}, ParamEntry::Init::zero, 0)};
    return builder.append(std::move(op), static_cast<std::size_t>(from.channels), from.height, from.width);
}

// The tape contains the normalised input and the inverse deviation.
OperationCost costOfLayerNorm(const NetPlan& plan, const PlanOp& op) {
    return {.tape_floats = plan.values[static_cast<std::size_t>(op.output)].size() + 1};
}

[[maybe_unused]] const bool registered_layer_norm = registerOperation({
    .id = "layer_norm",
    .help = "y = activation(gain * (x - mean) / sqrt(var + 1e-5) + bias) over all features; gain, bias.",
    .build = buildLayerNorm,
    .cost = costOfLayerNorm,
});

}  // namespace

}  // namespace seedbed
