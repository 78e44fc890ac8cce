// SPDX-License-Identifier: Apache-2.0
// Dueling heads: Wang et al., arXiv:1511.06581, equation 9.
#include "core/nn/operation.hpp"

namespace seedbed {

namespace {

int buildDueling(PlanBuilder& builder, const OpSpec& spec) {
    const std::size_t values = builder.value(spec.inputs[0]).size(),
                      advantages = builder.value(spec.inputs[1]).size();
    if (advantages % values != 0) builder.refuse("dueling heads need the same values for every action");
    return builder.append({.kind = "dueling", .inputs = spec.inputs}, advantages);
}

[[maybe_unused]] const bool registered_dueling = registerOperation({
    .id = "dueling",
    .help = "y = V + A - mean of A over the n actions; inputs V [k] and A [n, k].",
    .build = buildDueling,
});

}  // namespace

}  // namespace seedbed
