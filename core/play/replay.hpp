// SPDX-License-Identifier: Apache-2.0
// Repeats a recorded replay and checks that it plays out the same.
#pragma once

#include <stop_token>

#include "core/base/error.hpp"
#include "core/env/env_registry.hpp"
#include "core/policy/replay_file.hpp"

namespace seedbed {

// The environment of a replay with its complete parameters. error: config: it is not here, has other
// observations or actions in this version, or an action is none of its.
struct ReplayEnv {
    const EnvEntry* entry = nullptr;
    Json params;
    EnvSpec spec;
};
Result<ReplayEnv> replayEnv(const Replay& replay);

// Plays all tracks again. error: parity, with the first episode that differs; config as replayEnv();
// interrupted.
Result<> verifyReplay(const Replay& replay, const std::stop_token& stop = {});

}  // namespace seedbed
