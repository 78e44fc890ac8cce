// SPDX-License-Identifier: Apache-2.0
// A learning step on networks of an engine, for one chunk of a replay with random data.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/algo/algorithm.hpp"
#include "core/nn/engines/check/sample_panel.hpp"

namespace seedbed::testing_torch {

struct ChunkShape {
    int sequences = 1, burn_in = 0, learned = 1, ahead = 1;

    int steps() const { return burn_in + learned + ahead; }
    std::size_t rows(int count) const {
        return static_cast<std::size_t>(count) * static_cast<std::size_t>(sequences);
    }
};

// The chunk, and the inputs of its rows with those of the burn-in.
struct ReplayChunk {
    ChunkShape shape;
    std::vector<float> action, reward, discount;  // for the rows after the burn-in
    std::vector<std::uint8_t> valid;
    Chunk chunk;

    ReplayChunk(const ChunkShape& shape, const Spaces& spaces, std::uint64_t seed);
    ReplayChunk(const ReplayChunk&) = delete;
    ReplayChunk& operator=(const ReplayChunk&) = delete;
};

// Provides parts of the chunk as the learner does: networks that read the stored state begin with it.
class EngineStep final : public Step {
public:
    struct Net {
        NetworkDecl decl;
        NetPlan plan;
        std::vector<float> blob;
        SamplePanel panel;  // for all rows
        std::unique_ptr<EngineNet> engine;
        std::unique_ptr<NetContext> context;
        Params params;
        Rows rows;  // rows of the pass with the tape
        std::vector<float> lane, heads, gradients, burned, no_action;
        std::size_t count = 0;  // rows of the last pass
    };

    // `network` configures all networks of the algorithm. `engine`: a registered name.
    EngineStep(const Algorithm& algorithm, const NetworkParams& network, const Spaces& spaces,
               const ReplayChunk& chunk, const std::string& engine, std::uint64_t seed, double* sums);

    Heads forward(std::size_t net, const Inputs& inputs, Keep keep) override;
    float* gradients(std::size_t net) override;
    void backward(std::size_t net, const float* gradients, bool parameters, float* d_action) override;
    bool isStepped(std::size_t) const override { return true; }
    const Net& net(std::size_t index) const { return nets_[index]; }

private:
    ChunkShape shape_;
    std::vector<Net> nets_;
};

}  // namespace seedbed::testing_torch
