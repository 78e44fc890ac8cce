// SPDX-License-Identifier: Apache-2.0
// The learner: gathers a batch from windows, cuts it into chunks, runs forward, loss and backward per chunk
// on all threads, sums the lanes in a fixed tree and steps the optimisers. The result does not depend on the
// number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/algo/algorithm.hpp"
#include "core/base/thread.hpp"
#include "core/nn/engine.hpp"
#include "core/nn/optimiser.hpp"
#include "core/rollout/ring.hpp"

namespace seedbed {

struct LearnerOptions {
    int chunk_rows =
        128;  // rows per chunk (row units) or the nearest number of whole columns; part of the result
    int lanes =
        32;  // at most this many partial gradients; more chunks share them in order; part of the result
    std::uint64_t seed = 1;  // minibatch permutations: Philox (seed, minibatch, lane epoch, update)
    OptimiserParams optimiser;
};

// One network of the algorithm, compiled.
struct LearnerNet {
    NetworkDecl decl;
    std::shared_ptr<EngineNet> engine;
    Params params;
};

struct UpdateStats {
    std::vector<std::pair<std::string, double>>
        metrics;  // by name, averaged as Algorithm::metrics says, plus grad/norm, value/explained_variance,
                  // optimiser/learning_rate
    double gather_s = 0, targets_s = 0, forward_s = 0, loss_s = 0, backward_s = 0,
           optimiser_s = 0;  // thread-seconds by phase
    std::uint64_t minibatches = 0;
    bool stepped = false;  // false: no valid row, nothing changed
};

// Thread: one owner; update() uses the pool's threads.
class Learner {
public:
    static Result<std::unique_ptr<Learner>> create(std::unique_ptr<Algorithm> algorithm,
                                                   std::vector<LearnerNet> nets, LearnerOptions options);
    virtual ~Learner() = default;

    // One update on windows of equal length (LearnPlan::rollout_length), pinned by the caller; row t0 +
    // length of each column must hold its observation and `first`, and last_value comes from evaluating the
    // acting network there without sampling. Recurrent networks learn on whole columns and need the state
    // stored at t0. Besides its report an update allocates nothing once buffers have grown. error:
    // not-a-number in observations, rewards, logits, values, loss or gradients (names row and column,
    // network, parameter or metric); parameters then are those before the failing minibatch. Rows that
    // parameters with a version below `oldest_version` acted on are masked: they count as rows with valid =
    // 0.
    virtual Result<UpdateStats> update(const std::vector<Ring*>& rings, const std::vector<Window>& windows,
                                       const Progress& progress, WorkerPool& pool,
                                       std::uint64_t oldest_version = 0) = 0;

    // Newest published parameters of network `index`; an immutable value.
    virtual Params params(std::size_t index = 0) const = 0;
    virtual const Algorithm& algorithm() const = 0;
    virtual std::size_t networkCount() const = 0;
    virtual const NetworkDecl& network(std::size_t index) const = 0;
    // The compiled plan of network `index`, spec included.
    virtual const NetPlan& networkPlan(std::size_t index) const = 0;
    // Bytes that updates of this many rows on this many threads will need, computed before anything is
    // allocated.
    virtual std::size_t bytesNeeded(int rows, int threads = 1) const = 0;
    // Optimiser moments, algorithm state, update counter; parameters are saved by the checkpoint itself and
    // set back with setParams.
    virtual void archive(Archive& archive) = 0;
    virtual void setParams(std::size_t index, Params params) = 0;
    // Between updates: what is live of the algorithm's parameters.
    virtual void setLive(const Json& algo_params) = 0;
};

}  // namespace seedbed
