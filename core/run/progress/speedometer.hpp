// SPDX-License-Identifier: Apache-2.0
// The speed of a run, and the range of speeds for estimating the time left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>

namespace seedbed {

// Steps per second over the last ten seconds. Thread: one owner.
class Speedometer {
public:
    // `time`: seconds, never decreases; `steps`: total at that time.
    void add(double time, std::uint64_t steps);
    double mean() const { return points_.empty() ? 0 : rate(0, points_.size() - 1); }
    // Slowest and fastest of the four quarters of the window.
    std::pair<double, double> range() const;

private:
    struct Point {
        double time;
        std::uint64_t steps;
    };
    double rate(std::size_t first, std::size_t last) const;
    std::deque<Point> points_;
};

}  // namespace seedbed
