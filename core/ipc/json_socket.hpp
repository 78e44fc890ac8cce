// SPDX-License-Identifier: Apache-2.0
// Messages between our processes: one JSON document per line over a Unix-domain socket, with descriptors when
// asked.
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

// What came with one line.
struct SocketMessage {
    Json json;
    std::vector<Descriptor> descriptors;
};

// One end of a connection. Both ends belong to the same user (checked by the kernel's credentials when
// connecting and accepting). A message with descriptors carries their number in the member "descriptors",
// which send() sets. Thread: one sends, one receives.
class JsonSocket {
public:
    static constexpr std::size_t kMaxDescriptors = 16;  // per message
    static constexpr std::size_t kDefaultMaxLine = std::size_t{1} << 20;

    static Result<JsonSocket> connect(const std::filesystem::path& path);
    // Two connected ends, for a child process.
    static Result<std::pair<JsonSocket, JsonSocket>> pair();
    // Takes over a connected socket, for example one inherited from the parent process.
    static Result<JsonSocket> adopt(Descriptor descriptor);

    // Returns when the kernel has the whole line. The descriptors stay open here. A peer that does not read
    // is timed_out at the deadline; as part of a line may be out by then, nothing more can be sent after
    // stopped, timed_out or an error. error: failure, also when the peer is gone.
    Result<WaitResult> send(const Json& message, std::span<const int> descriptors = {},
                            const std::stop_token& stop = {}, Deadline deadline = kNoDeadline);
    // The next message; nullopt after a stop request or at the deadline (nothing is lost, call again).
    // errors: failure when the peer is gone (see closedByPeer), sent no JSON, a line beyond the limit, or not
    // the descriptors it announced; the connection is of no use then.
    Result<std::optional<SocketMessage>> receive(const std::stop_token& stop = {},
                                                 Deadline deadline = kNoDeadline);
    // The peer ended the connection between two lines: a normal end.
    bool closedByPeer() const { return closed_by_peer_; }

    // Lines longer than this are refused in both directions.
    void setMaxLine(std::size_t bytes) { max_line_ = bytes; }
    // For poll(): readable when receive() will not block. A message that is already buffered is not seen by
    // poll: ask hasBuffered() first.
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
    std::string buffer_;               // received, not yet taken
    std::size_t searched_ = 0;         // of buffer_, without a line end
    std::deque<Descriptor> received_;  // descriptors not yet claimed by a line
    bool closed_by_peer_ = false;
};

// A socket in the file system that only its owner can open (mode 0600 from its first moment). Removed by the
// destructor. Thread: one at a time.
class JsonListener {
public:
    // Takes over the name of a listener that died; a living one is an error. Long paths are fine.
    static Result<JsonListener> create(const std::filesystem::path& path);
    JsonListener(JsonListener&& other) noexcept;
    JsonListener& operator=(JsonListener&&) = delete;
    ~JsonListener();

    // The next connection of the same user; others are hung up on. nullopt after a stop request or at the
    // deadline.
    Result<std::optional<JsonSocket>> accept(const std::stop_token& stop = {},
                                             Deadline deadline = kNoDeadline);
    int descriptor() const { return descriptor_.get(); }

private:
    JsonListener() = default;

    Descriptor descriptor_;
    std::filesystem::path path_;  // empty: nothing to remove
};

}  // namespace seedbed
