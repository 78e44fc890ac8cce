// SPDX-License-Identifier: Apache-2.0
// The sync schedule: all threads roll out, then all threads learn. The same configuration and seed give the same parameters for any number
// of threads.
#pragma once

#include <vector>

#include "core/run/session.hpp"

namespace seedbed {

class SyncSession final : public Session {
public:
    explicit SyncSession(Parts parts);

    // A stop request is looked at by the next iteration's caller: a rollout is never left half done.
    Result<IterationStats> iterate(std::stop_token stop) override;
    Result<> archive(Archive& archive) override;

private:
    Result<> rollOut(IterationStats& stats);

    std::vector<ActingParams::Reader> readers_;  // per group
    std::vector<std::vector<EpisodeEnd>> ended_;
};

}  // namespace seedbed
