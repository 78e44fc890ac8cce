// SPDX-License-Identifier: Apache-2.0
// The learning step of one chunk on the learner's networks: runs the passes that the algorithm requests.
#pragma once

#include <cstddef>
#include <vector>

#include "core/algo/algorithm.hpp"
#include "core/learn/chunk_worker.hpp"
#include "core/learn/learning_net.hpp"
#include "core/learn/minibatches.hpp"

namespace seedbed {

class ChunkStep final : public Step {
public:
    // Values that all chunks of a minibatch share.
    struct Shared {
        const std::vector<LearnerNet>& nets;
        std::vector<LearningNet>& states;
        const Minibatch& minibatch;
        const LearnPlan& plan;
        std::uint64_t seed = 0;            // seed of the random numbers
        std::uint64_t optimiser_step = 0;  // number of steps before this minibatch
    };
    // `worker` has begun the chunk, whose gradients are added to `lane` of each trained network.
    ChunkStep(ChunkWorker& worker, const Shared& shared, std::size_t lane, double* sums, float* priorities);

    Heads forward(std::size_t net, const Inputs& inputs, Keep keep) override;
    float* gradients(std::size_t net) override { return worker_.clearedGradients(net); }
    void backward(std::size_t net, const float* gradients, bool parameters, float* d_action) override;
    bool isStepped(std::size_t net) const override {
        return isSteppedAt(shared_.nets[net].decl, shared_.optimiser_step);
    }
    // The first error of a pass.
    const Result<>& status() const { return status_; }

private:
    ChunkWorker& worker_;
    const Shared& shared_;
    std::size_t lane_, learned_rows_;
    Result<> status_;
};

}  // namespace seedbed
