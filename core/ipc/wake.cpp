// SPDX-License-Identifier: Apache-2.0
// Wake words on futexes that are shared between processes.
#include "core/ipc/wake.hpp"

#include <cerrno>
#include <climits>
#include <ctime>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace seedbed {

namespace {

// FUTEX_WAIT_BITSET takes an absolute time of CLOCK_MONOTONIC, so an interrupted wait needs no recalculation.
// Not FUTEX_PRIVATE, because the memory is shared between processes.
long futexWait(std::atomic<std::uint32_t>& word, std::uint32_t expected, const std::timespec* deadline) {
    return ::syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, expected, deadline, nullptr,
                     FUTEX_BITSET_MATCH_ANY);
}

void futexWakeAll(std::atomic<std::uint32_t>& word) {
    ::syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace

void WakeWord::notify() {
    // Sequentially consistent on both sides: either the waiter sees the new count, or this thread sees the
    // waiter.
    count.fetch_add(1, std::memory_order_seq_cst);
    if (waiters.load(std::memory_order_seq_cst) != 0) futexWakeAll(count);
}

WaitResult WakeWord::wait(std::uint32_t seen, const std::stop_token& stop, Deadline deadline) {
    if (sequence() != seen) return WaitResult::ready;
    waiters.fetch_add(1, std::memory_order_seq_cst);
    const std::timespec until{deadline / 1'000'000'000, deadline % 1'000'000'000};
    WaitResult result = WaitResult::ready;
    {
        // If a stop was already requested, this callback runs immediately and changes the count, so the wait
        // below returns immediately.
        const std::stop_callback on_stop(stop, [this] { notify(); });
        while (count.load(std::memory_order_seq_cst) == seen) {
            if (futexWait(count, seen, deadline == kNoDeadline ? nullptr : &until) != 0 &&
                errno == ETIMEDOUT) {
                if (count.load(std::memory_order_seq_cst) == seen) result = WaitResult::timed_out;
                break;
            }
        }
    }
    waiters.fetch_sub(1, std::memory_order_seq_cst);
    return stop.stop_requested() ? WaitResult::stopped : result;
}

}  // namespace seedbed
