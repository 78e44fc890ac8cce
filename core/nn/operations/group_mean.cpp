// SPDX-License-Identifier: Apache-2.0
// Means of groups of adjacent elements, for example the value of an action from its quantiles or from an
// ensemble.
#include <algorithm>

#include "core/nn/operation.hpp"

namespace seedbed {

namespace {

int buildGroupMean(PlanBuilder& builder, const OpSpec& spec) {
    const std::size_t size = builder.value(spec.inputs[0]).size();
    if (spec.width < 1 || size % static_cast<std::size_t>(spec.width) != 0)
        builder.refuse("the input of a mean of groups does not consist of equal groups");
    return builder.append({.kind = "group_mean", .inputs = spec.inputs},
                          static_cast<std::size_t>(std::max(spec.width, 0)));
}

[[maybe_unused]] const bool registered_group_mean = registerOperation({
    .id = "group_mean",
    .help = "y [n]: means of n equal groups of neighbouring elements of the input.",
    .build = buildGroupMean,
});

}  // namespace

}  // namespace seedbed
