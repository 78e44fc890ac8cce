// SPDX-License-Identifier: Apache-2.0
// Files that viewers of a player session request: films of stored rows, and replays of finished episodes.
#pragma once

#include <atomic>
#include <functional>

#include "core/base/thread.hpp"
#include "core/play/player_history.hpp"
#include "core/play/player_policy.hpp"
#include "core/play/player_request.hpp"
#include "core/play/replay.hpp"

namespace seedbed {

// Reports the result of each request as an event "recorded" or "record_failed". Thread: the player's; films
// are written by a separate thread, one at a time, which the destructor stops.
class SessionRecordings {
public:
    // `send` is called by both threads.
    explicit SessionRecordings(std::function<void(Json)> send) : send_(std::move(send)) {}
    ~SessionRecordings();

    bool isWriting() const { return writing_; }
    // `cell` and `agent` are in focus.
    void film(const PlayerRequest& request, const PlayerHistory& history, const Spaces& spaces, int cell,
              int agent);
    void replay(const Path& file, const RecordedGames& games, std::vector<ReplayTrack> tracks);

private:
    std::function<void(Json)> send_;
    std::atomic<bool> writing_{false};
    NamedThread thread_;
};

}  // namespace seedbed
