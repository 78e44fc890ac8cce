// SPDX-License-Identifier: Apache-2.0
// The shallow network of Espeholt et al., "IMPALA", arXiv:1802.01561, figure 3 (left): 16 filters of 8 x 8
// with stride 4, 32 filters of 4 x 4 with stride 2, 256 fully connected units, ReLU throughout. Deviation: no
// padding, as in Mnih et al. 2016.
#include "core/nn/encoder.hpp"

namespace seedbed::encoders::impala_shallow {

namespace {

struct ImpalaShallowParams {
    int features = 256;

    static const Description<ImpalaShallowParams>& describe() {
        static const auto description =
            Description<ImpalaShallowParams>("impala_shallow",
                                             "Two convolutions and a fully connected layer.")
                .field(&ImpalaShallowParams::features, "features", "Width of the fully connected layer.",
                       {.min = 1, .max = 65536});
        return description;
    }
};

int build(PlanBuilder& builder, int x, const Json& json) {
    const auto params = ImpalaShallowParams::describe().read(json);
    const double gain = builder.spec().hidden_gain;
    x = builder.add("conv2d", {.inputs = {x},
                               .name = "conv0",
                               .width = 16,
                               .kernel = 8,
                               .stride = 4,
                               .gain = gain,
                               .activation = Activation::relu});
    x = builder.add("conv2d", {.inputs = {x},
                               .name = "conv1",
                               .width = 32,
                               .kernel = 4,
                               .stride = 2,
                               .gain = gain,
                               .activation = Activation::relu});
    return builder.add("linear", {.inputs = {x},
                                  .name = "features",
                                  .width = params.features,
                                  .gain = gain,
                                  .activation = Activation::relu});
}

[[maybe_unused]] const bool registered = registerEncoder({
    .id = "impala_shallow",
    .aliases = {},
    .help = "Two convolutions and 256 features, for images of 24 pixels or more (Espeholt et al. 2018).",
    .params = &ImpalaShallowParams::describe().schema(),
    .misfit = [](const ObsLeaf& leaf) { return imageMisfit(leaf, 20); },
    .automatic = [](const ObsLeaf& leaf) { return shorterSide(leaf) >= 24 && shorterSide(leaf) < 64; },
    .build = build,
});

}  // namespace

}  // namespace seedbed::encoders::impala_shallow
