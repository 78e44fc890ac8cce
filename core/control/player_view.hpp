// SPDX-License-Identifier: Apache-2.0
// A viewer's connection to a player: the newest frame from shared memory, and requests through the player's
// socket.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/control/control_client.hpp"
#include "core/control/inspection.hpp"
#include "core/control/player_frame.hpp"
#include "core/ipc/published_slots.hpp"

namespace seedbed {

// Thread: one owner at a time.
class PlayerView {
public:
    // `stop` interrupts this call and all later waits. error: no process is listening, or the process is not
    // a player or runs a newer version.
    static Result<PlayerView> connect(const std::filesystem::path& socket, const std::stop_token& stop = {});

    // Properties that never change: the members of the greeting (README.md).
    const Json& about() const { return client_.hello(); }
    Result<Json> ask(const std::string& verb, const Json& fields = Json::object()) {
        return client_.ask(verb, fields, ControlClient::kTimeoutMs, stop_);
    }
    // The newest frame if it is newer than the last one returned; nullopt otherwise, at the cost of one load.
    // Frames in between are skipped, but the trace contains all steps. error: the player has exited or sent
    // invalid data.
    Result<std::optional<PlayerFrame>> frame();
    // Requests inspections, or ends this request. error: the player cannot inspect, or has exited.
    Result<> inspect(bool on);
    // The newest inspection, as for frame(); nullopt also if none was requested.
    Result<std::optional<Inspection>> inspection();
    // Events since the last call; returns immediately. error: the player has exited.
    Result<std::vector<Json>> events();

private:
    PlayerView(ControlClient client, std::stop_token stop)
        : client_(std::move(client)), stop_(std::move(stop)) {}
    Result<> follow();

    ControlClient client_;
    std::stop_token stop_;
    std::optional<SlotReader> slots_, inspections_;
    std::vector<std::byte> bytes_;
};

}  // namespace seedbed
