// SPDX-License-Identifier: Apache-2.0
// A player as a process: paces a game, shows it to whoever connects, and obeys them. core/control/README.md
// describes socket and stream.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "core/play/player.hpp"
#include "core/play/player_policy.hpp"

namespace seedbed {

struct PlayerSessionSpec {
    PlayerPolicy* policy = nullptr;  // none: the replay's environment is played with its actions
    const Replay* replay = nullptr;  // none: the policy decides
    int envs = 1;
    std::uint64_t seed = 1;
    Selection selection = Selection::greedy;
    double speed = 1;  // 0: as fast as it goes
    std::filesystem::path socket{};
    bool until_viewer_leaves = false;                   // also ends when none comes
    std::function<void(const std::string&)> message{};  // sentences for the user
};

// At most so many environments at once.
inline constexpr int kMaxPlayerEnvs = 16;
// Decisions per second at speed 1: the pace of the emulator where there is one, 30 elsewhere.
double playerRate(const EnvSpec& env);

// Plays until it is stopped, asked to stop, or (if wanted) left. `ready` is called once, when viewers can
// connect. error: from the environment, the engine or the socket.
Result<> runPlayer(const PlayerSessionSpec& spec, const std::function<void()>& ready,
                   const std::stop_token& stop);

struct HeadlessSpec {
    PlayerPolicy* policy = nullptr;
    int envs = 1;
    std::uint64_t seed = 1;
    Selection selection = Selection::greedy;
    double speed = 0;  // 0: as fast as it goes
    int episodes = 0;  // in all, the same number in each environment up to the remainder; 0: until stopped
    bool record = false;
    std::function<void(const EpisodeEnd&)> ended{};     // after each episode of a first agent
    std::function<void(const std::string&)> message{};  // sentences for the user
};

struct HeadlessResult {
    std::vector<EpisodeEnd> episodes;  // in the order of their ends
    std::optional<Replay> replay;      // when recorded and an episode was finished
    bool stopped = false;
};

// Plays without showing. error: from environment or engine.
Result<HeadlessResult> playHeadless(const HeadlessSpec& spec, const std::stop_token& stop);

}  // namespace seedbed
