// SPDX-License-Identifier: Apache-2.0
// Messages between Seedbed processes: one JSON document per line over a Unix-domain socket, optionally with
// file descriptors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/ipc/descriptor.hpp"

namespace seedbed {

// A received message.
struct SocketMessage {
    Json json;
    std::vector<Descriptor> descriptors;
};

// One end of a connection. Both ends belong to the same user, which connect() and accept() verify with the
// kernel's peer credentials. send() stores the number of attached descriptors in the member "descriptors".
// Thread: one thread may send while another receives.
class JsonSocket {
public:
    static constexpr std::size_t kMaxDescriptors = 16;  // limit per message
    static constexpr std::size_t kDefaultMaxLine = std::size_t{1} << 20;

    static Result<JsonSocket> connect(const std::filesystem::path& path);
    // Two connected ends, one of them for a child process.
    static Result<std::pair<JsonSocket, JsonSocket>> pair();
    // Takes ownership of a connected socket, for example one inherited from the parent process.
    static Result<JsonSocket> adopt(Descriptor descriptor);

    // Sends one message; `descriptors` stay open in this process. Returns `ready` when the kernel has
    // accepted the whole line, or `timed_out` if the peer has not read it by the deadline. After any other
    // result, the connection can no longer be used for sending: part of a line may have been sent. error:
    // failure, also for a closed connection.
    Result<WaitResult> send(const Json& message, std::span<const int> descriptors = {},
                            const std::stop_token& stop = {}, Deadline deadline = kNoDeadline);
    // Receives the next message. nullopt after a stop request or at the deadline; no data is lost, and the
    // caller can call again. error: failure if the peer has closed the connection (see closedByPeer()) or has
    // sent a line that is not JSON, is too long, or lacks its descriptors. The connection is unusable after
    // an error.
    Result<std::optional<SocketMessage>> receive(const std::stop_token& stop = {},
                                                 Deadline deadline = kNoDeadline);
    // Whether the peer closed the connection between two messages: an orderly shutdown.
    bool closedByPeer() const { return closed_by_peer_; }

    // Sets the maximum length of lines in both directions.
    void setMaxLine(std::size_t bytes) { max_line_ = bytes; }
    // For poll(): readable if receive() will not block, except for messages that are already buffered; check
    // hasBuffered() first.
    int descriptor() const { return descriptor_.get(); }
    bool hasBuffered() const { return buffer_.find('\n') != std::string::npos; }
    pid_t peerProcess() const { return peer_process_; }

private:
    JsonSocket() = default;
    Result<std::optional<SocketMessage>> takeLine();
    Result<> readSome();

    Descriptor descriptor_;
    pid_t peer_process_ = 0;
    std::size_t max_line_ = kDefaultMaxLine;
    std::string buffer_;               // received, but not yet returned by receive()
    std::size_t searched_ = 0;         // number of bytes of buffer_ already searched; they contain no line
                                       // end
    std::deque<Descriptor> received_;  // descriptors not yet claimed by a line
    bool closed_by_peer_ = false;
};

// A listening socket in the file system with mode 0600. The destructor removes the socket. Thread: one at a
// time.
class JsonListener {
public:
    // Creates the socket. Replaces the socket of a listener that is no longer running; fails if its listener
    // is running. The path may be longer than sun_path.
    static Result<JsonListener> create(const std::filesystem::path& path);
    JsonListener(JsonListener&& other) noexcept;
    JsonListener& operator=(JsonListener&&) = delete;
    ~JsonListener();

    // Accepts the next connection from the same user and network namespace, and closes all others
    // (environment programs have separate namespaces). nullopt after a stop request or at the deadline.
    Result<std::optional<JsonSocket>> accept(const std::stop_token& stop = {},
                                             Deadline deadline = kNoDeadline);
    int descriptor() const { return descriptor_.get(); }

private:
    JsonListener() = default;

    Descriptor descriptor_;
    std::filesystem::path path_;  // empty if there is no file to remove
};

}  // namespace seedbed
