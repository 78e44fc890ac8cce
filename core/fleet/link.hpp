// SPDX-License-Identifier: Apache-2.0
// Connections between a learner and its actors: the seam between the fleet and the module that uses gRPC.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.hpp"

namespace seedbed {

using Bytes = std::vector<std::uint8_t>;

// One end of a connection for whole messages, which arrive in order. The destructor closes it. Thread:
// receive(): one owner; others: any.
class Link {
public:
    virtual ~Link() = default;
    // Never waits. If the connection is lost, receive() reports it.
    virtual void send(Bytes message) = 0;
    // The number of messages that were passed to send() and wait, because the other side does not read.
    virtual std::size_t unsent() = 0;
    // Ends the connection and drops the messages that wait. The destructor sends them, for at most 10 s.
    virtual void cut() = 0;
    // Whether receive() returns without waiting.
    virtual bool isReady() = 0;
    // The next message. At most one message is buffered, so a sender that is too fast has to wait. error:
    // failure: the connection is lost; stalled: nothing arrived within `timeout_s` (< 0: no limit);
    // interrupted.
    virtual Result<Bytes> receive(double timeout_s, const std::stop_token& stop) = 0;
};

// The certificate of one side and the authority that signed those of both, as PEM.
struct LinkIdentity {
    std::string authority, certificate, key;
};

// Accepts connections until it is destroyed.
class LinkListener {
public:
    virtual ~LinkListener() = default;
    virtual int port() const = 0;
};

class LinkTransport {
public:
    virtual ~LinkTransport() = default;
    // `accepted` is called on a thread of the transport and must not wait. Messages of more than `max_bytes`
    // end their connection. Callers without a certificate of the same authority are refused.
    virtual Result<std::unique_ptr<LinkListener>> listen(
        const std::string& address, const LinkIdentity& identity, std::size_t max_bytes,
        std::function<void(std::unique_ptr<Link>)> accepted) = 0;
    // error: stalled: nothing answers within `timeout_s`; interrupted. Other failures may also be reported by
    // the link's receive().
    virtual Result<std::unique_ptr<Link>> connect(const std::string& address, const LinkIdentity& identity,
                                                  std::size_t max_bytes, double timeout_s,
                                                  const std::stop_token& stop) = 0;
};

// The transport of seedbed_grpc.so, which is loaded on first use. error: config, if it was not built.
Result<LinkTransport*> loadLinkTransport();

// The function that the module exports. `version` must equal kVersion, because both are from the same build.
inline constexpr const char* kLinkTransportEntry = "seedbedLinkTransport";
using LinkTransportEntry = LinkTransport* (*)(const char* version);
// The name in the certificates of all learners.
inline constexpr const char* kLearnerName = "seedbed-learner";

}  // namespace seedbed
