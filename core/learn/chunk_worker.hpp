// SPDX-License-Identifier: Apache-2.0
// The buffers of one learner thread for a chunk: inputs, a context for each network, head outputs and their
// gradients.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/algo/algorithm.hpp"
#include "core/learn/batch_gather.hpp"
#include "core/learn/learner.hpp"
#include "core/learn/learning_net.hpp"
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
    // Begins a chunk of `sequences` columns with rows().size() / sequences steps each, of which the first
    // `burn_in` are for burnIn(). The source and the batch must remain valid until the chunk ends.
    void begin(const BatchSource& source, const Batch& batch, int sequences, int burn_in = 0);
    // Runs a recurrent network on the rows of the burn-in, from the stored state. Later passes of this
    // network begin with its state after these rows.
    Result<> burnIn(std::size_t net, const Params& params);
    // Runs a network on the first `count` rows after the burn-in; the result is heads(net). Gathers their
    // observations and, for recurrent networks, states, `first` flags, previous actions and rewards, unless
    // an earlier pass has gathered them. `action` [count, action_words]: for networks with an action input,
    // valid until the next forward(). error: kNonFinite (names observation or output); from the engine.
    Result<> forward(std::size_t net, const Params& params, std::size_t count, Keep keep,
                     const float* action = nullptr);
    // Like forward(), for the rows from which the first `count` rows bootstrap. Call chunk() first.
    Result<> forwardSuccessors(std::size_t net, const Params& params, std::size_t count,
                               const float* action = nullptr);
    // Adds the gradient of the last forward() with Keep::tape to `lane`, unless it is empty, and writes the
    // gradient of the action to `d_action`, unless it is null. error: from the engine.
    Result<> backward(std::size_t net, const float* gradients, const LaneRef& lane,
                      float* d_action = nullptr);

    // The fields of the rows after the burn-in; advantage and target may be null. `rows_ahead` as in
    // LearnPlan. `successors`: finds the rows from which n-step returns bootstrap.
    Chunk chunk(int rows_ahead, bool successors);
    const float* heads(std::size_t net) const { return heads_[net].data(); }
    // Number of rows of the last forward().
    std::size_t headRows(std::size_t net) const { return head_rows_[net]; }
    // The batch row of the first training row.
    std::uint32_t firstRow() const { return rows_[burn_in_]; }
    std::uint32_t batchColumns() const { return static_cast<std::uint32_t>(batch_->columns); }
    std::size_t actionWords() const { return static_cast<std::size_t>(batch_->action_words); }
    // Head outputs of zeros, for use after an error.
    const float* zeroHeads(std::size_t net, std::size_t count);
    // A gradient buffer for the rows of the last forward(), set to zero.
    float* clearedGradients(std::size_t net);

    PhaseSeconds seconds;
    std::vector<PassRows> passes;  // by network

    // Bytes that a worker needs for chunks of `rows` rows, including activations.
    static std::size_t bytes(const std::vector<NetPlan>& nets, const std::vector<NetworkDecl>& decls,
                             const std::string& engine, std::size_t rows, int steps);

private:
    Result<> load(std::size_t count);
    Rows panelOf(std::size_t net, std::size_t begin, std::size_t count);
    void loadRecurrent(std::size_t count);
    void loadFirst();
    void findSuccessors(std::size_t count, int rows_ahead);
    Result<> gather(const std::vector<RowRef>& refs, std::size_t rows,
                    std::vector<std::vector<std::uint8_t>>& obs) const;
    struct Pass {
        const RowRef* refs = nullptr;   // elements of the panel's rows
        const float* action = nullptr;  // null unless it is an input
        float* state = nullptr;         // for the state after the last row, or null
    };
    Result<> run(std::size_t net, const Params& params, Rows& panel, const Pass& pass, Keep keep);

    const std::vector<LearnerNet>& nets_;
    const Spaces& spaces_;
    int state_words_ = 0;  // state size of the acting network; rings store its states
    bool recurrent_ = false, previous_ = false;
    std::vector<std::unique_ptr<NetContext>> contexts_;
    std::vector<std::uint32_t> rows_;
    std::vector<RowRef> refs_;
    const BatchSource* source_ = nullptr;
    const Batch* batch_ = nullptr;
    int sequences_ = 0;
    std::size_t burn_in_ = 0;            // number of burn-in rows in all sequences
    std::size_t loaded_ = 0;             // number of rows whose observations are loaded
    std::vector<Rows> panel_;            // per network, of the pass with the tape; refer to the buffers below
    std::vector<Rows> successor_panel_;  // per network
    std::vector<std::vector<float*>> input_gradient_;  // per network, as in NetContext::backward
    std::vector<bool> stored_;                         // per network: reads the state that rings store
    std::vector<bool> burned_;                         // per network: burned_state_ is set
    std::vector<std::vector<float>> burned_state_;
    std::vector<std::vector<std::uint8_t>> obs_;
    std::vector<RowRef> successors_;
    bool successors_loaded_ = false;
    std::vector<std::vector<std::uint8_t>> successor_obs_;
    std::vector<std::uint8_t> successor_mask_;
    std::vector<float> weight_;
    std::vector<float> no_action_;
    std::vector<float> state_, zero_state_, previous_action_, previous_reward_;
    std::vector<float> action_, log_prob_, policy_, value_, reward_, discount_, advantage_, target_,
        second_target_;
    std::vector<std::uint8_t> valid_, first_, mask_;
    std::vector<std::vector<float>> heads_, gradients_;
    std::vector<std::size_t> head_rows_;
};

}  // namespace seedbed
