// SPDX-License-Identifier: Apache-2.0
// The deep residual network of Espeholt et al., "IMPALA", arXiv:1802.01561, figure 3 (right): sections of a 3
// x 3 convolution, 3 x 3 max pooling with stride 2 and two residual blocks, then ReLU and 256 fully connected
// units. Padding is 1 on each side, as in PyTorch ports (TensorFlow's SAME pads even sizes on one side only).
#include "core/nn/encoder.hpp"

namespace seedbed::encoders::impala_deep {

namespace {

struct ImpalaDeepParams {
    std::vector<int> sections{16, 32, 32};
    int blocks = 2;
    int features = 256;

    static const Description<ImpalaDeepParams>& describe() {
        using P = ImpalaDeepParams;
        static const auto description =
            Description<P>("impala_deep", "Residual convolutional sections and a fully connected layer.")
                .field(&P::sections, "sections", "Filters per section; each section halves the image.",
                       {.min = 1, .max = 4096})
                .field(&P::blocks, "blocks", "Residual blocks in each section.", {.min = 0, .max = 16})
                .field(&P::features, "features", "Width of the fully connected layer.",
                       {.min = 1, .max = 65536});
        return description;
    }
};

int build(PlanBuilder& builder, int x, const Json& json) {
    const auto params = ImpalaDeepParams::describe().read(json);
    const double gain = builder.spec().hidden_gain;
    for (std::size_t s = 0; s < params.sections.size(); ++s) {
        const std::string section = "section" + std::to_string(s);
        const int filters = params.sections[s];
        x = builder.add("conv2d", {.inputs = {x},
                                   .name = section + ".conv",
                                   .width = filters,
                                   .kernel = 3,
                                   .pad = 1,
                                   .gain = gain});
        x = builder.add("max_pool", {.inputs = {x}, .kernel = 3, .stride = 2, .pad = 1});
        for (int b = 0; b < params.blocks; ++b) {
            const std::string block = section + ".block" + std::to_string(b);
            // The inner ReLU is the first convolution's own activation.
            int y = builder.add("activation", {.inputs = {x}, .activation = Activation::relu});
            y = builder.add("conv2d", {.inputs = {y},
                                       .name = block + ".conv0",
                                       .width = filters,
                                       .kernel = 3,
                                       .pad = 1,
                                       .gain = gain,
                                       .activation = Activation::relu});
            y = builder.add("conv2d", {.inputs = {y},
                                       .name = block + ".conv1",
                                       .width = filters,
                                       .kernel = 3,
                                       .pad = 1,
                                       .gain = gain});
            x = builder.add("add", {.inputs = {x, y}});
        }
    }
    x = builder.add("activation", {.inputs = {x}, .activation = Activation::relu});
    return builder.add("linear", {.inputs = {x},
                                  .name = "features",
                                  .width = params.features,
                                  .gain = gain,
                                  .activation = Activation::relu});
}

[[maybe_unused]] const bool registered = registerEncoder({
    .id = "impala_deep",
    .aliases = {"impala"},
    .help = "Fifteen convolutions in residual blocks and 256 features, for images (Espeholt et al. 2018).",
    .params = &ImpalaDeepParams::describe().schema(),
    .misfit = [](const ObsLeaf& leaf) { return imageMisfit(leaf, 3); },
    .automatic = [](const ObsLeaf&) { return false; },
    .build = build,
});

}  // namespace

}  // namespace seedbed::encoders::impala_deep
