// SPDX-License-Identifier: Apache-2.0
#include "core/learn/chunk_step.hpp"

#include <algorithm>

#include "core/learn/size.hpp"

namespace seedbed {

ChunkStep::ChunkStep(ChunkWorker& worker, const Shared& shared, std::size_t lane, double* sums,
                     float* priorities)
    : Step(sums), worker_(worker), shared_(shared), lane_(lane) {
    const LearnPlan& plan = shared.plan;
    chunk_ = worker.chunk(plan.rows_ahead, plan.replay.has_value() && plan.rows_ahead > 0);
    priorities_ = priorities;
    chunk_.valid_rows = shared.minibatch.valid_rows;
    chunk_.advantage_mean = shared.minibatch.advantage_mean;
    chunk_.advantage_std = shared.minibatch.advantage_std;
    learned_rows_ = size(chunk_.learned) * size(chunk_.sequences);
    // The windows of a replay keep their order.
    if (plan.replay)
        place_ = Place{.seed = shared.seed,
                       .optimiser_step = shared.optimiser_step,
                       .first_row = worker.firstRow(),
                       .columns = worker.batchColumns()};
}

Step::Heads ChunkStep::forward(std::size_t net, const Inputs& inputs, Keep keep) {
    std::size_t rows = inputs.part == Part::all ? size(chunk_.rows()) : learned_rows_;
    if (inputs.part == Part::burn_in) rows = size(chunk_.burn_in) * size(chunk_.sequences);
    const NetPlan* plan = &shared_.nets[net].engine->plan();
    const Params& params = shared_.states[net].current();
    const bool has_tape = inputs.part == Part::rows || inputs.part == Part::all;
    SEEDBED_CHECK(has_tape || keep == Keep::nothing, "this part has no tape");
    if (status_) {
        if (has_tape) status_ = worker_.forward(net, params, rows, keep, inputs.action);
        else if (inputs.part == Part::burn_in) status_ = worker_.burnIn(net, params);
        else status_ = worker_.forwardSuccessors(net, params, rows, inputs.action);
    }
    return {plan, status_ ? worker_.heads(net) : worker_.zeroHeads(net, rows), rows};
}

void ChunkStep::backward(std::size_t net, const float* gradients, bool parameters, float* d_action) {
    SEEDBED_CHECK(!parameters || isStepped(net), "the network is not trained");
    const LaneRef lane = parameters ? shared_.states[net].lane(lane_) : LaneRef{};
    if (status_) status_ = worker_.backward(net, gradients, lane, d_action);
    if (!status_ && d_action != nullptr) std::fill_n(d_action, learned_rows_ * worker_.actionWords(), 0.0f);
}

}  // namespace seedbed
