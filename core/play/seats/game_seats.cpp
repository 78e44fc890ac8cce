// SPDX-License-Identifier: Apache-2.0
#include "core/play/seats/game_seats.hpp"

#include <utility>

namespace seedbed {

GameSeats seatsOfOne(BundleEnv env, const std::string& name) {
    GameSeats seats{.env = std::move(env)};
    seats.names.assign(static_cast<std::size_t>(seats.env.spec.agents), name);
    return seats;
}

Result<> addRival(GameSeats& seats, int seat, SeatPlayer rival, const std::string& name) {
    const int count = seats.env.spec.agents;
    const std::string& id = seats.env.entry->id;
    if (count == 1)
        return fail(ErrorCode::config, "'" + id + "' has one seat; a second player needs another");
    if (seat < 0 || seat >= count)
        return fail(ErrorCode::config, "'" + id + "' has the seats 1 to " + std::to_string(count) +
                                           "; there is no seat " + std::to_string(seat + 1));
    seats.seat = seat;
    seats.rival = std::move(rival);
    for (int other = 0; other < count; ++other)
        if (other != seat) seats.names[static_cast<std::size_t>(other)] = name;
    return {};
}

Result<PlayerSpec> playerSpecOf(const PlayerPolicy* policy, const GameSeats* seats, const Replay* replay) {
    PlayerSpec spec;
    if (policy != nullptr) {
        spec.env = &policy->env();
        spec.env_params = policy->envParams();
        spec.player = policy->seatPlayer();
    }
    if (seats != nullptr) {
        spec.env = seats->env.entry;
        spec.env_params = seats->env.params;
        spec.player.scripted = seats->scripted;
        spec.rival = seats->rival;
        spec.seat = seats->seat;
    }
    if (replay == nullptr) return spec;
    SEEDBED_ASSIGN(const ReplayEnv env, replayEnv(*replay));
    if (spec.env != nullptr && env.entry != spec.env)
        return fail(ErrorCode::config, "the replay was recorded in '" + env.entry->id +
                                           "', but the policy plays '" + spec.env->id + "'");
    spec.env = env.entry;
    spec.env_params = env.params;
    spec.seed = replay->seed;
    spec.purpose = replay->purpose;
    spec.replay = &replay->tracks[static_cast<std::size_t>(replay->track)];
    spec.first_lane = spec.replay->lane;
    return spec;
}

}  // namespace seedbed
