// SPDX-License-Identifier: Apache-2.0
// Client of the control protocol: reads the status of a run or player, and controls it.
#pragma once

#include <deque>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/ipc/json_socket.hpp"

namespace seedbed {

// Thread: one owner at a time.
class ControlClient {
public:
    static constexpr std::int64_t kTimeoutMs = 10'000;

    // Waits for the greeting. error: no process is listening, the server uses a newer version, a timeout, or
    // a stop request.
    static Result<ControlClient> connect(const std::filesystem::path& socket,
                                         const std::stop_token& stop = {},
                                         std::int64_t timeout_ms = kTimeoutMs);

    // Sends {"do": verb, ...fields} and returns the reply; events received before it are kept for next().
    // error: reported by the server, a closed connection, a timeout, or a stop request.
    Result<Json> ask(const std::string& verb, const Json& fields = Json::object(),
                     std::int64_t timeout_ms = kTimeoutMs, const std::stop_token& stop = {});
    // The reply to "follow" and the shared memory received with it.
    struct Followed {
        Json fields;
        Descriptor descriptor;
    };
    // `verb`: "follow", or "inspect" for a player's inspections.
    Result<Followed> follow(std::int64_t timeout_ms = kTimeoutMs, const std::stop_token& stop = {},
                            const std::string& verb = "follow");
    // For poll(): readable if next() has events, except for events that ask() received before its reply.
    int descriptor() const { return socket_.descriptor(); }
    // The next event after "watch"; nullopt at the deadline, after a stop request, or if the server closed
    // the connection (ended()).
    Result<std::optional<Json>> next(const std::stop_token& stop, Deadline deadline = kNoDeadline);
    bool ended() const { return ended_; }
    const Json& hello() const { return hello_; }

private:
    explicit ControlClient(JsonSocket socket) : socket_(std::move(socket)) {}
    Result<SocketMessage> exchange(const std::string& verb, const Json& fields, std::int64_t timeout_ms,
                                   const std::stop_token& stop);

    JsonSocket socket_;
    Json hello_;
    std::deque<Json> events_;
    std::int64_t last_id_ = 0;
    bool ended_ = false;
};

}  // namespace seedbed
