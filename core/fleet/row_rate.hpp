// SPDX-License-Identifier: Apache-2.0
// How many rows per second a group has received recently.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

namespace seedbed {

// Thread: one owner.
class RowRate {
public:
    // `rows`: the number of all rows at `now_s`, seconds of a monotonic clock.
    void add(double now_s, std::uint64_t rows) {
        samples_.emplace_back(now_s, rows);
        // Keeps the newest sample that is at least as old as the window.
        while (samples_.size() > 2 && samples_[1].first <= now_s - kWindowS) samples_.pop_front();
    }
    // Average over the window; nullopt until there are two samples.
    std::optional<double> perSecond() const {
        if (samples_.size() < 2 || samples_.back().first <= samples_.front().first) return std::nullopt;
        return static_cast<double>(samples_.back().second - samples_.front().second) /
               (samples_.back().first - samples_.front().first);
    }

    static constexpr double kWindowS = 10;

private:
    std::deque<std::pair<double, std::uint64_t>> samples_;  // time and number of rows
};

}  // namespace seedbed
