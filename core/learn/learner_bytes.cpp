// SPDX-License-Identifier: Apache-2.0
#include "core/learn/learner_bytes.hpp"

#include <algorithm>

#include "core/learn/chunk_worker.hpp"
#include "core/learn/minibatches.hpp"
#include "core/learn/size.hpp"

namespace seedbed {
namespace {

bool isRecurrent(const LearnerNeed& need) {
    return std::ranges::any_of(need.nets, [](const NetPlan& net) { return net.state_words > 0; });
}

std::size_t lanesOf(const LearnerNeed& need) {
    const LearnPlan plan = need.algorithm.plan();
    const Minibatches minibatches(cutOptions(plan, isRecurrent(need), need.options));
    const int columns = plan.replay ? plan.replay->batch : need.columns;
    const std::size_t chunks = minibatches.mostChunks(plan.learnedRows(), columns);
    return std::max(size(need.options.shards), std::clamp<std::size_t>(chunks, 1, size(need.options.lanes)));
}

}  // namespace

std::size_t learnerDeviceBytes(const LearnerNeed& need) {
    const std::vector<NetworkDecl> decls = need.algorithm.networks();
    std::size_t floats = 0;
    for (std::size_t net = 0; net < need.nets.size(); ++net)
        if (decls[net].trained) floats += (lanesOf(need) + 2) * need.nets[net].param_floats;
    return floats * sizeof(float);
}

std::size_t learnerBytes(const LearnerNeed& need) {
    const LearnPlan plan = need.algorithm.plan();
    const std::vector<NetworkDecl> decls = need.algorithm.networks();
    const NetPlan& acting = need.nets[0];
    const Spaces& spaces = acting.spec.spaces;
    const PlanHead* policy = acting.head("policy");
    const bool recurrent = isRecurrent(need);
    const CutOptions cut = cutOptions(plan, recurrent, need.options);
    const Minibatches minibatches(cut);
    const int columns = plan.replay ? plan.replay->batch : need.columns;
    const std::size_t rows = size(plan.windowRows()) * size(columns);
    // The batch and the order of its units in every epoch.
    std::size_t bytes =
        rows *
        (sizeof(float) * (size(spaces.actionWords()) + (policy == nullptr ? 0 : size(policy->width)) + 7) +
         size(spaces.maskBytes()) + 2);
    bytes += (cut.columns ? size(columns) : rows) * sizeof(std::uint32_t) * size(plan.epochs + 1);
    bytes += need.algorithm.batchBytes(acting, rows, need.lagging);
    const std::size_t chunk_rows = minibatches.rowsPerChunk(plan.learnedRows(), columns);
    const std::size_t chunks = minibatches.mostChunks(plan.learnedRows(), columns);
    const int sequence = plan.burnIn() + plan.learnedRows() + plan.rows_ahead,
              steps = recurrent ? sequence : 1;
    // Batches of a replay are only run in chunks; other batches may also be evaluated by all threads.
    const std::size_t workers = plan.replay ? std::min(size(need.threads), chunks) : size(need.threads);
    // Networks without memory run on the training rows of a replay and then on their successors.
    const bool successors = plan.replay && plan.rows_ahead > 0 && !plan.replay->unrolls;
    const std::size_t network_rows =
        successors ? chunk_rows / size(sequence) * size(plan.learnedRows()) : chunk_rows;
    bytes += workers * ChunkWorker::bytes(need.nets, decls, need.engine, network_rows, steps);
    for (const ObsLeaf& leaf : spaces.obs)
        if (successors) bytes += workers * network_rows * leaf.bytes() * size(leaf.stack);
    const std::size_t lanes = lanesOf(need);
    for (std::size_t net = 0; net < need.nets.size(); ++net) {
        const std::size_t blob = need.nets[net].param_floats * sizeof(float);
        // The working copy; for trained networks also the lanes, two moments, and the copies of the moments
        // that an abandoned update restores.
        bytes += blob + (decls[net].trained ? (lanes + 4) * blob : 0);
    }
    return bytes;
}

}  // namespace seedbed
