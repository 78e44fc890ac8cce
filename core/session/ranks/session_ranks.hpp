// SPDX-License-Identifier: Apache-2.0
// The part of a session that keeps the ranks of a run together: all of them roll out, learn, stop and fail in
// the same update.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/archive.hpp"
#include "core/env/vector_env.hpp"
#include "core/learn/learner.hpp"
#include "core/session/ranks/rank_link.hpp"

namespace seedbed {

struct IterationStats;

// Saves or loads the parameters of all networks, with their versions.
void archiveParams(Archive& archive, Learner& learner);

// The state of a rank when another one is lost.
struct RankState {
    std::uint64_t optimiser_steps = 0, updates = 0;
    std::uint64_t steps = 0;          // of all ranks, in complete updates
    std::uint64_t cut_decisions = 0;  // of this rank, in the update that was cut
    std::uint64_t row = 0;            // at which its groups are
    std::vector<std::uint8_t> params, learner;
    std::vector<std::uint32_t> groups;  // numbers of its groups, whose states follow
    std::vector<std::vector<std::uint8_t>> group_states;

    void archive(Archive& archive);
};

// The state with which the survivors of a loss continue.
struct Survived {
    std::vector<std::uint8_t> params, archive;  // for archiveParams() and Session::archive()
    int ranks = 1;
    int lost = 0;              // ranks
    int restarted_groups = 0;  // groups whose environments begin new episodes
};

// Thread: the session's.
class SessionRanks {
public:
    // `link` may be null.
    explicit SessionRanks(std::shared_ptr<RankLink> link) : link_(std::move(link)) {}
    bool areSeveral() const { return link_ != nullptr && !link_->isAlone(); }
    bool isLeader() const { return link_ == nullptr || link_->isLeader(); }
    RankLink& link() { return *link_; }
    // Called on the leader when another rank has received a stop request.
    void onStop(std::function<void()> call) { on_stop_ = std::move(call); }

    // Leader: lets all ranks begin an iteration, with its parameters if they were changed.
    Result<> begin(Learner& learner);
    // Ends the rollout of all ranks: an error of one is an error of all. `is_stopping`: this rank has
    // received a stop request.
    Result<> endRollout(Result<> own, bool is_stopping);
    // Adds decisions, episodes and notices of the other ranks. Columns are numbered across all ranks.
    Result<> report(IterationStats& stats);
    // Leader: lets the others load the learner's parameters and `archive`.
    Result<> load(Learner& learner, const std::vector<std::uint8_t>& archive);
    // The parameters of the learner are those of all ranks.
    void synchronised(Learner& learner) { versions_ = versionsOf(learner); }

private:
    static std::vector<std::uint64_t> versionsOf(Learner& learner);

    std::shared_ptr<RankLink> link_;
    std::function<void()> on_stop_;
    std::vector<std::uint64_t> versions_;  // of the parameters that all ranks have; empty: not known
};

}  // namespace seedbed
