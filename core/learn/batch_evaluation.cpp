// SPDX-License-Identifier: Apache-2.0
#include "core/learn/batch_evaluation.hpp"

#include <algorithm>
#include <numeric>

#include "core/learn/size.hpp"

namespace seedbed {

std::size_t BatchEvaluation::begin(std::size_t net, bool last_row_only, float* heads) {
    const Batch& batch = parts_.batch;
    net_ = net;
    heads_ = heads;
    first_row_ = last_row_only ? size(batch.rows()) : 0;
    const std::size_t columns = size(batch.columns), steps = size(batch.steps + 1);
    const std::size_t items = parts_.by_columns ? columns : steps * columns - first_row_;
    per_task_ = parts_.by_columns ? parts_.minibatches.columnsPerChunk(batch.steps + 1) : parts_.chunk_rows;
    tasks_ = (items + per_task_ - 1) / per_task_;
    return tasks_;
}

std::size_t BatchEvaluation::headWords() const { return size(parts_.nets[net_].engine->plan().head_words); }

Result<> BatchEvaluation::run(std::size_t task, std::size_t thread) const {
    ChunkWorker& worker = *parts_.workers[thread];
    return parts_.by_columns ? runColumns(task, worker) : runRows(task, worker);
}

Result<> BatchEvaluation::runRows(std::size_t task, ChunkWorker& worker) const {
    const std::size_t rows = size((parts_.batch.steps + 1) * parts_.batch.columns) - first_row_;
    const std::size_t begin = task * per_task_, count = std::min(per_task_, rows - begin);
    worker.rows().resize(count);
    std::iota(worker.rows().begin(), worker.rows().end(), static_cast<std::uint32_t>(first_row_ + begin));
    worker.begin(parts_.source, parts_.batch, static_cast<int>(count));
    SEEDBED_TRY(worker.forward(net_, parts_.states[net_].current(), count, Keep::nothing));
    std::copy_n(worker.heads(net_), count * headWords(), heads_ + begin * headWords());
    return {};
}

Result<> BatchEvaluation::runColumns(std::size_t task, ChunkWorker& worker) const {
    const std::size_t columns = size(parts_.batch.columns), steps = size(parts_.batch.steps + 1);
    const std::size_t begin = task * per_task_, count = std::min(per_task_, columns - begin);
    worker.rows().clear();
    for (std::size_t t = 0; t < steps; ++t)
        for (std::size_t s = 0; s < count; ++s)
            worker.rows().push_back(static_cast<std::uint32_t>(t * columns + begin + s));
    worker.begin(parts_.source, parts_.batch, static_cast<int>(count));
    SEEDBED_TRY(worker.forward(net_, parts_.states[net_].current(), worker.rows().size(), Keep::nothing));
    const std::size_t words = headWords();
    for (std::size_t i = 0; i < worker.rows().size(); ++i)
        if (worker.rows()[i] >= first_row_)
            std::copy_n(worker.heads(net_) + i * words, words,
                        heads_ + (worker.rows()[i] - first_row_) * words);
    return {};
}

}  // namespace seedbed
