// SPDX-License-Identifier: Apache-2.0
#include "core/play/film_games.hpp"

#include <cmath>
#include <utility>

#include "core/play/play_headless.hpp"

namespace seedbed {

Result<FilmedGames> filmGames(const FilmGamesSpec& spec, const std::stop_token& stop) {
    SEEDBED_ASSIGN(PlayerSpec player_spec, playerSpecOf(spec.policy, spec.seats, spec.replay));
    if (spec.replay == nullptr) player_spec.seed = spec.seed;
    player_spec.selection = spec.selection;
    const auto selected = spec.replay != nullptr ? static_cast<std::uint32_t>(spec.replay->episode) : 0;
    const Params none;
    const Params& params = spec.policy != nullptr ? spec.policy->params() : none;
    SEEDBED_ASSIGN(const auto player, Player::create(std::move(player_spec), params));
    while (player->cells()[0].now.episode < selected && !player->finished())
        SEEDBED_TRY(player->step(params, true));
    if (selected > 0) player->clearPast();
    FilmedGames games{
        .frames = {}, .spaces = player->envSpec().spaces, .rate = playerRate(player->envSpec())};
    const auto rows = static_cast<std::size_t>(std::ceil(spec.seconds * games.rate));
    while (true) {
        const PlayerCell& cell = player->cells()[0];
        games.frames.push_back({cell.scene, cell.now});
        if (games.frames.size() >= rows || player->finished()) return games;
        if (stop.stop_requested()) return fail(ErrorCode::interrupted, "the recording was stopped");
        SEEDBED_TRY(player->step(params, true));
    }
}

}  // namespace seedbed
