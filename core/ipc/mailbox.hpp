// SPDX-License-Identifier: Apache-2.0
// A request slot and a response slot in shared memory, between a trusted host and an untrusted worker
// process.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>

#include "core/base/error.hpp"
#include "core/ipc/descriptor.hpp"
#include "core/ipc/shared_segment.hpp"

namespace seedbed {

// The sizes of the two slots. Both sides compute them from the same specs, whose hash is `contract`.
struct MailboxLayout {
    std::size_t request_bytes = 0;
    std::size_t response_bytes = 0;
    std::array<std::uint8_t, 32> contract{};
};

// The state follows from two sequence numbers; only the host writes `requested`, only the worker `answered`.
//   requested == answered      idle: the host may write the request slot and read the response slot
//   requested == answered + 1  busy: the worker may read the request slot and write the response slot
//   anything else              broken: a side violated the protocol
enum class MailboxState { idle, busy, broken };
MailboxState mailboxState(std::uint64_t requested, std::uint64_t answered);

enum class MailboxWait { ready, stopped, timed_out, peer_gone };

struct MailboxShared;

// The common part of both sides. Thread: one per side; markPeerGone(): any.
class MailboxSide {
public:
    MailboxSide(MailboxSide&&) noexcept;
    ~MailboxSide();

    // Makes current and later waits of this side return peer_gone. Called when the other process exits.
    void markPeerGone();
    const SharedSegment& segment() const { return segment_; }

protected:
    MailboxSide(SharedSegment segment, const MailboxLayout& layout);
    std::span<std::byte> requestSlot();
    std::span<std::byte> responseSlot();

    SharedSegment segment_;
    MailboxLayout layout_;  // private copy: a peer must not be able to influence addresses
    MailboxShared* shared_ = nullptr;
    std::unique_ptr<std::atomic<bool>> peer_gone_;
};

class MailboxHost final : public MailboxSide {
public:
    static Result<MailboxHost> create(const MailboxLayout& layout);

    // The request slot. Write to it only while no request is pending.
    std::span<std::byte> request() { return requestSlot(); }
    // Passes the request to the worker. error: failure if the previous request is unanswered or the worker
    // violated the protocol.
    Result<> post();
    // Waits until the posted request is answered. error: failure if the worker violated the protocol.
    Result<MailboxWait> await(const std::stop_token& stop, Deadline deadline);
    // The response slot; valid from the time await() returns `ready` until the next post(). The worker can
    // modify it at any time: copy first, then check the copy.
    std::span<const std::byte> response() { return responseSlot(); }

private:
    explicit MailboxHost(SharedSegment segment, const MailboxLayout& layout)
        : MailboxSide(std::move(segment), layout) {}
    std::uint64_t requested_ = 0;  // authoritative; the shared copy is only for the worker
};

class MailboxWorker final : public MailboxSide {
public:
    // `descriptor` comes from the host. error: failure, with the mismatch.
    static Result<MailboxWorker> attach(Descriptor descriptor, const MailboxLayout& layout);

    // Waits for a request. error: failure if the host violated the protocol.
    Result<MailboxWait> await(const std::stop_token& stop, Deadline deadline);
    // Both are valid from the time await() returns `ready` until answer().
    std::span<const std::byte> request() { return requestSlot(); }
    std::span<std::byte> response() { return responseSlot(); }
    void answer();

private:
    explicit MailboxWorker(SharedSegment segment, const MailboxLayout& layout)
        : MailboxSide(std::move(segment), layout) {}
    std::uint64_t answered_ = 0;
};

}  // namespace seedbed
