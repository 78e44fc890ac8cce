// SPDX-License-Identifier: Apache-2.0
// The seats of a player that persons have taken, and the actions that they gave.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/mutex.hpp"
#include "core/play/player_action.hpp"

namespace seedbed {

// Threads: act(), release() and leave() are called by the control server, the others by the player.
class TakenSeats {
public:
    struct Seat {
        int env = 0, agent = 0;
        bool operator==(const Seat&) const = default;
    };
    TakenSeats() = default;

    // Before the first act().
    void begin(const Spaces& spaces, int agents);
    // The row that the player has reached: the environment in focus and the masks of all, [environments,
    // agents, mask bytes].
    void update(Seat focus, std::vector<std::uint8_t> masks);

    // Request "act" of README.md: takes the seat in focus, or `agent` of the environment in focus, unless the
    // client has a seat already; then gives it an action, if the request has one. error: config or usage,
    // with the reason; nothing changes.
    Result<Json> act(std::uint64_t client, const Json& request);
    // Request "release". error: usage, if the client has no seat.
    Result<Json> release(std::uint64_t client);
    // The client has disconnected. Returns whether it had a seat.
    bool leave(std::uint64_t client);

    struct Decision {
        Seat seat;
        std::optional<std::vector<float>> action;  // nullopt: the policy chooses
        bool waits = false;                        // for the person's action
        std::string notice;                        // an action was given, but is not allowed now
    };
    // The decisions of the seats in the current row. An action that is not allowed is dropped.
    std::vector<Decision> decisions();
    // The row was executed, before update(): actions for a number of rows are used up.
    void executed();
    // Releases the seats of environments from `envs` on.
    void releaseFrom(int envs);
    // A new game has begun: actions that were given for the last one are not used.
    void forgetActions();
    // [{"env", "agent", "idle", "waits"}]
    Json status() const;
    bool any() const;
    bool has(Seat seat) const;

private:
    struct Taken {
        std::uint64_t client = 0;
        Seat seat;
        IdleRule idle = IdleRule::wait;
        std::vector<float> action{};  // empty: none yet
        std::int64_t rows = 0;        // for which the action is used; -1: until the next one
    };
    const std::uint8_t* maskOf(Seat seat) const SEEDBED_REQUIRES(mutex_);
    Decision decisionOf(const Taken& taken) const SEEDBED_REQUIRES(mutex_);
    Result<Seat> wantedSeat(std::uint64_t client, const Json& request) const SEEDBED_REQUIRES(mutex_);

    mutable Mutex mutex_;
    Spaces spaces_ SEEDBED_GUARDED_BY(mutex_);
    int agents_ SEEDBED_GUARDED_BY(mutex_) = 1;
    Seat focus_ SEEDBED_GUARDED_BY(mutex_);
    std::vector<std::uint8_t> masks_ SEEDBED_GUARDED_BY(mutex_);
    std::vector<Taken> taken_ SEEDBED_GUARDED_BY(mutex_);
};

}  // namespace seedbed
