// SPDX-License-Identifier: Apache-2.0
// Shuffling and division of a batch, and the advantage statistics of a minibatch.
#include "core/learn/minibatches.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/rng.hpp"
#include "core/learn/size.hpp"

namespace seedbed {

namespace {

// With fewer sequences, the products of a recurrent step are little more than matrix-vector products.
constexpr int kRecurrentColumns = 16;
// The minimum number of rows in a chunk of a minibatch from a replay; products of fewer rows are slow.
constexpr int kReplayRows = 16;

// Shuffle streams per shard: more than the largest number of passes times epochs.
constexpr std::size_t kShardLanes = std::size_t{1} << 20;

// The minibatches of a replay are small; each is divided into at least two chunks, so that two threads can
// share it.
int replayChunkRows(const ReplayPlan& replay, int chunk_rows) {
    const std::int64_t half = (std::int64_t{replay.batch} * replay.sequence + 1) / 2;
    return static_cast<int>(std::min<std::int64_t>(chunk_rows, std::max<std::int64_t>(kReplayRows, half)));
}

bool hasValidRow(const Batch& batch, std::uint32_t column) {
    for (std::size_t row = column; row < size(batch.rows()); row += size(batch.columns))
        if (batch.valid[row] != 0) return true;
    return false;
}

}  // namespace

CutOptions cutOptions(const LearnPlan& plan, bool recurrent, const LearnerOptions& learner) {
    return {
        .columns = plan.unit == LearnPlan::Unit::columns || plan.rows_ahead > 0 || plan.replay || recurrent,
        .rows_ahead = plan.rows_ahead,
        .burn_in = plan.burnIn(),
        .min_columns = plan.replay && recurrent ? kRecurrentColumns : 1,
        .replay = plan.replay.has_value(),
        .chunk_rows = plan.replay ? replayChunkRows(*plan.replay, learner.chunk_rows) : learner.chunk_rows,
        .lanes = learner.lanes,
        .epochs = plan.epochs,
        .minibatches = plan.minibatches,
        .skips_columns = learner.skips_columns,
        .seed = learner.seed};
}

bool Minibatches::collect(const Batch& batch, Part columns) {
    units_.clear();
    if (options_.columns) {
        units_.resize(columns.size());
        std::iota(units_.begin(), units_.end(), static_cast<std::uint32_t>(columns.begin));
        const auto is_empty = [&](std::uint32_t column) { return !hasValidRow(batch, column); };
        if (options_.skips_columns) std::erase_if(units_, is_empty);
        return !std::ranges::all_of(units_, is_empty);
    }
    units_.reserve(columns.size() * size(batch.steps));
    const std::size_t width = size(batch.columns);
    for (std::size_t first = 0; first < size(batch.rows()); first += width)
        for (std::size_t row = first + columns.begin; row < first + columns.end; ++row)
            if (batch.valid[row] != 0) units_.push_back(static_cast<std::uint32_t>(row));
    return !units_.empty();
}

Result<> Minibatches::shuffle(std::uint64_t update, int repeat, WorkerPool& pool) {
    if (options_.replay) {
        for (auto& order : order_) order.assign(units_.begin(), units_.end());
        return {};
    }
    const struct {
        Minibatches* self;
        std::uint64_t update;
        std::size_t first_lane;
    } work{this, update, size(repeat) * order_.size() + size(options_.shard) * kShardLanes};
    return pool.run(order_.size(), [&work](std::size_t epoch, int) -> Result<> {
        std::vector<std::uint32_t>& order = work.self->order_[epoch];
        order.assign(work.self->units_.begin(), work.self->units_.end());
        Rng rng(work.self->options_.seed, RngPurpose::minibatch,
                static_cast<std::uint32_t>(work.first_lane + epoch), work.update << 32);
        for (std::size_t i = order.size(); i > 1; --i)
            std::swap(order[i - 1], order[rng.below(static_cast<std::uint32_t>(i))]);
        return {};
    });
}

std::size_t Minibatches::columnsPerChunk(int steps) const {
    return static_cast<std::size_t>(
        std::max(1L, std::lround(static_cast<double>(options_.chunk_rows) / steps)));
}

// The number of parts of nearly equal size with at most `per_chunk` columns each, but at least min_columns.
std::size_t Minibatches::chunksOf(std::size_t columns, std::size_t per_chunk) const {
    const std::size_t most = std::max<std::size_t>(1, columns / size(options_.min_columns));
    return std::min((columns + per_chunk - 1) / per_chunk, most);
}

std::size_t Minibatches::rowsPerChunk(int steps, int columns) const {
    if (!options_.columns) return std::min(size(options_.chunk_rows), size(steps) * size(columns));
    const std::size_t per_chunk = columnsPerChunk(options_.replay ? steps : sequenceRows(steps));
    // Minibatches differ by at most one column, and so do the chunks of each.
    const std::size_t minibatches = size(options_.minibatches);
    std::size_t most = 1;
    for (const std::size_t part :
         {size(columns) / minibatches, (size(columns) + minibatches - 1) / minibatches}) {
        const std::size_t chunks = std::max<std::size_t>(1, chunksOf(part, per_chunk));
        most = std::max(most, (part + chunks - 1) / chunks);
    }
    return most * size(sequenceRows(steps));
}

std::size_t Minibatches::mostChunks(int steps, int columns) const {
    const std::size_t minibatches = size(options_.minibatches);
    const auto part = [&](std::size_t count) { return (count + minibatches - 1) / minibatches; };
    if (options_.columns)
        return chunksOf(part(size(columns)), columnsPerChunk(options_.replay ? steps : sequenceRows(steps)));
    const std::size_t rows = part(size(steps) * size(columns));
    return (rows + size(options_.chunk_rows) - 1) / size(options_.chunk_rows);
}

Minibatch Minibatches::minibatch(const Batch& batch, int epoch, int index) const {
    const std::vector<std::uint32_t>& order = order_[size(epoch)];
    const Part range = partOf(order.size(), size(options_.minibatches), size(index));
    Minibatch cut{.units = order.data() + range.begin, .count = range.size()};
    const std::size_t per_chunk =
        options_.columns
            ? columnsPerChunk(static_cast<int>(options_.replay ? learnedOf(batch) : stepsOf(batch)))
            : size(options_.chunk_rows);
    cut.chunks = options_.columns ? chunksOf(cut.count, per_chunk) : (cut.count + per_chunk - 1) / per_chunk;
    cut.lanes = std::min(cut.chunks, size(options_.lanes));

    const std::size_t columns = size(batch.columns), steps = options_.columns ? learnedOf(batch) : 1,
                      burn_in = size(options_.burn_in);
    cut.steps = steps;
    const bool advantages = !batch.advantage.empty() && cut.count > 0;
    // Shifted by one of the values, to avoid cancellation in the squares.
    const double shift = advantages ? batch.advantage[cut.units[0]] : 0.0;
    double sum = 0, squares = 0;
    std::size_t valid = 0;
    for (std::size_t i = 0; i < cut.count; ++i)
        for (std::size_t t = 0; t < steps; ++t) {
            const std::size_t row = (burn_in + t) * columns + cut.units[i];
            if (batch.valid[row] == 0) continue;
            ++valid;
            if (!advantages) continue;
            const double value = batch.advantage[row] - shift;
            sum += value;
            squares += value * value;
        }
    cut.valid_rows = static_cast<double>(valid);
    if (advantages && valid > 0) {
        const double mean = sum / cut.valid_rows;
        cut.advantage_mean = mean + shift;
        cut.advantage_std = std::sqrt(std::max(0.0, squares / cut.valid_rows - mean * mean));
    }
    return cut;
}

int Minibatches::chunkRows(const Batch& batch, const Minibatch& minibatch, std::size_t chunk,
                           std::vector<std::uint32_t>& rows) const {
    const Part range = partOf(minibatch.count, minibatch.chunks, chunk);
    const std::uint32_t* units = minibatch.units + range.begin;
    if (!options_.columns) {
        rows.assign(units, units + range.size());
        return static_cast<int>(range.size());
    }
    const auto steps = static_cast<std::uint32_t>(stepsOf(batch)),
               columns = static_cast<std::uint32_t>(batch.columns);
    rows.clear();
    for (std::uint32_t t = 0; t < steps; ++t)
        for (std::size_t s = 0; s < range.size(); ++s) rows.push_back(t * columns + units[s]);
    return static_cast<int>(range.size());
}

}  // namespace seedbed
