// SPDX-License-Identifier: Apache-2.0
// The learner: gathers a batch from windows, divides it into chunks, runs forward, loss and backward per
// chunk on all threads, sums the gradient lanes in a fixed tree and steps the optimisers. The result does not
// depend on the number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/algo/algorithm.hpp"
#include "core/base/os/time_budget.hpp"
#include "core/base/stop_grace.hpp"
#include "core/base/thread.hpp"
#include "core/learn/collective.hpp"
#include "core/learn/window_source.hpp"
#include "core/nn/engine.hpp"
#include "core/nn/optimiser.hpp"
#include "core/rollout/gather.hpp"
#include "core/rollout/goal.hpp"
#include "core/rollout/ring.hpp"

namespace seedbed {

struct LearnerOptions {
    // Rows per chunk, or the nearest number of whole columns. Affects the result.
    int chunk_rows = 128;
    // Maximum number of partial gradients; further chunks share them in order. Affects the result.
    int lanes = 32;
    std::uint64_t seed = 1;  // minibatch permutations: Philox (seed, minibatch, lane epoch, update)
    OptimiserParams optimiser{};
    // Blocks of neighbouring columns that every minibatch takes an equal share of; a power of two. Affects
    // the result.
    int shards = 1;
    // Connects the ranks that train together; each owns shards / ranks neighbouring shards, whose columns its
    // windows contain; all return the error of one. Null: all shards belong to this learner.
    std::shared_ptr<Collective> collective{};
    // Leaves out columns without valid rows, such as seats that the learner did not play.
    bool skips_columns = false;
    // Computes the rewards of windows to which hindsight assigns a goal.
    std::optional<GoalScore> goal{};
};

// A compiled network of the algorithm.
struct LearnerNet {
    NetworkDecl decl;
    std::shared_ptr<EngineNet> engine;
    Params params;
};

// Rows that one network computed, including repeated rows.
struct PassRows {
    std::uint64_t forward = 0;
    std::uint64_t backward = 0;     // gradients of parameters, and of inputs if requested
    std::uint64_t action_only = 0;  // backward passes for the gradient of an action alone

    PassRows& operator+=(const PassRows& other) {
        forward += other.forward;
        backward += other.backward;
        action_only += other.action_only;
        return *this;
    }
};

struct UpdateStats {
    // By name: Algorithm::metrics(), grad/norm, value/explained_variance, optimiser/learning_rate.
    std::vector<std::pair<std::string, double>> metrics;
    // Thread-seconds by phase.
    double gather_s = 0, targets_s = 0, forward_s = 0, loss_s = 0, backward_s = 0, optimiser_s = 0;
    std::uint64_t minibatches = 0;
    std::vector<PassRows> passes;  // by network
    bool stepped = false;          // false if no row was valid, so that parameters are unchanged
};

// Runs updates. Thread: one owner; updates use the pool's threads.
class Learner {
public:
    static Result<std::unique_ptr<Learner>> create(std::unique_ptr<Algorithm> algorithm,
                                                   std::vector<LearnerNet> nets, LearnerOptions options);
    virtual ~Learner() = default;

    // Begins an update on the windows that `source` provides, of LearnPlan::windowRows() rows. The arguments
    // must stay valid, and the rows pinned by the caller, until the update is complete. Row t0 + length must
    // have its observation and `first`; recurrent networks need a state stored at t0. Rows with version <
    // oldest_version are masked.
    virtual void begin(const std::vector<Ring*>& rings, WindowSource& source, const Progress& progress,
                       WorkerPool& pool, std::uint64_t oldest_version = 0,
                       const StopGrace* grace = nullptr) = 0;
    // Continues the update, chunk by chunk, while the next one fits into `budget`, but at least with one. The
    // result does not depend on the budgets. Returns nullopt if the update continues in the next call. error,
    // which ends the update: kNonFinite: the parameters are those before the failing minibatch; interrupted:
    // `grace` expired, nothing has changed; kRankLost: see endCut().
    virtual Result<std::optional<UpdateStats>> pump(const TimeBudget& budget) = 0;
    // A whole update: begin() and pump() without a limit.
    Result<UpdateStats> update(const std::vector<Ring*>& rings, WindowSource& source,
                               const Progress& progress, WorkerPool& pool, std::uint64_t oldest_version = 0,
                               const StopGrace* grace = nullptr) {
        begin(rings, source, progress, pool, oldest_version, grace);
        SEEDBED_ASSIGN(std::optional<UpdateStats> stats, pump(TimeBudget::unlimited()));
        return std::move(*stats);
    }
    // As above, for one pass over the given windows.
    Result<UpdateStats> update(const std::vector<Ring*>& rings, const std::vector<Window>& windows,
                               const Progress& progress, WorkerPool& pool, std::uint64_t oldest_version = 0,
                               const StopGrace* grace = nullptr) {
        FreshWindows source(windows);
        return update(rings, source, progress, pool, oldest_version, grace);
    }

    // After kRankLost: completes the update with the optimiser steps that are done.
    virtual void endCut() = 0;
    // Optimiser steps in the whole run of the network that steps most often.
    virtual std::uint64_t optimiserSteps() const = 0;

    // The parameters of network `index` after the last update; immutable. Thread: the owner's, between
    // updates.
    virtual Params params(std::size_t index = 0) = 0;
    virtual const Algorithm& algorithm() const = 0;
    virtual std::size_t networkCount() const = 0;
    virtual const NetworkDecl& network(std::size_t index) const = 0;
    // The compiled plan of network `index`, with its spec.
    virtual const NetPlan& networkPlan(std::size_t index) const = 0;
    // Saves or loads optimiser moments, algorithm state and update counter. Parameters are stored by the
    // checkpoint and restored with setParams().
    virtual void archive(Archive& archive) = 0;
    virtual void setParams(std::size_t index, Params params) = 0;
    // Applies the live settings of the algorithm. Call it only between updates.
    virtual void setLive(const Json& algo_params) = 0;
};

}  // namespace seedbed
