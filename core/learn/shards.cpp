// SPDX-License-Identifier: Apache-2.0
#include "core/learn/shards.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/base/finite.hpp"
#include "core/learn/size.hpp"

namespace seedbed {
namespace {

// Valid rows, mean and squared deviations of the advantages of a minibatch in one shard.
constexpr std::size_t kStatistics = 3;

}  // namespace

Shards::Shards(const CutOptions& options, int shards, std::shared_ptr<Collective> collective)
    : total_(size(shards)), collective_(std::move(collective)) {
    const std::size_t ranks = collective_ ? size(collective_->ranks()) : 1,
                      rank = collective_ ? size(collective_->rank()) : 0;
    SEEDBED_CHECK(total_ % ranks == 0, "every rank owns the same number of shards");
    const std::size_t owned = total_ / ranks;
    CutOptions of_shard = options;
    of_shard.lanes = std::max(1, options.lanes / shards);
    for (std::size_t shard = 0; shard < owned; ++shard) {
        of_shard.shard = static_cast<int>(rank * owned + shard);
        cuts_.emplace_back(of_shard);
    }
    minibatches_.resize(owned);
}

Result<bool> Shards::collect(const Batch& batch, const Result<>& own) {
    bool any = false;
    for (std::size_t shard = 0; own && shard < owned(); ++shard)
        any |= cuts_[shard].collect(batch, columnsOf(shard, size(batch.columns)));
    if (!hasRanks()) {
        SEEDBED_TRY(Result<>(own));
        return any;
    }
    const double mine = any ? 1 : 0;
    std::vector<double> all;
    SEEDBED_TRY(gatherAll(*collective_, own, std::span(&mine, 1), all));
    return std::ranges::any_of(all, [](double found) { return found != 0; });
}

Result<> Shards::shuffle(std::uint64_t update, int repeat, WorkerPool& pool) {
    for (Minibatches& cut : cuts_) SEEDBED_TRY(cut.shuffle(update, repeat, pool));
    return {};
}

Result<> Shards::cut(const Batch& batch, int epoch, int index, const Result<>& own) {
    blocks_.assign(owned() * kStatistics, 0.0);
    lanes_.clear();
    lane_count_.clear();
    longest_lane_ = 0;
    for (std::size_t shard = 0; own && shard < owned(); ++shard) {
        Minibatch& part = minibatches_[shard] = cuts_[shard].minibatch(batch, epoch, index);
        // A shard without rows has an empty lane.
        if (isDivided()) part.lanes = std::max<std::size_t>(1, part.lanes);
        for (std::size_t lane = 0; lane < part.lanes; ++lane) {
            lanes_.push_back({shard, partOf(part.chunks, part.lanes, lane)});
            longest_lane_ = std::max(longest_lane_, lanes_.back().chunks.size());
        }
        lane_count_.push_back(part.lanes);
        double* of_shard = &blocks_[shard * kStatistics];
        of_shard[0] = part.valid_rows;
        of_shard[1] = part.advantage_mean;
        of_shard[2] = part.valid_rows * part.advantage_std * part.advantage_std;
    }
    if (!isDivided()) return own;
    SEEDBED_TRY(gather(blocks_, gathered_, own));
    mergeStatistics(gathered_);
    return {};
}

// Chan, Golub & LeVeque 1979, equations 2.1.
void Shards::mergeStatistics(const std::vector<double>& all) {
    double count = 0, mean = 0, squares = 0;
    for (std::size_t at = 0; at < all.size(); at += kStatistics) {
        const double rows = all[at];
        if (rows == 0) continue;
        const double total = count + rows, delta = all[at + 1] - mean;
        squares += all[at + 2] + delta * delta * count * rows / total;
        mean += delta * rows / total;
        count = total;
    }
    for (Minibatch& part : minibatches_) {
        part.advantage_mean = mean;
        // Without advantages every shard has a mean of 0 and a deviation of 1.
        part.advantage_std = count > 0 ? std::sqrt(squares / count) : 1;
        part.valid_rows = count;
    }
}

Result<bool> Shards::sum(Lanes& lanes, WorkerPool& pool) {
    const bool finite = lanes.sum(lane_count_, pool);
    if (!hasRanks()) return finite;
    std::vector<float>& total = lanes.total();
    SEEDBED_TRY(sumInTree(*collective_, total, scratch_));
    return firstNonFinite(total.data(), total.size()) == total.size();
}

Result<> Shards::gather(std::span<const double> blocks, std::vector<double>& all, const Result<>& own) const {
    if (hasRanks()) return gatherAll(*collective_, own, blocks, all);
    all.assign(blocks.begin(), blocks.end());
    return own;
}

Result<> Shards::sumMetrics(const std::vector<double>& lane_sums, std::size_t stride,
                            std::vector<double>& sums, const Result<>& own) {
    const std::size_t metrics = sums.size();
    blocks_.assign(owned() * metrics, 0.0);
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane)
        for (std::size_t i = 0; i < metrics; ++i)
            blocks_[lanes_[lane].shard * metrics + i] += lane_sums[lane * stride + i];
    SEEDBED_TRY(gather(blocks_, gathered_, own));
    std::fill(sums.begin(), sums.end(), 0.0);
    for (std::size_t at = 0; at < gathered_.size(); ++at) sums[at % metrics] += gathered_[at];
    return {};
}

Result<ValueMoments> Shards::valueMomentsOf(const Batch& batch) const {
    if (!isDivided()) return valueMoments(batch, {0, size(batch.columns)});
    constexpr std::size_t kNumbers = sizeof(ValueMoments) / sizeof(double);
    std::vector<double> blocks(owned() * kNumbers), all;
    for (std::size_t shard = 0; shard < owned(); ++shard) {
        const ValueMoments of_shard = valueMoments(batch, columnsOf(shard, size(batch.columns)));
        std::memcpy(&blocks[shard * kNumbers], &of_shard, sizeof of_shard);
    }
    SEEDBED_TRY(gather(blocks, all));
    ValueMoments total;
    for (std::size_t at = 0; at < all.size(); at += kNumbers) {
        ValueMoments of_shard;
        std::memcpy(static_cast<void*>(&of_shard), &all[at], sizeof of_shard);
        // A merge would round the moments of the first shard.
        if (total.count == 0) total = of_shard;
        else total.merge(of_shard);
    }
    return total;
}

Result<TargetMoments> Shards::add(std::span<const TargetMoments> moments, const Result<>& own) const {
    if (!isDivided()) {
        SEEDBED_TRY(Result<>(own));
        return moments.empty() ? TargetMoments{} : moments[0];
    }
    std::vector<double> blocks(owned() * 3, 0.0), all;
    for (std::size_t shard = 0; shard < moments.size() && shard < owned(); ++shard) {
        blocks[shard * 3] = moments[shard].count;
        blocks[shard * 3 + 1] = moments[shard].sum;
        blocks[shard * 3 + 2] = moments[shard].squares;
    }
    SEEDBED_TRY(gather(blocks, all, own));
    TargetMoments total;
    for (std::size_t at = 0; at < all.size(); at += 3) {
        total.count += all[at];
        total.sum += all[at + 1];
        total.squares += all[at + 2];
    }
    return total;
}

}  // namespace seedbed
