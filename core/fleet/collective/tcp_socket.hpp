// SPDX-License-Identifier: Apache-2.0
// TCP connections between the ranks of a run. Both ends prove that they know the run's token before anything
// else is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/ipc/descriptor.hpp"

namespace seedbed {

// HOST:PORT; an IPv6 host is in brackets.
struct TcpAddress {
    std::string host;
    int port = 0;

    static Result<TcpAddress> parse(const std::string& text);
    std::string text() const;
};

// 32 random bytes as hexadecimal digits.
Result<std::string> newRankToken();

// A connection with a peer that knows the token. Thread: one at a time, except shutDown().
class TcpSocket {
public:
    TcpSocket() = default;
    // Connects and authenticates; retries until the deadline while nothing listens. error: failure, also if
    // the peer has another token; interrupted.
    static Result<TcpSocket> connect(const TcpAddress& address, const std::string& token, Deadline deadline,
                                     const std::stop_token& stop = {});
    // Authenticates the peer of an accepted connection.
    static Result<TcpSocket> accepted(Descriptor descriptor, const std::string& token, Deadline deadline);

    explicit operator bool() const { return static_cast<bool>(descriptor_); }
    // Sends `out` and fills `in` at the same time. error: the connection is lost, or the deadline has passed.
    Result<> exchange(std::span<const std::byte> out, std::span<std::byte> in, Deadline deadline);
    // Messages with their size. error: as above; a message above `most` bytes.
    Result<> sendMessage(std::span<const std::uint8_t> message, Deadline deadline);
    Result<std::vector<std::uint8_t>> receiveMessage(std::uint64_t most, Deadline deadline);
    Result<> sendJson(const Json& message, Deadline deadline);
    Result<Json> receiveJson(Deadline deadline);
    // Ends pending and later operations of both ends. Thread: any.
    void shutDown();
    void close() { descriptor_.reset(); }
    // The numeric addresses of the peer and of this end.
    std::string peerHost() const { return hostOf(true); }
    std::string localHost() const { return hostOf(false); }

private:
    explicit TcpSocket(Descriptor descriptor) : descriptor_(std::move(descriptor)) {}
    std::string hostOf(bool peer) const;
    Result<> proveTo(const std::string& token, Deadline deadline);
    Result<> checkPeer(const std::string& token, Deadline deadline);

    Descriptor descriptor_;
};

// Thread: one at a time.
class TcpListener {
public:
    // Port 0: any free port.
    static Result<TcpListener> create(const TcpAddress& address);
    int port() const { return port_; }
    // The next connection of a peer that knows the token; others are closed. nullopt at the deadline or
    // after a stop request.
    Result<std::optional<TcpSocket>> accept(const std::string& token, Deadline deadline,
                                            const std::stop_token& stop = {});

private:
    Descriptor descriptor_;
    int port_ = 0;
};

}  // namespace seedbed
