// SPDX-License-Identifier: Apache-2.0
// Draws random input panels and parameters.
#include "core/nn/engines/check/sample_panel.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace seedbed {

namespace {

template <class T>
void store(std::vector<std::uint8_t>& bytes, std::size_t index, T value) {
    std::memcpy(&bytes[index * sizeof(T)], &value, sizeof(T));
}

std::vector<std::uint8_t> sampleLeaf(const ObsLeaf& leaf, std::size_t rows, Rng& rng) {
    const std::size_t count = rows * static_cast<std::size_t>(leaf.stack) * leaf.elements();
    std::vector<std::uint8_t> bytes(count * bytesOf(leaf.dtype));
    for (std::size_t i = 0; i < count; ++i) {
        switch (leaf.kind) {
            case ObsLeaf::Kind::vector: store(bytes, i, static_cast<float>(rng.normal())); break;
            case ObsLeaf::Kind::image:
                bytes[i] = static_cast<std::uint8_t>(rng.below(static_cast<std::uint32_t>(leaf.high) + 1));
                break;
            case ObsLeaf::Kind::discrete:
                store(bytes, i,
                      static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(leaf.cardinality))));
                break;
        }
    }
    return bytes;
}

}  // namespace

Rows SamplePanel::rows() const {
    Rows rows{.sequences = sequences, .steps = steps, .obs = {}};
    for (const auto& leaf : obs) rows.obs.push_back(leaf.data());
    rows.first = first.data();
    rows.state = state.data();
    rows.previous_action = previous_action.data();
    rows.previous_reward = previous_reward.data();
    return rows;
}

SamplePanel samplePanel(const NetPlan& plan, int sequences, int steps, Rng& rng) {
    SamplePanel panel;
    panel.sequences = sequences;
    panel.steps = steps;
    const auto rows = static_cast<std::size_t>(sequences) * static_cast<std::size_t>(steps);
    for (const ObsLeaf& leaf : plan.spec.spaces.obs) panel.obs.push_back(sampleLeaf(leaf, rows, rng));
    for (std::size_t row = 0; row < rows; ++row) {
        panel.first.push_back(rng.below(4) == 0);
        panel.previous_reward.push_back(static_cast<float>(rng.normal()));
        for (const ActionLeaf& leaf : plan.spec.spaces.actions) {
            for (int word = 0; word < leaf.words(); ++word)
                panel.previous_action.push_back(
                    leaf.kind == ActionLeaf::Kind::discrete
                        ? static_cast<float>(rng.below(static_cast<std::uint32_t>(leaf.n)))
                        : static_cast<float>(rng.normal()));
        }
    }
    for (int i = 0; i < sequences * plan.state_words; ++i)
        panel.state.push_back(static_cast<float>(0.5 * rng.normal()));
    return panel;
}

std::vector<float> sampleBlob(const NetPlan& plan, std::uint64_t seed) {
    const Params initial = initialParams(plan, seed);
    std::vector<float> blob(initial.blob().begin(), initial.blob().end());
    Rng rng(seed, RngPurpose::test);
    for (const ParamEntry& entry : plan.params) {
        // Noise scaled so that activations keep their magnitude for any layer width.
        const double inputs = static_cast<double>(entry.count) / std::max(1, entry.shape.front());
        const double scale = entry.shape.size() > 1 ? 0.3 / std::sqrt(inputs) : 0.1;
        for (std::size_t i = entry.offset; i < entry.offset + entry.count; ++i) {
            const double noise = rng.normal();
            if (entry.role == ParamEntry::Role::weight) blob[i] += static_cast<float>(scale * noise);
            else
                blob[i] = static_cast<float>(entry.init == ParamEntry::Init::one ? std::exp(0.5 * noise)
                                                                                 : 0.3 * noise);
        }
    }
    return blob;
}

}  // namespace seedbed
