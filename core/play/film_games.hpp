// SPDX-License-Identifier: Apache-2.0
// Plays games or a replay without viewers and collects the rows of a film.
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/play/film.hpp"
#include "core/play/seats/game_seats.hpp"

namespace seedbed {

struct FilmGamesSpec {
    PlayerPolicy* policy = nullptr;  // as for playerSpecOf()
    const GameSeats* seats = nullptr;
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
