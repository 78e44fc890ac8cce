// SPDX-License-Identifier: Apache-2.0
// Dueling heads: Wang et al., arXiv:1511.06581, equation 9.
#include "core/nn/operation.hpp"

namespace seedbed {

namespace {

int buildDueling(PlanBuilder& builder, const OpSpec& spec) {
    SEEDBED_CHECK(builder.value(spec.inputs[0]).size() == 1);
    return builder.append({.kind = "dueling", .inputs = spec.inputs}, builder.value(spec.inputs[1]).size());
}

[[maybe_unused]] const bool registered_dueling = registerOperation({
    .id = "dueling",
    .help = "y = V + A - mean(A); inputs V [1] and A [n].",
    .build = buildDueling,
});

}  // namespace

}  // namespace seedbed
