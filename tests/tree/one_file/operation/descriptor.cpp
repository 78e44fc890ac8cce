// SPDX-License-Identifier: Apache-2.0
// A new operation of a network, following the recipe in CONTRIBUTING.md: its descriptor.
#include "core/nn/operation.hpp"

namespace seedbed {
namespace {

int buildTwice(PlanBuilder& builder, const OpSpec& spec) {
    const PlanValue from = builder.value(spec.inputs[0]);
    return builder.append({.kind = "one_file_operation", .inputs = spec.inputs},
                          static_cast<std::size_t>(from.channels), from.height, from.width);
}

[[maybe_unused]] const bool registered_operation = registerOperation({
    .id = "one_file_operation",
    .help = "y = 2 x.",
    .build = buildTwice,
});

}  // namespace
}  // namespace seedbed
