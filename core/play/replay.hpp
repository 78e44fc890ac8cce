// SPDX-License-Identifier: Apache-2.0
// Plays a recorded replay again and verifies that the results are the same.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/env/env_registry.hpp"
#include "core/nn/distribution.hpp"
#include "core/policy/replay_file.hpp"

namespace seedbed {

// The environment of a replay with its complete parameters. error: config if this version of the program
// lacks the environment or defines it with different observations or actions, or if the replay contains an
// invalid action.
struct ReplayEnv {
    const EnvEntry* entry = nullptr;
    Json params;
    EnvSpec spec;
};
Result<ReplayEnv> replayEnv(const Replay& replay);

// The replay of episodes that a policy played. `tracks` without episodes are dropped.
struct RecordedGames {
    const EnvEntry* env = nullptr;
    Json env_params;
    EnvSpec spec;
    std::uint64_t seed = 1;
    Selection selection = Selection::greedy;
    std::optional<std::int64_t> policy_steps;
    std::optional<std::int64_t> run;
    std::vector<std::string> players{};  // names by seat; empty: not recorded
};
Replay recordedReplay(const RecordedGames& games, std::vector<ReplayTrack> tracks);

// The names of the players by seat, if the replay has them.
std::vector<std::string> recordedPlayers(const Replay& replay);

// Plays all tracks again. error: parity, with the first episode that differs; config as for replayEnv();
// interrupted.
Result<> verifyReplay(const Replay& replay, const std::stop_token& stop = {});

}  // namespace seedbed
