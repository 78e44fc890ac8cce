// SPDX-License-Identifier: Apache-2.0
// Runs a network on all rows of a batch, or on its bootstrap rows only, in tasks of about one chunk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/learn/batch_gather.hpp"
#include "core/learn/chunk_worker.hpp"
#include "core/learn/learning_net.hpp"
#include "core/learn/minibatches.hpp"

namespace seedbed {

// The parts of the learner that an evaluation uses.
struct EvaluationParts {
    const std::vector<LearnerNet>& nets;
    const std::vector<LearningNet>& states;
    const Minibatches& minibatches;  // for sizes of chunks
    const BatchSource& source;
    const Batch& batch;
    std::vector<std::unique_ptr<ChunkWorker>>& workers;
    std::size_t chunk_rows = 128;
    bool by_columns = false;  // for recurrent networks, whose rows depend on earlier rows of their column
};

// Thread: begin(): the learner's; run(): any, one per worker.
class BatchEvaluation {
public:
    explicit BatchEvaluation(EvaluationParts parts) : parts_(parts) {}

    // `heads` [rows, head words] receives the outputs of network `net`, of the bootstrap rows only if
    // `last_row_only`. Returns the number of tasks.
    std::size_t begin(std::size_t net, bool last_row_only, float* heads);
    std::size_t tasks() const { return tasks_; }
    // error: kNonFinite; from the engine.
    Result<> run(std::size_t task, std::size_t thread) const;

private:
    Result<> runRows(std::size_t task, ChunkWorker& worker) const;
    Result<> runColumns(std::size_t task, ChunkWorker& worker) const;
    std::size_t headWords() const;

    EvaluationParts parts_;
    std::size_t net_ = 0, tasks_ = 0;
    std::size_t first_row_ = 0;
    std::size_t per_task_ = 1;  // rows or columns of a task
    float* heads_ = nullptr;
};

}  // namespace seedbed
