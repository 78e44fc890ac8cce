// SPDX-License-Identifier: Apache-2.0
// Running statistics of observations, for networks that normalise them.
#pragma once

#include "core/learn/batch_gather.hpp"
#include "core/learn/learner.hpp"
#include "core/learn/learning_net.hpp"
#include "core/learn/shards.hpp"
#include "core/nn/normaliser.hpp"

namespace seedbed {

// Networks that follow another one share its statistics, so that both see the same observations. Thread: the
// learner's.
class ObservationStatistics {
public:
    // Both must outlive this object and have one element per network.
    ObservationStatistics(const std::vector<LearnerNet>& nets, std::vector<LearningNet>& states)
        : nets_(nets), states_(states) {}

    // Whether any network has statistics.
    bool any() const;
    // Merges the single frames of all valid rows of `source`, which refer to `rings`, into the statistics of
    // every network; those of all ranks, shard by shard. Returns false if no row is valid. `version`: see
    // LearningNet. error: kRankLost.
    Result<bool> update(const std::vector<Ring*>& rings, const BatchSource& source, const Shards& shards,
                        std::uint64_t& version);

private:
    bool hasStatistics(std::size_t net) const;
    // Reads the valid rows of these columns in parts of `rows` rows, and calls merge(rows) for each.
    template <class Merge>
    void read(int leaf, const std::vector<Ring*>& rings, const BatchSource& source, Part columns,
              const Merge& merge);
    void merge(int leaf, const ObservationMoments& moments, std::uint64_t& version);

    const std::vector<LearnerNet>& nets_;
    std::vector<LearningNet>& states_;
    std::vector<float> values_;  // rows to merge
};

}  // namespace seedbed
