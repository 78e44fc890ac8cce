// SPDX-License-Identifier: Apache-2.0
#include "core/learn/chunk_step.hpp"

#include "core/learn/size.hpp"

namespace seedbed {

ChunkStep::ChunkStep(ChunkWorker& worker, const std::vector<LearnerNet>& nets,
                     std::vector<LearningNet>& states, const Minibatch& minibatch, int rows_ahead,
                     std::size_t lane, double* sums, float* priorities)
    : Step(sums), worker_(worker), nets_(nets), states_(states), lane_(lane) {
    chunk_ = worker.chunk(rows_ahead);
    priorities_ = priorities;
    chunk_.valid_rows = minibatch.valid_rows;
    chunk_.advantage_mean = minibatch.advantage_mean;
    chunk_.advantage_std = minibatch.advantage_std;
    learned_rows_ = size(chunk_.learned) * size(chunk_.sequences);
}

Step::Heads ChunkStep::forward(std::size_t net, const Inputs& inputs, Keep keep) {
    const std::size_t rows = inputs.part == Part::all ? size(chunk_.rows()) : learned_rows_;
    const NetPlan* plan = &nets_[net].engine->plan();
    const Params& params = states_[net].current();
    SEEDBED_CHECK(inputs.part != Part::successors || keep == Keep::nothing, "successors have no tape");
    if (status_)
        status_ = inputs.part == Part::successors ? worker_.forwardSuccessors(net, params, rows)
                                                  : worker_.forward(net, params, rows, keep);
    return {plan, status_ ? worker_.heads(net) : worker_.zeroHeads(net, rows), rows};
}

void ChunkStep::backward(std::size_t net, const float* gradients) {
    SEEDBED_CHECK(nets_[net].decl.trained, "gradients of a network that is not trained");
    if (status_) status_ = worker_.backward(net, gradients, states_[net].lanes.lane(lane_));
}

}  // namespace seedbed
