// SPDX-License-Identifier: Apache-2.0
// An encoder for boards and small grids, whose patterns mean the same everywhere: two 3 x 3 convolutions with
// 16 filters and ReLU. The first has padding 1, so that patterns at the edge count, too.
#include "core/nn/encoder.hpp"

namespace seedbed::encoders::board {

namespace {

// Without parameters: a description of its own would enlarge the policy library by several KiB.
const Schema& schema() {
    static const Schema empty{.name = "board", .help = "Two 3 x 3 convolutions.", .fields = {}};
    return empty;
}

int build(PlanBuilder& builder, int x, const Json&) {
    for (int i = 0; i < 2; ++i)
        x = builder.add("conv2d", {.inputs = {x},
                                   .name = "conv" + std::to_string(i),
                                   .width = 16,
                                   .kernel = 3,
                                   .pad = 1 - i,
                                   .gain = builder.spec().hidden_gain,
                                   .activation = Activation::relu});
    return x;
}

[[maybe_unused]] const bool registered = registerEncoder({
    .id = "board",
    .aliases = {},
    .help = "Two 3 x 3 convolutions with 16 filters, for board games and small grids.",
    .params = &schema(),
    .misfit = [](const ObsLeaf& leaf) { return imageMisfit(leaf, 3); },
    .automatic = [](const ObsLeaf&) { return false; },
    .build = build,
});

}  // namespace

}  // namespace seedbed::encoders::board
