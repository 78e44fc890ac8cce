// SPDX-License-Identifier: Apache-2.0
// A gate that threads of a session pass between rows: while it is closed they wait, so that their state can
// be saved.
#pragma once

#include <atomic>
#include <chrono>
#include <stop_token>

#include "core/base/mutex.hpp"

namespace seedbed {

// Passing an open gate costs one load. Threads: pass() and passSealed(): the members'; others: the owner's.
class Gate {
public:
    bool closed() const { return closed_.load(std::memory_order_acquire); }
    // Waits while the gate is closed, until a stop request.
    void pass(const std::stop_token& stop) {
        if (closed()) hold(stop);
    }
    // For members in the middle of a row: waits only at a sealed gate.
    void passSealed(const std::stop_token& stop) {
        if (sealed_.load(std::memory_order_seq_cst)) hold(stop);
    }
    void close() {
        const MutexLock lock(mutex_);
        closed_.store(true, std::memory_order_release);
    }
    // Call after close(). From then on, the gate also holds members that return from an environment.
    void seal() { sealed_.store(true, std::memory_order_seq_cst); }
    bool isSealed() const { return sealed_.load(std::memory_order_seq_cst); }
    // Waits until `members` threads are held; false after `timeout`.
    bool waitUntilHeld(int members, std::chrono::milliseconds timeout) {
        MutexLock lock(mutex_);
        return changed_.waitFor(lock, timeout,
                                [this, members]() SEEDBED_REQUIRES(mutex_) { return held_ >= members; });
    }
    void open() {
        {
            const MutexLock lock(mutex_);
            sealed_.store(false, std::memory_order_release);
            closed_.store(false, std::memory_order_release);
        }
        changed_.notifyAll();
    }

private:
    void hold(const std::stop_token& stop) {
        MutexLock lock(mutex_);
        ++held_;
        changed_.notifyAll();
        changed_.wait(lock, stop, [this] { return !closed(); });
        --held_;
    }

    std::atomic<bool> closed_{false}, sealed_{false};
    Mutex mutex_;
    StoppableConditionVariable changed_;
    int held_ SEEDBED_GUARDED_BY(mutex_) = 0;
};

}  // namespace seedbed
