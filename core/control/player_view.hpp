// SPDX-License-Identifier: Apache-2.0
// The side of whoever watches a player: the newest frame from shared memory, and requests through the
// player's socket.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/control/control_client.hpp"
#include "core/control/player_frame.hpp"
#include "core/ipc/published_slots.hpp"

namespace seedbed {

// Thread: one at a time.
class PlayerView {
public:
    // error: nobody listens there, it is no player, or a newer one. `stop` ends this and all later waits for
    // the player early.
    static Result<PlayerView> connect(const std::filesystem::path& socket, const std::stop_token& stop = {});

    // What does not change while it plays: the greeting's members (README.md).
    const Json& about() const { return client_.hello(); }
    Result<Json> ask(const std::string& verb, const Json& fields = Json::object()) {
        return client_.ask(verb, fields, ControlClient::kPatienceMs, stop_);
    }
    // The newest frame when it is newer than the last one. Costs one load otherwise. Frames in between are
    // lost, steps are not: the trace holds them. error: the player is gone, or sent something else.
    Result<std::optional<PlayerFrame>> frame();
    // What the player said since the last call; returns at once. error: it is gone.
    Result<std::vector<Json>> events();

private:
    PlayerView(ControlClient client, std::stop_token stop)
        : client_(std::move(client)), stop_(std::move(stop)) {}
    Result<> follow();

    ControlClient client_;
    std::stop_token stop_;
    std::optional<SlotReader> slots_;
    std::vector<std::byte> bytes_;
};

}  // namespace seedbed
