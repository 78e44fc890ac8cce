// SPDX-License-Identifier: Apache-2.0
// Residual connections.
#include "core/nn/operation.hpp"

namespace seedbed {

namespace {

int buildAdd(PlanBuilder& builder, const OpSpec& spec) {
    const PlanValue from = builder.value(spec.inputs[0]);
    if (from.size() != builder.value(spec.inputs[1]).size())
        builder.refuse("the two inputs of an addition differ in size");
    return builder.append({.kind = "add", .inputs = spec.inputs}, static_cast<std::size_t>(from.channels),
                          from.height, from.width);
}

[[maybe_unused]] const bool registered_add = registerOperation({
    .id = "add",
    .help = "y = first input + second input.",
    .build = buildAdd,
});

}  // namespace

}  // namespace seedbed
