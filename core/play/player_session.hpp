// SPDX-License-Identifier: Apache-2.0
// Runs a player in its own process, at a given speed; viewers can connect to it, show it and control it.
// core/control/README.md describes the socket and the stream.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "core/play/seats/game_seats.hpp"

namespace seedbed {

struct PlayerSessionSpec {
    PlayerPolicy* policy = nullptr;  // this, `seats` and `replay` are as for playerSpecOf()
    const GameSeats* seats = nullptr;
    const Replay* replay = nullptr;
    int envs = 1;
    std::uint64_t seed = 1;
    Selection selection = Selection::greedy;
    double speed = 1;  // multiple of playerRate(); 0: as fast as possible
    std::filesystem::path socket{};
    bool until_viewer_leaves = false;                   // stops when the last viewer leaves, or if none
                                                        // connects within 30 s
    std::function<void(const std::string&)> message{};  // notices for the user
};

inline constexpr int kMaxPlayerEnvs = 64;  // maximum number at the same time

// Plays until a stop request (a viewer can send one) or until the last viewer leaves. `ready` is called once,
// when viewers can connect. Thread: the caller's, which blocks. error: from environment, engine or socket.
Result<> runPlayer(const PlayerSessionSpec& spec, const std::function<void()>& ready,
                   const std::stop_token& stop);

}  // namespace seedbed
