// SPDX-License-Identifier: Apache-2.0
// The interface of encoders, which turn one observation leaf into features. Each file in core/nn/encoders
// registers one encoder, in its last line.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/registry.hpp"
#include "core/nn/plan_builder.hpp"

namespace seedbed {

struct EncoderEntry {
    std::string id;
    std::vector<std::string> aliases{};
    std::string help;                // one sentence that cites the paper
    const Schema* params = nullptr;  // the allowed EncoderSpec::params
    // "" if the encoder supports the leaf, otherwise the reason ("needs an image").
    std::function<std::string(const ObsLeaf&)> misfit;
    // Whether `auto` chooses this encoder for the leaf. At most one encoder may return true; if none does,
    // `auto` chooses flat.
    std::function<bool(const ObsLeaf&)> automatic;
    // Adds operations on value `x` (an image [stack * channels, height, width] or a vector) and returns the
    // value with the features. `params` has values for all parameters. Unsupported sizes are reported through
    // the builder.
    std::function<int(PlanBuilder& builder, int x, const Json& params)> build;
};

Registry<EncoderEntry>& encoderRegistry();
// Adds an entry to the registry. Must be called before NetworkParams::describe() lists the choices.
bool registerEncoder(EncoderEntry entry);

// Returns why an encoder that needs an image of at least `smallest` pixels in each dimension does not support
// a leaf; "" if it supports the leaf.
std::string imageMisfit(const ObsLeaf& leaf, int smallest);
// The shorter side of an image leaf, 0 for other leaves.
int shorterSide(const ObsLeaf& leaf);

}  // namespace seedbed
