// SPDX-License-Identifier: Apache-2.0
// How a batch is cut: epochs into shuffled minibatches, minibatches into chunks, chunks onto lanes; all by
// configuration, none by threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/algo/algorithm.hpp"
#include "core/base/thread.hpp"

namespace seedbed {

// What the tasks of one minibatch share. Its units are batch rows, or whole columns.
struct Minibatch {
    const std::uint32_t* units = nullptr;
    std::size_t count = 0;
    std::size_t chunks = 0, lanes = 0;
    double valid_rows = 0;  // 0: there is nothing to learn from it
    double advantage_mean = 0, advantage_std = 1;
};

struct CutOptions {
    bool columns = false;        // units are columns
    bool bootstrap_row = false;  // chunks carry row T
    int chunk_rows = 128, lanes = 32;
    int epochs = 1, minibatches = 1;
    std::uint64_t seed = 1;
};

// [begin, end) of part `index` when `count` things are cut into `parts` nearly equal ones.
struct Part {
    std::size_t begin, end;
    std::size_t size() const { return end - begin; }
};
inline Part partOf(std::size_t count, std::size_t parts, std::size_t index) {
    return {count * index / parts, count * (index + 1) / parts};
}

// Thread: one owner; chunkRows() any, between changes.
class Minibatches {
public:
    explicit Minibatches(CutOptions options)
        : options_(options), order_(static_cast<std::size_t>(options.epochs)) {}

    // Finds the units that take part: rows with valid = 1, or all columns. False when no row counts.
    bool collect(const Batch& batch);
    // Fisher-Yates shuffles of all epochs, each from its own stream: Philox (seed, minibatch, lane epoch),
    // words from update * 2^32 on.
    Result<> shuffle(std::uint64_t update, WorkerPool& pool);
    Minibatch minibatch(const Batch& batch, int epoch, int index) const;
    // The batch rows of one chunk, time-major, and the number of its sequences.
    int chunkRows(const Batch& batch, const Minibatch& minibatch, std::size_t chunk,
                  std::vector<std::uint32_t>& rows) const;

    // Whole columns of `steps` rows in one chunk.
    std::size_t columnsPerChunk(int steps) const;
    // Rows of the largest chunk of windows of this length.
    std::size_t rowsPerChunk(int steps) const;

private:
    CutOptions options_;
    std::vector<std::uint32_t> units_;
    std::vector<std::vector<std::uint32_t>> order_;  // per epoch
};

}  // namespace seedbed
