// SPDX-License-Identifier: Apache-2.0
// Concatenation of values.
#include "core/nn/operation.hpp"

namespace seedbed {

namespace {

int buildConcat(PlanBuilder& builder, const OpSpec& spec) {
    std::size_t size = 0;
    for (const int x : spec.inputs) size += builder.value(x).size();
    return builder.append({.kind = "concat", .inputs = spec.inputs}, size);
}

[[maybe_unused]] const bool registered_concat = registerOperation({
    .id = "concat",
    .help = "y = all inputs, flattened, one after the other.",
    .build = buildConcat,
});

}  // namespace

}  // namespace seedbed
