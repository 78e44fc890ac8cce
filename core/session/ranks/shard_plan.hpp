// SPDX-License-Identifier: Apache-2.0
// How learner.shards and the ranks of a run divide its environments.
#pragma once

#include "core/base/error.hpp"

namespace seedbed {

class Algorithm;
struct SessionPlan;

// The part of a run that one process trains.
struct RankPart {
    int rank = 0;
    int ranks = 1;
};

// Checks learner.shards, and sets the number of groups to a multiple of it, so that no group belongs to two
// shards. error: config.
Result<> planShards(SessionPlan& plan, const Algorithm& algorithm);

// The environments of group `group`: [begin, end). They are divided evenly among the groups of a shard, with
// the remainder in the first groups.
struct EnvRange {
    int begin = 0, end = 0;
};
EnvRange envsOfGroup(const SessionPlan& plan, int group);

// The groups of this rank: [begin, end).
struct GroupRange {
    int begin = 0, end = 0;
};
GroupRange ownGroups(const SessionPlan& plan);

}  // namespace seedbed
