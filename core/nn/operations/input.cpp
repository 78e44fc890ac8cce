// SPDX-License-Identifier: Apache-2.0
// Observations, converted to numbers.
#include "core/nn/operation.hpp"

namespace seedbed {

namespace {

int buildInput(PlanBuilder& builder, const OpSpec& spec) {
    const ObsLeaf& leaf = builder.spec().spaces.obs[static_cast<std::size_t>(spec.leaf)];
    PlanOp op{.kind = "input", .leaf = spec.leaf};
    const auto stack = static_cast<std::size_t>(leaf.stack);
    if (leaf.kind == ObsLeaf::Kind::image) {
        if (!(leaf.high > 0)) builder.refuse("image '" + leaf.name + "' needs an upper bound above 0");
        return builder.append(op, stack * static_cast<std::size_t>(leaf.shape[0]), leaf.shape[1],
                              leaf.shape[2]);
    }
    const bool discrete = leaf.kind == ObsLeaf::Kind::discrete;
    return builder.append(
        op, leaf.elements() * stack * (discrete ? static_cast<std::size_t>(leaf.cardinality) : 1));
}

[[maybe_unused]] const bool registered_input = registerOperation({
    .id = "input",
    .help = "y = leaf `leaf` as f32: u8 divided by ObsLeaf::high, discrete one-hot [elements * cardinality].",
    .build = buildInput,
    .fields = {OpField::leaf},
});

}  // namespace

}  // namespace seedbed
