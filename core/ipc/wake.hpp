// SPDX-License-Identifier: Apache-2.0
// Wake-ups between processes: a counter in shared memory that threads can wait on.
#pragma once

#include <atomic>
#include <cstdint>
#include <stop_token>

#include "core/ipc/descriptor.hpp"

namespace seedbed {

// A wake-up counter in shared memory; its initial state is all zero bytes. A waiter reads sequence(), checks
// its condition, and then waits only while the sequence is unchanged, so no wake-up is lost. A changed
// sequence means "check again": stop requests and malicious peers also change it. Thread: any, of any
// process.
struct alignas(64) WakeWord {
    std::atomic<std::uint32_t> count;
    // a process that is killed while waiting leaves the count too high, which costs one system call per
    // notify()
    std::atomic<std::uint32_t> waiters;

    std::uint32_t sequence() const { return count.load(std::memory_order_acquire); }
    // Wakes all waiters. Writes before the call are visible to them. Makes no system call if there are no
    // waiters.
    void notify();
    // Waits until the sequence differs from `seen` (ready), a stop is requested or the deadline passes.
    WaitResult wait(std::uint32_t seen, const std::stop_token& stop, Deadline deadline);
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free && sizeof(std::atomic<std::uint32_t>) == 4);

}  // namespace seedbed
