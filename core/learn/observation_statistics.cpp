// SPDX-License-Identifier: Apache-2.0
#include "core/learn/observation_statistics.hpp"

#include <algorithm>

#include "core/learn/size.hpp"
#include "core/nn/normaliser.hpp"

namespace seedbed {
namespace {

// Rows per merge.
constexpr std::size_t kRows = 4096;

}  // namespace

bool ObservationStatistics::hasStatistics(std::size_t net) const {
    return (nets_[net].decl.trained || nets_[net].decl.follow) &&
           nets_[net].engine->plan().spec.normalise_obs;
}

bool ObservationStatistics::any() const {
    bool found = false;
    for (std::size_t net = 0; net < nets_.size(); ++net) found |= hasStatistics(net);
    return found;
}

void ObservationStatistics::merge(int leaf, const ObservationMoments& moments, std::uint64_t& version) {
    for (std::size_t net = 0; net < nets_.size(); ++net) {
        if (!hasStatistics(net)) continue;
        updateNormaliser(nets_[net].engine->plan(), states_[net].working(), leaf, moments);
        states_[net].changed(version);
    }
}

template <class Merge>
void ObservationStatistics::read(int leaf, const std::vector<Ring*>& rings, const BatchSource& source,
                                 Part columns, const Merge& merge) {
    const std::size_t words = nets_[0].engine->plan().spec.spaces.obs[size(leaf)].elements(),
                      rows = size(source.steps()) * columns.size();
    values_.resize(std::max(values_.size(), std::min(kRows, rows) * words));
    std::size_t filled = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        const std::size_t row =
            i / columns.size() * size(source.columns()) + columns.begin + i % columns.size();
        const RowRef element = source.ref(static_cast<std::uint32_t>(row));
        Ring& ring = *rings[size(element.group)];
        if (!source.isValid(element)) continue;
        const auto* frame = reinterpret_cast<const float*>(ring.obs(leaf, element.t));
        std::copy_n(frame + size(element.column) * words, words,
                    values_.begin() + static_cast<std::ptrdiff_t>(filled * words));
        if (++filled < kRows) continue;
        merge(observationMoments(values_.data(), filled, words));
        filled = 0;
    }
    if (filled > 0) merge(observationMoments(values_.data(), filled, words));
}

Result<bool> ObservationStatistics::update(const std::vector<Ring*>& rings, const BatchSource& source,
                                           const Shards& shards, std::uint64_t& version) {
    bool merged = false;
    const std::vector<ObsLeaf>& leaves = nets_[0].engine->plan().spec.spaces.obs;
    for (int leaf = 0; size(leaf) < leaves.size(); ++leaf) {
        if (leaves[size(leaf)].kind != ObsLeaf::Kind::vector) continue;
        const auto mergeNow = [&](const ObservationMoments& moments) {
            merge(leaf, moments, version);
            merged = true;
        };
        if (!shards.isDivided()) {
            read(leaf, rings, source, {0, size(source.columns())}, mergeNow);
            continue;
        }
        // A block per shard: the count, means and squared deviations.
        const std::size_t words = leaves[size(leaf)].elements(), block = 1 + 2 * words;
        std::vector<double> blocks(shards.owned() * block, 0.0), all;
        for (std::size_t shard = 0; shard < shards.owned(); ++shard) {
            ObservationMoments sum;
            read(leaf, rings, source, shards.columnsOf(shard, size(source.columns())),
                 [&sum](const ObservationMoments& moments) { sum.merge(moments); });
            if (sum.count == 0) continue;
            double* to = &blocks[shard * block];
            *to = sum.count;
            std::ranges::copy(sum.squares, std::ranges::copy(sum.mean, to + 1).out);
        }
        SEEDBED_TRY(shards.gather(blocks, all));
        ObservationMoments total;
        for (auto at = all.begin(); at < all.end(); at += static_cast<std::ptrdiff_t>(block)) {
            const auto mean = at + 1, squares = mean + static_cast<std::ptrdiff_t>(words);
            total.merge({*at, {mean, squares}, {squares, squares + static_cast<std::ptrdiff_t>(words)}});
        }
        if (total.count > 0) mergeNow(total);
    }
    return merged;
}

}  // namespace seedbed
