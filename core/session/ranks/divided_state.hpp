// SPDX-License-Identifier: Apache-2.0
// The state of a session with shards, whose groups may belong to several ranks, and how it continues after
// the loss of a rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/base/archive.hpp"
#include "core/session/ranks/session_ranks.hpp"

namespace seedbed {

class SyncSession;

// A part of SyncSession, with its members. Thread: the session's.
class DividedState {
public:
    explicit DividedState(SyncSession& session) : s_(session) {}

    // Saves or restores the session: the state of all ranks' groups, each with its part of the open rollout.
    // The bytes do not depend on the number of ranks.
    Result<> archive(Archive& archive);
    // See Session.
    RankState rankState();
    Result<Survived> survive(std::stop_token stop);

private:
    Result<> archiveGroup(std::size_t g, Archive& archive, bool lost);
    Result<> saveGroups(Archive& archive);
    Result<> loadGroups(Archive& archive);
    Result<> catchUp(std::uint64_t row);
    Result<> adopt(const RankState& newest, const std::vector<RankState>& states);
    Result<Survived> gatherStates(std::vector<RankState>& states, std::uint64_t row);

    SyncSession& s_;
};

}  // namespace seedbed
