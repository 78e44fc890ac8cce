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

    // The same points as reduceToColumns(), without looking at each of them. log_x: the columns are evenly spaced in log x, and points with
    // x <= 0 are left out; then low > 0.
    Curve reduce(double low, double high, int columns, bool log_x = false) const;

    // The point with finite y that is nearest to x; size() when there is none.
    std::size_t nearest(double x) const;

private:
    static constexpr std::size_t kBucket = 64;
    struct Bucket {
        std::uint8_t low = 0, high = 0;  // offsets of the first extremes
        bool gap = false;                // some y is not finite: look at each point
    };

    Curve curve_;
    std::vector<Bucket> buckets_;  // whole ones only
    CurveStatistics statistics_;
};

}  // namespace seedbed
