// SPDX-License-Identifier: Apache-2.0
// The time allowed after a stop request: a grace period in which short work is completed and longer work is
// abandoned, and a time budget shared by all phases of stopping.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <utility>

#include "core/base/os/clock.hpp"

namespace seedbed {

// Long enough to complete most updates and short enough to seem immediate.
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

// Two seconds, minus the minimum time of up to five phases that start after the budget is spent, and minus
// the time for a checkpoint.
inline constexpr std::chrono::milliseconds kStopTime{1300};
inline constexpr std::chrono::milliseconds kLeastPhaseTime{100};

// Divides kStopTime among the phases of a stop: each phase reduces the time left for the next ones. Thread:
// any, after construction.
class StopBudget {
public:
    // `clock` must outlive this object.
    StopBudget(std::stop_token stop, const Clock& clock)
        : clock_(clock),
          on_stop_(std::move(stop), [this] { requested_ns_.store(clock_.monotonicNs() | 1); }) {}

    // How long a phase that starts now may take: `limit`; after a stop request, at most the remaining budget,
    // but at least kLeastPhaseTime.
    std::chrono::milliseconds left(std::chrono::milliseconds limit) const {
        const std::int64_t requested = requested_ns_.load();
        if (requested == 0) return limit;
        const std::chrono::nanoseconds used(clock_.monotonicNs() - requested);
        const auto rest = std::chrono::floor<std::chrono::milliseconds>(kStopTime - used);
        return std::min(limit, std::max(rest, kLeastPhaseTime));
    }

private:
    const Clock& clock_;
    std::atomic<std::int64_t> requested_ns_{0};
    std::stop_callback<std::function<void()>> on_stop_;  // last: its constructor may call the callback
};

}  // namespace seedbed
