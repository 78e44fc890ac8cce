// SPDX-License-Identifier: Apache-2.0
// Waking a thread of another process: a counter in shared memory that can be slept on.
#pragma once

#include <atomic>
#include <cstdint>
#include <stop_token>

#include "core/ipc/descriptor.hpp"

namespace seedbed {

// Lives in shared memory; zero bytes are its initial state. The waiter reads sequence(), looks at what it
// waits for, and sleeps only while the sequence is still the same, so no wake-up is ever lost. A changed
// sequence means "look again", never "it is there": stop requests and hostile peers change it too. Thread:
// any, of any process.
struct alignas(64) WakeWord {
    std::atomic<std::uint32_t> count;
    std::atomic<std::uint32_t>
        waiters;  // a process that dies asleep leaves it too high, which costs one system call per notify()

    std::uint32_t sequence() const { return count.load(std::memory_order_acquire); }
    // Everything written before is visible to who wakes. Costs no system call while nobody sleeps.
    void notify();
    // Until the sequence differs from `seen` (ready), stop is requested or the deadline passes.
    WaitResult wait(std::uint32_t seen, const std::stop_token& stop, Deadline deadline);
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free && sizeof(std::atomic<std::uint32_t>) == 4);

}  // namespace seedbed
