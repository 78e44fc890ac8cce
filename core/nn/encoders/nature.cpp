// SPDX-License-Identifier: Apache-2.0
// The convolutional network of Mnih et al., "Human-level control through deep reinforcement learning", Nature
// 518 (2015), Methods: 32 filters of 8 x 8 with stride 4, 64 filters of 4 x 4 with stride 2, 64 filters of 3
// x 3 with stride 1, 512 fully connected units, ReLU throughout.
#include "core/nn/encoder.hpp"

namespace seedbed::encoders::nature {

namespace {

struct NatureParams {
    int features = 512;

    static const Description<NatureParams>& describe() {
        static const auto description =
            Description<NatureParams>("nature", "Three convolutions and a fully connected layer.")
                .field(&NatureParams::features, "features", "Width of the fully connected layer.",
                       {.min = 1, .max = 65536});
        return description;
    }
};

int build(PlanBuilder& builder, int x, const Json& json) {
    const auto params = NatureParams::describe().read(json);
    const double gain = builder.spec().hidden_gain;
    x = builder.add("conv2d", {.inputs = {x},
                               .name = "conv0",
                               .width = 32,
                               .kernel = 8,
                               .stride = 4,
                               .gain = gain,
                               .activation = Activation::relu});
    x = builder.add("conv2d", {.inputs = {x},
                               .name = "conv1",
                               .width = 64,
                               .kernel = 4,
                               .stride = 2,
                               .gain = gain,
                               .activation = Activation::relu});
    x = builder.add("conv2d", {.inputs = {x},
                               .name = "conv2",
                               .width = 64,
                               .kernel = 3,
                               .gain = gain,
                               .activation = Activation::relu});
    return builder.add("linear", {.inputs = {x},
                                  .name = "features",
                                  .width = params.features,
                                  .gain = gain,
                                  .activation = Activation::relu});
}

[[maybe_unused]] const bool registered = registerEncoder({
    .id = "nature",
    .aliases = {"nature_cnn"},
    .help = "Three convolutions and 512 features, for images of about 84 x 84 (Mnih et al. 2015).",
    .params = &NatureParams::describe().schema(),
    .misfit = [](const ObsLeaf& leaf) { return imageMisfit(leaf, 36); },
    .automatic = [](const ObsLeaf& leaf) { return shorterSide(leaf) >= 64; },
    .build = build,
});

}  // namespace

}  // namespace seedbed::encoders::nature
