// SPDX-License-Identifier: Apache-2.0
// An encoder for boards and small grids, whose patterns mean the same everywhere: 3 x 3 convolutions with
// ReLU. All but the last have padding 1, so that patterns at the edge count, too.
#include "core/nn/encoder.hpp"

namespace seedbed::encoders::board {

namespace {

struct BoardParams {
    std::vector<int> filters{16, 16};

    static const Description<BoardParams>& describe() {
        static const auto description =
            Description<BoardParams>("board", "Convolutions of 3 x 3 for boards and small grids.")
                .field(&BoardParams::filters, "filters", "Filters per convolution.", {.min = 1, .max = 4096});
        return description;
    }
};

int build(PlanBuilder& builder, int x, const Json& json) {
    const auto params = BoardParams::describe().read(json);
    for (std::size_t i = 0; i < params.filters.size(); ++i)
        x = builder.add("conv2d", {.inputs = {x},
                                   .name = "conv" + std::to_string(i),
                                   .width = params.filters[i],
                                   .kernel = 3,
                                   .pad = i + 1 < params.filters.size() ? 1 : 0,
                                   .gain = builder.spec().hidden_gain,
                                   .activation = Activation::relu});
    return x;
}

[[maybe_unused]] const bool registered = registerEncoder({
    .id = "board",
    .aliases = {},
    .help = "Two 3 x 3 convolutions with 16 filters, for board games and small grids.",
    .params = &BoardParams::describe().schema(),
    .misfit = [](const ObsLeaf& leaf) { return imageMisfit(leaf, 3); },
    .automatic = [](const ObsLeaf&) { return false; },
    .build = build,
});

}  // namespace

}  // namespace seedbed::encoders::board
