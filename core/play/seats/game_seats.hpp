// SPDX-License-Identifier: Apache-2.0
// The players of a game by seat: one player on all seats, or two players.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/play/player.hpp"
#include "core/play/player_policy.hpp"
#include "core/play/replay.hpp"
#include "core/policy/bundle_env.hpp"

namespace seedbed {

struct GameSeats {
    BundleEnv env;
    std::string scripted{};             // the player, if it is scripted; empty: a PlayerPolicy
    std::optional<SeatPlayer> rival{};  // plays all seats but `seat`
    int seat = 0;                       // of the player if there is a rival
    std::vector<std::string> names{};   // of the players, by seat
};

// The seats of a game that the player `name` plays alone.
GameSeats seatsOfOne(BundleEnv env, const std::string& name);
// Leaves seat `seat` to the player and gives all others to `rival`. error: config, if the environment has one
// seat or lacks this one.
Result<> addRival(GameSeats& seats, int seat, SeatPlayer rival, const std::string& name);

// The players and the environment of a session, without its number of environments. `policy` is null if the
// player is scripted or only a replay's actions are known; `seats` null: the policy plays all seats of its
// own environment; `replay` null: players choose the actions. The arguments must outlive the player. error:
// config, if the replay does not fit.
Result<PlayerSpec> playerSpecOf(const PlayerPolicy* policy, const GameSeats* seats, const Replay* replay);

}  // namespace seedbed
