// SPDX-License-Identifier: Apache-2.0
// A stop request with a grace period: work that finishes within it is completed, longer work is abandoned.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <utility>

namespace seedbed {

// Long enough to complete most updates, short enough to seem immediate.
inline constexpr std::chrono::milliseconds kStopGrace{1000};

// Thread: any, after construction.
class StopGrace {
public:
    StopGrace(std::stop_token stop, std::chrono::milliseconds grace)
        : grace_ns_(std::chrono::nanoseconds(grace).count()),
          on_stop_(std::move(stop), [this] { requested_ns_.store(nowNs(), std::memory_order_relaxed); }) {}

    // Whether a stop was requested at least the grace period ago.
    bool isOver() const {
        const std::int64_t requested = requested_ns_.load(std::memory_order_relaxed);
        return requested != 0 && nowNs() - requested >= grace_ns_;
    }

private:
    // Monotonic; never 0.
    static std::int64_t nowNs() { return std::chrono::steady_clock::now().time_since_epoch().count() | 1; }

    std::int64_t grace_ns_;
    std::atomic<std::int64_t> requested_ns_{0};
    std::stop_callback<std::function<void()>> on_stop_;  // last: its constructor may call the callback
};

}  // namespace seedbed
