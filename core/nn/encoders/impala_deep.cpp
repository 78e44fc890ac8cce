// SPDX-License-Identifier: Apache-2.0
// The deep residual network of Espeholt et al., "IMPALA", arXiv:1802.01561, figure 3 (right): sections of a 3
// x 3 convolution, a max pooling 3 x 3 stride 2 and two residual blocks, then ReLU and 256 fully connected.
// Padding 1 each side, as PyTorch ports have it (TensorFlow's SAME pads even sizes on one side only).
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
                .field(&P::sections, "sections", "Filters of each section; every section halves the image.",
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
        x = builder.conv2d(x, section + ".conv", filters, 3, 1, 1, gain, Activation::none);
        x = builder.maxPool(x, 3, 2, 1);
        for (int b = 0; b < params.blocks; ++b) {
            const std::string block = section + ".block" + std::to_string(b);
            // The inner ReLU is the first convolution's own activation.
            int y = builder.activation(x, Activation::relu);
            y = builder.conv2d(y, block + ".conv0", filters, 3, 1, 1, gain, Activation::relu);
            y = builder.conv2d(y, block + ".conv1", filters, 3, 1, 1, gain, Activation::none);
            x = builder.add(x, y);
        }
    }
    x = builder.activation(x, Activation::relu);
    return builder.linear(x, "features", params.features, gain, Activation::relu);
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
