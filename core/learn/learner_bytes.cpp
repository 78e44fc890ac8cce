// SPDX-License-Identifier: Apache-2.0
#include "core/learn/learner_bytes.hpp"

#include <algorithm>

#include "core/learn/chunk_worker.hpp"
#include "core/learn/minibatches.hpp"
#include "core/learn/size.hpp"

namespace seedbed {

std::size_t learnerBytes(const LearnerNeed& need) {
    const LearnPlan plan = need.algorithm.plan();
    const std::vector<NetworkDecl> decls = need.algorithm.networks();
    const NetPlan& acting = need.nets[0];
    const Spaces& spaces = acting.spec.spaces;
    const PlanHead* policy = acting.head("policy");
    const bool recurrent =
        std::ranges::any_of(need.nets, [](const NetPlan& net) { return net.state_words > 0; });
    const CutOptions cut =
        cutOptions(plan, recurrent, need.options.chunk_rows, need.options.lanes, need.options.seed);
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
    const int steps = recurrent ? plan.burnIn() + plan.learnedRows() + plan.rows_ahead : 1;
    bytes += size(need.threads) * ChunkWorker::bytes(need.nets, need.engine, chunk_rows, steps);
    // The observations of successors.
    for (const ObsLeaf& leaf : spaces.obs)
        if (plan.replay && plan.rows_ahead > 0 && !plan.replay->unrolls)
            bytes += size(need.threads) * chunk_rows * leaf.bytes() * size(leaf.stack);
    const std::size_t minibatch_rows = (rows + size(plan.minibatches) - 1) / size(plan.minibatches),
                      lanes = std::clamp<std::size_t>((minibatch_rows + chunk_rows - 1) / chunk_rows, 1,
                                                      size(need.options.lanes));
    for (std::size_t net = 0; net < need.nets.size(); ++net) {
        const std::size_t blob = need.nets[net].param_floats * sizeof(float);
        // The working copy; for trained networks also the lanes, two moments, and the copies of the moments
        // that an abandoned update restores.
        bytes += blob + (decls[net].trained ? (lanes + 4) * blob : 0);
    }
    return bytes;
}

}  // namespace seedbed
