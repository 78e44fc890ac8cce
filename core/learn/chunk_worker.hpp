// SPDX-License-Identifier: Apache-2.0
// The buffers of one learner thread for a chunk: inputs, a context for each network, head outputs and their
// gradients.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/algo/algorithm.hpp"
#include "core/learn/batch_gather.hpp"
#include "core/learn/learner.hpp"
#include "core/nn/engine.hpp"
#include "core/rollout/gather.hpp"

namespace seedbed {

// Thread-seconds by phase.
struct PhaseSeconds {
    double gather = 0, forward = 0, loss = 0, backward = 0;
};

// Loads a chunk and runs the networks on it. Buffers grow to the largest chunk and are reused. Thread: one at
// a time.
class ChunkWorker {
public:
    explicit ChunkWorker(const std::vector<LearnerNet>& nets);

    // The batch rows of the chunk, time-major. The learner fills it before load().
    std::vector<std::uint32_t>& rows() { return rows_; }
    // Gathers observations, and for recurrent networks states, `first` flags, previous actions and rewards,
    // for `sequences` columns with rows().size() / sequences steps each. error: kNonFinite (names the
    // observation).
    Result<> load(const BatchSource& source, const Batch& batch, int sequences);
    // Runs a network on the loaded rows; the result is heads(net). error: from the engine; kNonFinite (names
    // the output).
    Result<> forward(std::size_t net, const Params& params, Keep keep);
    // Adds the gradient of the last forward() with Keep::tape to `lane`. error: from the engine.
    Result<> backward(std::size_t net, float* lane);

    // The fields of the loaded rows; advantage and target may be null.
    Chunk chunk(const Batch& batch);
    const float* heads(std::size_t net) const { return heads_[net].data(); }
    // The gradient buffer for the loaded rows, set to zero.
    float* clearedGradients(std::size_t net);
    std::vector<NetIo>& io() { return io_; }
    RowRef element(std::size_t row) const { return refs_[row]; }

    PhaseSeconds seconds;

    // Bytes that a worker needs for chunks of `rows` rows, including activations.
    static std::size_t bytes(const std::vector<NetPlan>& nets, const std::string& engine, std::size_t rows,
                             int steps);

private:
    Result<> loadObservations(const BatchSource& source);
    void loadRecurrent(const BatchSource& source, const Batch& batch);
    void loadFirst(const Batch& batch);

    const std::vector<LearnerNet>& nets_;
    const Spaces& spaces_;
    int state_words_ = 0;  // of the acting network; rings store its states
    bool recurrent_ = false, previous_ = false;
    std::vector<std::unique_ptr<NetContext>> contexts_;
    std::vector<std::uint32_t> rows_;
    std::vector<RowRef> refs_;
    int sequences_ = 0;
    std::vector<Rows> panel_;  // per network; they refer to the buffers below
    std::vector<std::vector<std::uint8_t>> obs_;
    std::vector<float> state_, zero_state_, previous_action_, previous_reward_;
    std::vector<float> action_, log_prob_, policy_, value_, reward_, discount_, advantage_, target_;
    std::vector<std::uint8_t> valid_, first_, mask_;
    std::vector<std::vector<float>> heads_, gradients_;
    std::vector<NetIo> io_;
};

}  // namespace seedbed
