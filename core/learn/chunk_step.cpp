// SPDX-License-Identifier: Apache-2.0
#include "core/learn/chunk_step.hpp"

#include "core/learn/size.hpp"

namespace seedbed {

ChunkStep::ChunkStep(ChunkWorker& worker, const std::vector<LearnerNet>& nets,
                     std::vector<LearningNet>& states, const Minibatch& minibatch, const LearnPlan& plan,
                     std::size_t lane, double* sums, float* priorities)
    : Step(sums), worker_(worker), nets_(nets), states_(states), lane_(lane) {
    chunk_ = worker.chunk(plan.rows_ahead, plan.replay.has_value() && plan.rows_ahead > 0);
    priorities_ = priorities;
    chunk_.valid_rows = minibatch.valid_rows;
    chunk_.advantage_mean = minibatch.advantage_mean;
    chunk_.advantage_std = minibatch.advantage_std;
    learned_rows_ = size(chunk_.learned) * size(chunk_.sequences);
}

Step::Heads ChunkStep::forward(std::size_t net, const Inputs& inputs, Keep keep) {
    std::size_t rows = inputs.part == Part::all ? size(chunk_.rows()) : learned_rows_;
    if (inputs.part == Part::burn_in) rows = size(chunk_.burn_in) * size(chunk_.sequences);
    const NetPlan* plan = &nets_[net].engine->plan();
    const Params& params = states_[net].current();
    const bool has_tape = inputs.part == Part::rows || inputs.part == Part::all;
    SEEDBED_CHECK(has_tape || keep == Keep::nothing, "this part has no tape");
    if (status_) {
        if (has_tape) status_ = worker_.forward(net, params, rows, keep);
        else if (inputs.part == Part::burn_in) status_ = worker_.burnIn(net, params);
        else status_ = worker_.forwardSuccessors(net, params, rows);
    }
    return {plan, status_ ? worker_.heads(net) : worker_.zeroHeads(net, rows), rows};
}

void ChunkStep::backward(std::size_t net, const float* gradients) {
    SEEDBED_CHECK(nets_[net].decl.trained, "gradients of a network that is not trained");
    if (status_) status_ = worker_.backward(net, gradients, states_[net].lanes.lane(lane_));
}

}  // namespace seedbed
