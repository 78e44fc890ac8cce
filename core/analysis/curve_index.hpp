// SPDX-License-Identifier: Apache-2.0
// A curve with what is needed to draw any stretch of it quickly, and its statistics over all points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/analysis/curve.hpp"

namespace seedbed {

// Over the points with a finite y. All not-a-number when there is none.
struct CurveStatistics {
    std::size_t points = 0, gaps = 0;
    double first_x, last_x, first, last;
    double min, max, mean;
    double min_x, max_x;  // where the extremes are, for the first time
};

// Immutable. Thread: any.
class CurveIndex {
public:
    explicit CurveIndex(Curve curve);

    const Curve& curve() const { return curve_; }
    const CurveStatistics& statistics() const { return statistics_; }

    // The same points as reduceToColumns(), without looking at each of them. log_x: the columns are evenly
    // spaced in log x, and points with x <= 0 are left out; then low > 0.
    Curve reduce(double low, double high, int columns, bool log_x = false) const;

    // The point with finite y that is nearest to x; size() when there is none.
    std::size_t nearest(double x) const;

private:
    // Extremes of as many points as its level has, for the first time; points without any finite y among them
    // have to be looked at.
    struct Bucket {
        double low, high;
        std::size_t low_at, high_at;
        bool gap = false;
    };
    static constexpr std::size_t kSmall = 64, kLarge = 512;
    static std::vector<Bucket> bucketsOf(const Curve& curve, std::size_t points);

    Curve curve_;
    std::vector<Bucket> small_, large_;  // whole ones only
    CurveStatistics statistics_;
};

}  // namespace seedbed
