// SPDX-License-Identifier: Apache-2.0
// An activation as a separate operation.
#include "core/nn/operation.hpp"

namespace seedbed {

namespace {

int buildActivation(PlanBuilder& builder, const OpSpec& spec) {
    const PlanValue from = builder.value(spec.inputs[0]);
    return builder.append({.kind = "activation", .inputs = spec.inputs, .activation = spec.activation},
                          static_cast<std::size_t>(from.channels), from.height, from.width);
}

[[maybe_unused]] const bool registered_activation = registerOperation({
    .id = "activation",
    .help = "y = activation(x).",
    .build = buildActivation,
});

}  // namespace

}  // namespace seedbed
