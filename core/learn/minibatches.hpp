// SPDX-License-Identifier: Apache-2.0
// Division of a batch: epochs into shuffled minibatches, minibatches into chunks, which are assigned to
// lanes. Depends on the configuration, not on the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/algo/algorithm.hpp"
#include "core/base/thread.hpp"
#include "core/learn/learner.hpp"

namespace seedbed {

// A minibatch. Its units are batch rows or whole columns.
struct Minibatch {
    const std::uint32_t* units = nullptr;
    std::size_t count = 0;
    std::size_t steps = 1;  // training rows per unit
    std::size_t chunks = 0, lanes = 0;
    double valid_rows = 0;  // 0 if there is nothing to learn from
    double advantage_mean = 0, advantage_std = 1;
};

struct CutOptions {
    bool columns = false;  // units are columns
    int rows_ahead = 0;    // chunks include this many rows after the training rows
    int burn_in = 0;       // chunks include this many rows before the training rows
    int min_columns = 1;   // minimum columns of a chunk, if the batch has enough
    bool replay = false;   // windows were drawn at random, so units keep their order; chunk sizes are in
                           // training rows
    int chunk_rows = 128, lanes = 32;
    int epochs = 1, minibatches = 1;
    bool skips_columns = false;  // units are only the columns with valid rows
    std::uint64_t seed = 1;
    int shard = 0;  // number of the shard whose units are cut; selects the shuffle streams
};

// Sequence losses, replays and recurrent networks use whole columns.
CutOptions cutOptions(const LearnPlan& plan, bool recurrent, const LearnerOptions& learner);

// Part `index` of `count` items that are divided into `parts` nearly equal parts: [begin, end).
struct Part {
    std::size_t begin, end;
    std::size_t size() const { return end - begin; }
};
inline Part partOf(std::size_t count, std::size_t parts, std::size_t index) {
    return {count * index / parts, count * (index + 1) / parts};
}

// Divides batches. Thread: one owner; chunkRows(): any, between changes.
class Minibatches {
public:
    explicit Minibatches(CutOptions options)
        : options_(options), order_(static_cast<std::size_t>(options.epochs)) {}

    // Collects the units among `columns` of the batch: rows with valid = 1, or columns. Returns false if no
    // row is valid.
    bool collect(const Batch& batch, Part columns);
    // Shuffles the units for every epoch (Fisher-Yates), each from its own stream: Philox (seed, minibatch,
    // lane epoch + repeat * epochs + shard * 2^20), starting at position update * 2^32. `repeat`: see
    // Batch::repeat.
    Result<> shuffle(std::uint64_t update, int repeat, WorkerPool& pool);
    Minibatch minibatch(const Batch& batch, int epoch, int index) const;
    // Writes the batch rows of a chunk, time-major, and returns the number of its sequences.
    int chunkRows(const Batch& batch, const Minibatch& minibatch, std::size_t chunk,
                  std::vector<std::uint32_t>& rows) const;

    // The preferred number of whole columns of `steps` rows per chunk.
    std::size_t columnsPerChunk(int steps) const;
    // The rows of the largest chunk of a batch of `columns` columns with `steps` training rows.
    std::size_t rowsPerChunk(int steps, int columns) const;
    // The largest number of chunks in a minibatch of a batch of this size.
    std::size_t mostChunks(int steps, int columns) const;

private:
    // Rows per sequence of a chunk with `steps` training rows.
    int sequenceRows(int steps) const { return options_.burn_in + steps + options_.rows_ahead; }
    // Rows per sequence of a chunk, and the number of training rows among them.
    std::size_t stepsOf(const Batch& batch) const {
        return static_cast<std::size_t>(batch.steps) + (options_.rows_ahead > 0 ? 1 : 0);
    }
    std::size_t learnedOf(const Batch& batch) const {
        return stepsOf(batch) - static_cast<std::size_t>(options_.rows_ahead + options_.burn_in);
    }
    std::size_t chunksOf(std::size_t columns, std::size_t per_chunk) const;

    CutOptions options_;
    std::vector<std::uint32_t> units_;
    std::vector<std::vector<std::uint32_t>> order_;  // per epoch
};

}  // namespace seedbed
