// SPDX-License-Identifier: Apache-2.0
// The encoder that passes observations through unchanged: vectors, one-hot discrete values, and the pixels of
// small images.
#include "core/nn/encoder.hpp"

namespace seedbed::encoders::flat {

namespace {

const Schema& schema() {
    static const Schema empty{.name = "flat", .help = "Returns the observation unchanged.", .fields = {}};
    return empty;
}

[[maybe_unused]] const bool registered = registerEncoder({
    .id = "flat",
    .aliases = {"mlp"},
    .help = "The flattened observation, without further layers; the fully connected layers follow.",
    .params = &schema(),
    .misfit = [](const ObsLeaf&) { return std::string(); },
    .automatic = [](const ObsLeaf& leaf) { return shorterSide(leaf) < 5; },
    .build = [](PlanBuilder&, int x, const Json&) { return x; },
});

}  // namespace

}  // namespace seedbed::encoders::flat
