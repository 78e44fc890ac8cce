// SPDX-License-Identifier: Apache-2.0
// Random inputs and parameters for any network, used to compare engines and to test gradients.
#pragma once

#include <vector>

#include "core/base/rng.hpp"
#include "core/nn/engine.hpp"

namespace seedbed {

// An input panel that owns its memory.
struct SamplePanel {
    std::vector<std::vector<std::uint8_t>> obs;
    std::vector<std::uint8_t> first;
    std::vector<float> state, previous_action, previous_reward;
    int sequences = 0, steps = 1;

    // The result refers to the memory of this object.
    Rows rows() const;
};

// Vectors and states are normally distributed, pixels and choices uniformly; on average, one row in four
// begins an episode.
SamplePanel samplePanel(const NetPlan& plan, int sequences, int steps, Rng& rng);

// Initial parameters with noise on every weight, so that biases and gains matter, and with plausible
// normaliser statistics.
std::vector<float> sampleBlob(const NetPlan& plan, std::uint64_t seed);

}  // namespace seedbed
