// SPDX-License-Identifier: Apache-2.0
// The shards of a batch: blocks of neighbouring columns, each with its own shuffle streams, an equal share of
// every minibatch, its own lanes and its own sums. Results of shards are merged in a fixed order, so that a
// shard may belong to any rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/thread.hpp"
#include "core/learn/collective.hpp"
#include "core/learn/explained_variance.hpp"
#include "core/learn/lanes.hpp"
#include "core/learn/minibatches.hpp"
#include "core/nn/popart.hpp"

namespace seedbed {

// The chunks that one lane sums.
struct LaneWork {
    std::size_t shard = 0;  // of this rank
    Part chunks{0, 0};
};

// The shards that this rank owns, all of them without a collective. Thread: the learner's; chunkRows(): any,
// between changes.
class Shards {
public:
    // `shards`: of all ranks; a multiple of the number of ranks. `collective` may be null.
    Shards(const CutOptions& options, int shards, std::shared_ptr<Collective> collective);

    std::size_t owned() const { return cuts_.size(); }
    // Whether the batch is divided into more than one shard.
    bool isDivided() const { return total_ > 1; }
    bool hasRanks() const { return collective_ != nullptr; }
    const Minibatches& sizes() const { return cuts_[0]; }
    Part columnsOf(std::size_t shard, std::size_t columns) const { return partOf(columns, owned(), shard); }

    // As in Minibatches, for every shard. `own`: the outcome of this rank so far; with ranks, an error of one
    // rank is returned by all.
    Result<bool> collect(const Batch& batch, const Result<>& own);
    Result<> shuffle(std::uint64_t update, int repeat, WorkerPool& pool);
    // Cuts the next minibatch. Its counts and statistics are those of all shards of all ranks.
    Result<> cut(const Batch& batch, int epoch, int index, const Result<>& own);
    const Minibatch& minibatch(std::size_t shard = 0) const { return minibatches_[shard]; }
    int chunkRows(const Batch& batch, const LaneWork& lane, std::size_t chunk,
                  std::vector<std::uint32_t>& rows) const {
        return cuts_[lane.shard].chunkRows(batch, minibatches_[lane.shard], chunk, rows);
    }
    // The lanes of the minibatch, shard by shard, and the number of chunks of the longest one.
    const std::vector<LaneWork>& lanes() const { return lanes_; }
    std::size_t longestLane() const { return longest_lane_; }

    // Adds the lanes and then the shards of all ranks; the sum is lanes.total() on every rank. Returns
    // whether it is finite.
    Result<bool> sum(Lanes& lanes, WorkerPool& pool);
    // Gathers a block of numbers per owned shard from all ranks: all shards in order.
    Result<> gather(std::span<const double> blocks, std::vector<double>& all, const Result<>& own = {}) const;
    // Adds the sums of lanes, `stride` apart, per shard and then those of all shards, in order: sums
    // [metrics].
    Result<> sumMetrics(const std::vector<double>& lane_sums, std::size_t stride, std::vector<double>& sums,
                        const Result<>& own);
    Result<ValueMoments> valueMomentsOf(const Batch& batch) const;
    // Adds moments of all shards, in order.
    Result<TargetMoments> add(std::span<const TargetMoments> moments, const Result<>& own) const;

private:
    void mergeStatistics(const std::vector<double>& all);

    std::size_t total_;
    std::shared_ptr<Collective> collective_;
    std::vector<Minibatches> cuts_;        // per owned shard
    std::vector<Minibatch> minibatches_;   // per owned shard
    std::vector<std::size_t> lane_count_;  // per owned shard
    std::vector<LaneWork> lanes_;
    std::size_t longest_lane_ = 0;
    std::vector<double> blocks_, gathered_;
    std::vector<float> scratch_;
};

}  // namespace seedbed
