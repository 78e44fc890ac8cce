// SPDX-License-Identifier: Apache-2.0
#include "core/play/film_games.hpp"

#include <cmath>
#include <utility>

#include "core/play/play_headless.hpp"
#include "core/play/player.hpp"

namespace seedbed {

Result<FilmedGames> filmGames(const FilmGamesSpec& spec, const std::stop_token& stop) {
    PlayerSpec player_spec;
    if (spec.policy != nullptr) {
        player_spec.env = &spec.policy->env();
        player_spec.env_params = spec.policy->envParams();
        player_spec.net = &spec.policy->net();
        player_spec.distribution = spec.policy->distribution();
    }
    player_spec.seed = spec.seed;
    player_spec.selection = spec.selection;
    std::uint32_t selected = 0;
    if (spec.replay != nullptr) {
        SEEDBED_ASSIGN(const ReplayEnv env, replayEnv(*spec.replay));
        player_spec.env = env.entry;
        player_spec.env_params = env.params;
        player_spec.seed = spec.replay->seed;
        player_spec.purpose = spec.replay->purpose;
        player_spec.replay = &spec.replay->tracks[static_cast<std::size_t>(spec.replay->track)];
        player_spec.first_lane = player_spec.replay->lane;
        selected = static_cast<std::uint32_t>(spec.replay->episode);
    }
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
