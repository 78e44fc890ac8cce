// SPDX-License-Identifier: Apache-2.0
// The gate that threads of a session pass between rows: closed, it holds them still, so that their state can
// be saved.
#pragma once

#include <atomic>
#include <chrono>
#include <stop_token>

#include "core/base/mutex.hpp"

namespace seedbed {

// While it is open, passing costs one load. Threads: pass() and passSealed() members; the rest the owner.
class Gate {
public:
    bool closed() const { return closed_.load(std::memory_order_acquire); }
    // Waits while the gate is closed; goes through when stopped.
    void pass(const std::stop_token& stop) {
        if (closed()) hold(stop);
    }
    // For members in the middle of a row: they are held only by a sealed gate.
    void passSealed(const std::stop_token& stop) {
        if (sealed_.load(std::memory_order_seq_cst)) hold(stop);
    }
    void close() {
        const MutexLock lock(mutex_);
        closed_.store(true, std::memory_order_release);
    }
    // After close(): holds those too that come out of an environment from now on.
    void seal() { sealed_.store(true, std::memory_order_seq_cst); }
    // Until `members` threads are held; false after `limit`.
    bool waitForStillness(int members, std::chrono::milliseconds limit) {
        MutexLock lock(mutex_);
        return changed_.waitFor(lock, limit,
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
