// SPDX-License-Identifier: Apache-2.0
// Requests of viewers to a player (core/control/README.md), checked before the player applies them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "core/play/breakpoint.hpp"
#include "core/play/film.hpp"
#include "core/play/stage.hpp"

namespace seedbed {

inline constexpr std::int64_t kMaxSeek = 10'000'000;  // rows
inline constexpr double kMaxFilmSeconds = 600;

struct PlayerRequest {
    std::string verb;
    double number = 0;
    int agent = 0;                          // focus: the agent
    std::optional<Breakpoint> condition{};  // break: the new one
    int id = 0;                             // break: its number; clears this one, or all if 0
    std::optional<std::uint64_t> row{};     // branch: the row shown by default
    std::vector<float> action{};            // branch: the first action of the branch
    Path file{};                            // record
    std::optional<std::uint64_t> from{}, to{};
    std::optional<int> cell{};
    FilmOptions film{};
};

// The properties of a player that decide what is possible; they never change.
struct PlayerAbilities {
    Spaces spaces;
    int agents = 1, max_envs = 1;
    bool is_replay = false;
    double rate = 30;
    // Why games cannot branch, and why actions or weights cannot be selected; empty: they can.
    std::string no_branch, no_select, no_weights;
};

// error: usage or config, with the reason.
Result<PlayerRequest> checkRequest(const std::string& verb, const Json& request,
                                   const PlayerAbilities& player);

}  // namespace seedbed
