// SPDX-License-Identifier: Apache-2.0
// The time that a caller grants to work that continues in its next call.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

namespace seedbed {

// Counts from its construction. Thread: one owner.
class TimeBudget {
public:
    using Clock = std::chrono::steady_clock;

    static TimeBudget unlimited() { return {}; }
    explicit TimeBudget(std::chrono::nanoseconds limit) : end_(Clock::now() + limit) {}

    bool isLimited() const { return end_.has_value(); }
    // Whether work that takes `expected` can end in time.
    bool fits(std::chrono::nanoseconds expected) const { return !end_ || Clock::now() + expected <= *end_; }

private:
    TimeBudget() = default;
    std::optional<Clock::time_point> end_;
};

// The expected duration of a repeated piece of work: the longest recent one. Thread: one owner.
class WorkTime {
public:
    std::chrono::nanoseconds expected() const { return expected_; }
    void add(std::chrono::nanoseconds duration) {
        expected_ = std::max(duration, expected_ - expected_ / kForgetting);
    }

private:
    static constexpr int kForgetting = 16;  // after a longer one, the expectation falls by this part
    std::chrono::nanoseconds expected_{0};
};

}  // namespace seedbed
