// SPDX-License-Identifier: Apache-2.0
// Plays episodes without showing them, and optionally records them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/env/vector_env.hpp"
#include "core/play/player_policy.hpp"
#include "core/play/replay.hpp"

namespace seedbed {

struct HeadlessSpec {
    PlayerPolicy* policy = nullptr;
    int envs = 1;
    std::uint64_t seed = 1;
    Selection selection = Selection::greedy;
    double speed = 0;  // multiple of playerRate(); 0: as fast as possible
    int episodes = 0;  // total number, divided evenly among the environments; 0: until stopped
    bool record = false;
    std::function<void(const EpisodeEnd&)> ended{};     // called after each episode of the first agent of an
                                                        // environment
    std::function<void(const std::string&)> message{};  // notices for the user
};

struct HeadlessResult {
    std::vector<EpisodeEnd> episodes;  // in the order in which they ended
    std::optional<Replay> replay;      // if recording was requested and an episode has finished
    bool stopped = false;
};

// Decisions per second at speed 1: the frame rate of the original for emulators, otherwise 30.
double playerRate(const EnvSpec& env);

// Thread: the caller's, which blocks. error: from environment or engine.
Result<HeadlessResult> playHeadless(const HeadlessSpec& spec, const std::stop_token& stop);

}  // namespace seedbed
