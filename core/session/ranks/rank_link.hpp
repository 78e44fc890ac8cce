// SPDX-License-Identifier: Apache-2.0
// Messages between the ranks of a run between two iterations: commands of rank 0, and results of all.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/learn/rank_group.hpp"

namespace seedbed {

// The largest data of a command or an answer; more is a broken connection.
inline constexpr std::uint64_t kMostRankBytes = std::uint64_t{1} << 40;

// Commands of rank 0, which all ranks then execute together.
enum class RankCommand : std::uint8_t { create, parameters, iterate, save, load, live, end };

// Thread: one at a time.
class RankLink {
public:
    using Bytes = std::vector<std::uint8_t>;

    explicit RankLink(std::shared_ptr<RankGroup> group) : group_(std::move(group)) {}
    RankGroup& group() { return *group_; }
    int rank() const { return group_->rank(); }
    int ranks() const { return group_->ranks(); }
    bool isAlone() const { return ranks() == 1; }
    bool isLeader() const { return rank() == 0; }
    std::shared_ptr<Collective> collective() const { return group_->collective(); }
    // Threads of each rank if run.threads is 0; 0: one per core, since every rank has a machine.
    int threads = 0;

    // Rank 0: sends a command with its data to all. error: kRankLost.
    Result<> command(RankCommand command, const Bytes& data = {});
    // Other ranks: waits for the next command. error: kRankLost.
    Result<std::pair<RankCommand, Bytes>> receive();
    // Gathers data of any size from all ranks, in rank order. If `own` or the outcome of another rank is an
    // error, all ranks return it. error: kRankLost.
    Result<std::vector<Bytes>> gather(const Result<>& own, const Bytes& mine = {});

private:
    std::shared_ptr<RankGroup> group_;
};

}  // namespace seedbed
