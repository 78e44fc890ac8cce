// SPDX-License-Identifier: Apache-2.0
// Plays a policy or a replay without viewers and collects the rows of a film.
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/play/film.hpp"
#include "core/play/player_policy.hpp"
#include "core/play/replay.hpp"

namespace seedbed {

struct FilmGamesSpec {
    PlayerPolicy* policy = nullptr;  // may be null for a replay
    const Replay* replay = nullptr;
    std::uint64_t seed = 1;
    Selection selection = Selection::greedy;
    double seconds = 30;  // at speed 1
};
struct FilmedGames {
    std::vector<FilmFrame> frames;
    Spaces spaces;
    double rate = 30;  // rows per second at speed 1
};

// Blocks. A replay begins with its selected episode and may end earlier. error: from environment or engine;
// interrupted.
Result<FilmedGames> filmGames(const FilmGamesSpec& spec, const std::stop_token& stop);

}  // namespace seedbed
