// SPDX-License-Identifier: Apache-2.0
// One request and one response slot in shared memory, between a host (trusted) and a worker process (not
// trusted).
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

// Sizes of the two slots; both sides compute them from the same specs, whose hash is the segment's contract.
struct MailboxLayout {
    std::size_t request_bytes = 0;
    std::size_t response_bytes = 0;
    std::array<std::uint8_t, 32> contract{};
};

// The two sequence numbers are the whole state: the host alone writes `requested`, the worker alone
// `answered`.
//   requested == answered      idle: the host may write the request slot and read the response slot
//   requested == answered + 1  busy: the worker may read the request slot and write the response slot
//   anything else              broken: a side did not keep to this; the mailbox is of no use any more
enum class MailboxState { idle, busy, broken };
MailboxState mailboxState(std::uint64_t requested, std::uint64_t answered);

enum class MailboxWait { ready, stopped, timed_out, peer_gone };

struct MailboxShared;

// What both sides share. Thread: one per side, except markPeerGone().
class MailboxSide {
public:
    MailboxSide(MailboxSide&&) noexcept;
    ~MailboxSide();

    // Makes waits of this side return peer_gone, now and ever after. Thread: any; called by whoever watches
    // the other process.
    void markPeerGone();
    const SharedSegment& segment() const { return segment_; }

protected:
    MailboxSide(SharedSegment segment, const MailboxLayout& layout);
    std::span<std::byte> requestSlot();
    std::span<std::byte> responseSlot();

    SharedSegment segment_;
    MailboxLayout layout_;  // private copy: nothing that a peer can write decides about an address
    MailboxShared* shared_ = nullptr;
    std::unique_ptr<std::atomic<bool>> peer_gone_;
};

class MailboxHost final : public MailboxSide {
public:
    static Result<MailboxHost> create(const MailboxLayout& layout);

    // To be filled while no request is under way.
    std::span<std::byte> request() { return requestSlot(); }
    // Hands the slot to the worker. error: failure when the last request is still unanswered or the worker
    // broke the protocol.
    Result<> post();
    // Until the posted request is answered. error: failure when the worker broke the protocol.
    Result<MailboxWait> await(const std::stop_token& stop, Deadline deadline);
    // After `ready`, until the next post(). The worker can write to it at any time: copy, then check the
    // copy.
    std::span<const std::byte> response() { return responseSlot(); }

private:
    explicit MailboxHost(SharedSegment segment, const MailboxLayout& layout)
        : MailboxSide(std::move(segment), layout) {}
    std::uint64_t requested_ = 0;  // private truth; the shared copy is for the worker
};

class MailboxWorker final : public MailboxSide {
public:
    // `descriptor` came from the host. error: failure, with what does not fit.
    static Result<MailboxWorker> attach(Descriptor descriptor, const MailboxLayout& layout);

    // Until there is a request. error: failure when the host broke the protocol.
    Result<MailboxWait> await(const std::stop_token& stop, Deadline deadline);
    // After `ready`, until answer().
    std::span<const std::byte> request() { return requestSlot(); }
    std::span<std::byte> response() { return responseSlot(); }
    void answer();

private:
    explicit MailboxWorker(SharedSegment segment, const MailboxLayout& layout)
        : MailboxSide(std::move(segment), layout) {}
    std::uint64_t answered_ = 0;
};

}  // namespace seedbed
