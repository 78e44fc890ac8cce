// SPDX-License-Identifier: Apache-2.0
// The side of whoever looks at a run or steers it: the commands stop, pause, attach, and the window.
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
    static constexpr std::int64_t kPatienceMs = 10'000;

    // Waits for the greeting. error: nobody listens, the other side speaks a newer version, or a stop request
    // came first.
    static Result<ControlClient> connect(const std::filesystem::path& socket,
                                         const std::stop_token& stop = {},
                                         std::int64_t timeout_ms = kPatienceMs);

    // The reply to {"do": verb, ...fields}; events that come before it wait for next(). error: what the other
    // side answered, or that it is gone or silent for `timeout_ms`; ends early after a stop request.
    Result<Json> ask(const std::string& verb, const Json& fields = Json::object(),
                     std::int64_t timeout_ms = kPatienceMs, const std::stop_token& stop = {});
    // ask("follow"): the reply and the shared memory that came with it.
    struct Followed {
        Json fields;
        Descriptor descriptor;
    };
    Result<Followed> follow(std::int64_t timeout_ms = kPatienceMs, const std::stop_token& stop = {});
    // For poll(): readable when next() has something to take (but for what came before a reply).
    int descriptor() const { return socket_.descriptor(); }
    // The next event after "watch"; nullopt after a stop request, at the deadline, or when the other side
    // ended the connection (ended()).
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
