// SPDX-License-Identifier: Apache-2.0
// A curve with an index for drawing any part of it quickly, and its statistics.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/analysis/curve.hpp"

namespace seedbed {

// Statistics of the points with a finite y; the numbers are NaN if there are no such points.
struct CurveStatistics {
    std::size_t points = 0, gaps = 0;
    double first_x, last_x, first, last;
    double min, max, mean;
    double min_x, max_x;  // first x at which each extreme occurs
};

// Immutable. Thread: any.
class CurveIndex {
public:
    explicit CurveIndex(Curve curve);

    const Curve& curve() const { return curve_; }
    const CurveStatistics& statistics() const { return statistics_; }

    // Returns the same points as reduceToColumns() without reading every point of the curve. log_x: the
    // columns are evenly spaced in log x, points with x <= 0 are omitted, and low must be > 0.
    Curve reduce(double low, double high, int columns, bool log_x = false) const;

    // Index of the point with finite y nearest to x; size() if there is no such point.
    std::size_t nearest(double x) const;

private:
    // Extremes of kSmall or kLarge points and their first indices. A bucket with gaps is not used.
    struct Bucket {
        double low, high;
        std::size_t low_at, high_at;
        bool gap = false;
    };
    static constexpr std::size_t kSmall = 64, kLarge = 512;
    static std::vector<Bucket> bucketsOf(const Curve& curve, std::size_t points);

    Curve curve_;
    std::vector<Bucket> small_, large_;  // without the incomplete last one
    CurveStatistics statistics_;
};

}  // namespace seedbed
