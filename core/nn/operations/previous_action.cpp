// SPDX-License-Identifier: Apache-2.0
// The action of the previous row as an input of a recurrent core.
#include "core/nn/operation.hpp"

namespace seedbed {

namespace {

int buildPreviousAction(PlanBuilder& builder, const OpSpec&) {
    int width = 0;
    for (const ActionLeaf& leaf : builder.spec().spaces.actions)
        width += leaf.kind == ActionLeaf::Kind::discrete ? leaf.n : leaf.words();
    return builder.append({.kind = "previous_action"}, static_cast<std::size_t>(width));
}

[[maybe_unused]] const bool registered_previous_action = registerOperation({
    .id = "previous_action",
    .help = "y = Rows::previous_action, one-hot (discrete) or raw (box); 0 in the first row of an episode.",
    .build = buildPreviousAction,
});

}  // namespace

}  // namespace seedbed
