// SPDX-License-Identifier: Apache-2.0
// The gate that threads of a session pass between rows: closed, it holds them still, so that their state can
// be saved.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>

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
        const std::scoped_lock guard(mutex_);
        closed_.store(true, std::memory_order_release);
    }
    // After close(): holds those too that come out of an environment from now on.
    void seal() { sealed_.store(true, std::memory_order_seq_cst); }
    // Until `members` threads are held; false after `limit`.
    bool waitForStillness(int members, std::chrono::milliseconds limit) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, limit, [&] { return held_ >= members; });
    }
    void open() {
        {
            const std::scoped_lock guard(mutex_);
            sealed_.store(false, std::memory_order_release);
            closed_.store(false, std::memory_order_release);
        }
        changed_.notify_all();
    }

private:
    void hold(const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        ++held_;
        changed_.notify_all();
        changed_.wait(lock, stop, [this] { return !closed(); });
        --held_;
    }

    std::atomic<bool> closed_{false}, sealed_{false};
    std::mutex mutex_;
    std::condition_variable_any changed_;
    int held_ = 0;
};

}  // namespace seedbed
