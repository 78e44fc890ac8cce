// SPDX-License-Identifier: Apache-2.0
// The encoder of MinAtar's agents: one small convolution, for images of about 10 x 10 pixels.
// Young & Tian, "MinAtar", arXiv:1903.03176, section 3 and examples/dqn.py: 16 filters of 3 x 3, stride 1, no
// padding, ReLU.
#include "core/nn/encoder.hpp"

namespace seedbed::encoders::minatar_conv {

namespace {

struct MinAtarConvParams {
    int filters = 16;

    static const Description<MinAtarConvParams>& describe() {
        static const auto description =
            Description<MinAtarConvParams>("minatar_conv", "One 3 x 3 convolution.")
                .field(&MinAtarConvParams::filters, "filters", "Number of filters of the convolution.",
                       {.min = 1, .max = 4096});
        return description;
    }
};

int build(PlanBuilder& builder, int x, const Json& json) {
    const auto params = MinAtarConvParams::describe().read(json);
    return builder.add("conv2d", {.inputs = {x},
                                  .name = "conv0",
                                  .width = params.filters,
                                  .kernel = 3,
                                  .gain = builder.spec().hidden_gain,
                                  .activation = Activation::relu});
}

[[maybe_unused]] const bool registered = registerEncoder({
    .id = "minatar_conv",
    .aliases = {},
    .help = "One 3 x 3 convolution with 16 filters, for images of about 10 x 10 (Young & Tian 2019).",
    .params = &MinAtarConvParams::describe().schema(),
    .misfit = [](const ObsLeaf& leaf) { return imageMisfit(leaf, 3); },
    .automatic = [](const ObsLeaf& leaf) { return shorterSide(leaf) >= 5 && shorterSide(leaf) < 24; },
    .build = build,
});

}  // namespace

}  // namespace seedbed::encoders::minatar_conv
