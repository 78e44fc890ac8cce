// SPDX-License-Identifier: Apache-2.0
// The mailbox protocol: two sequence numbers, two wake words, two slots.
#include "core/ipc/mailbox.hpp"

#include <utility>

#include "core/ipc/wake.hpp"

namespace seedbed {

// The start of the segment. The request slot and the response slot follow, each at a multiple of 64 bytes.
// Each cache line has one writer.
struct MailboxShared {
    alignas(64) std::atomic<std::uint64_t> requested;
    alignas(64) std::atomic<std::uint64_t> answered;
    WakeWord request_wake;   // the worker waits on it
    WakeWord response_wake;  // the host waits on it
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free && sizeof(MailboxShared) == 256);

namespace {

constexpr std::uint32_t kLayoutVersion = 1;

std::size_t padded(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

SegmentKind kindOf(const MailboxLayout& layout) {
    return {segmentKind("mail"), kLayoutVersion, layout.contract};
}

std::size_t sizeOf(const MailboxLayout& layout) {
    return sizeof(MailboxShared) + padded(layout.request_bytes) + padded(layout.response_bytes);
}

// Waits on `word` until the state is `wanted`.
template <class StateNow>
Result<MailboxWait> awaitState(WakeWord& word, const StateNow& stateNow, MailboxState wanted,
                               const std::atomic<bool>& peer_gone, const std::stop_token& stop,
                               Deadline deadline) {
    while (true) {
        const std::uint32_t seen = word.sequence();
        const MailboxState state = stateNow();
        if (state == MailboxState::broken) return fail("the other process violated the mailbox protocol");
        // A complete answer counts even if its writer has exited since.
        if (state == wanted) return MailboxWait::ready;
        if (peer_gone.load(std::memory_order_acquire)) return MailboxWait::peer_gone;
        const WaitResult waited = word.wait(seen, stop, deadline);
        if (waited == WaitResult::stopped) return MailboxWait::stopped;
        if (waited == WaitResult::timed_out) return MailboxWait::timed_out;
    }
}

}  // namespace

MailboxState mailboxState(std::uint64_t requested, std::uint64_t answered) {
    if (requested == answered) return MailboxState::idle;
    return requested == answered + 1 ? MailboxState::busy : MailboxState::broken;
}

MailboxSide::MailboxSide(SharedSegment segment, const MailboxLayout& layout)
    : segment_(std::move(segment)),
      layout_(layout),
      shared_(reinterpret_cast<MailboxShared*>(segment_.bytes().data())),
      peer_gone_(std::make_unique<std::atomic<bool>>(false)) {}
MailboxSide::MailboxSide(MailboxSide&&) noexcept = default;
MailboxSide::~MailboxSide() = default;

void MailboxSide::markPeerGone() {
    peer_gone_->store(true, std::memory_order_release);
    // Each side waits on one of the two words.
    shared_->request_wake.notify();
    shared_->response_wake.notify();
}

std::span<std::byte> MailboxSide::requestSlot() {
    return segment_.bytes().subspan(sizeof(MailboxShared), layout_.request_bytes);
}

std::span<std::byte> MailboxSide::responseSlot() {
    return segment_.bytes().subspan(sizeof(MailboxShared) + padded(layout_.request_bytes),
                                    layout_.response_bytes);
}

Result<MailboxHost> MailboxHost::create(const MailboxLayout& layout) {
    // New memory is zero, the initial state of every member.
    SEEDBED_ASSIGN(SharedSegment segment, SharedSegment::create("mailbox", kindOf(layout), sizeOf(layout)));
    return MailboxHost(std::move(segment), layout);
}

Result<> MailboxHost::post() {
    const std::uint64_t answered = shared_->answered.load(std::memory_order_acquire);
    if (mailboxState(requested_, answered) != MailboxState::idle)
        return fail(
            "a request was posted before the last one was answered, or the worker violated the mailbox "
            "protocol");
    shared_->requested.store(++requested_, std::memory_order_release);
    shared_->request_wake.notify();
    return {};
}

Result<MailboxWait> MailboxHost::await(const std::stop_token& stop, Deadline deadline) {
    const auto stateNow = [&] {
        return mailboxState(requested_, shared_->answered.load(std::memory_order_acquire));
    };
    return awaitState(shared_->response_wake, stateNow, MailboxState::idle, *peer_gone_, stop, deadline);
}

Result<MailboxWorker> MailboxWorker::attach(Descriptor descriptor, const MailboxLayout& layout) {
    SEEDBED_ASSIGN(SharedSegment segment,
                   SharedSegment::attach(std::move(descriptor), kindOf(layout), sizeOf(layout),
                                         SharedSegment::Access::read_write));
    return MailboxWorker(std::move(segment), layout);
}

Result<MailboxWait> MailboxWorker::await(const std::stop_token& stop, Deadline deadline) {
    const auto stateNow = [&] {
        return mailboxState(shared_->requested.load(std::memory_order_acquire), answered_);
    };
    return awaitState(shared_->request_wake, stateNow, MailboxState::busy, *peer_gone_, stop, deadline);
}

void MailboxWorker::answer() {
    shared_->answered.store(++answered_, std::memory_order_release);
    shared_->response_wake.notify();
}

}  // namespace seedbed
