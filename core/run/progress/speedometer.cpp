// SPDX-License-Identifier: Apache-2.0
#include "core/run/progress/speedometer.hpp"

#include <algorithm>

namespace seedbed {
namespace {

constexpr double kSpeedWindowSeconds = 10;

}  // namespace

void Speedometer::add(double time, std::uint64_t steps) {
    points_.push_back({time, steps});
    while (points_.size() > 2 && time - points_.front().time > kSpeedWindowSeconds) points_.pop_front();
}

std::pair<double, double> Speedometer::range() const {
    double low = mean(), high = low;
    const std::size_t quarter = points_.size() / 4;
    for (std::size_t q = 0; quarter > 0 && q < 4; ++q) {
        const double r = rate(q * quarter, std::min((q + 1) * quarter, points_.size() - 1));
        low = std::min(low, r);
        high = std::max(high, r);
    }
    return {low, high};
}

double Speedometer::rate(std::size_t first, std::size_t last) const {
    if (points_.size() < 2 || points_[last].time <= points_[first].time) return 0;
    return static_cast<double>(points_[last].steps - points_[first].steps) /
           (points_[last].time - points_[first].time);
}

}  // namespace seedbed
