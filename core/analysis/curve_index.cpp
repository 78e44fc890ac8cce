// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/curve_index.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.hpp"

namespace seedbed {
namespace {

CurveStatistics statisticsOf(const Curve& curve) {
    CurveStatistics s{0, 0, kGap, kGap, kGap, kGap, kGap, kGap, kGap, kGap, kGap};
    double mean = 0;
    for (std::size_t i = 0; i < curve.size(); ++i) {
        const double y = curve.y[i];
        if (!std::isfinite(y)) {
            ++s.gaps;
            continue;
        }
        if (++s.points == 1) {
            s.first_x = s.min_x = s.max_x = curve.x[i];
            s.first = s.min = s.max = y;
        }
        s.last_x = curve.x[i];
        s.last = y;
        if (y < s.min) {
            s.min = y;
            s.min_x = curve.x[i];
        }
        if (y > s.max) {
            s.max = y;
            s.max_x = curve.x[i];
        }
        mean += (y - mean) / static_cast<double>(s.points);
    }
    if (s.points > 0) s.mean = mean;
    return s;
}

}  // namespace

std::vector<CurveIndex::Bucket> CurveIndex::bucketsOf(const Curve& curve, std::size_t points) {
    std::vector<Bucket> buckets(curve.size() / points);
    for (std::size_t b = 0; b < buckets.size(); ++b) {
        const std::size_t first = b * points;
        Bucket bucket{curve.y[first], curve.y[first], first, first};
        for (std::size_t i = first; i < first + points; ++i) {
            const double y = curve.y[i];
            if (!std::isfinite(y)) bucket.gap = true;
            if (y < bucket.low) {
                bucket.low = y;
                bucket.low_at = i;
            }
            if (y > bucket.high) {
                bucket.high = y;
                bucket.high_at = i;
            }
        }
        buckets[b] = bucket;
    }
    return buckets;
}

CurveIndex::CurveIndex(Curve curve)
    : curve_(std::move(curve)),
      small_(bucketsOf(curve_, kSmall)),
      large_(bucketsOf(curve_, kLarge)),
      statistics_(statisticsOf(curve_)) {}

namespace {

// Assigns the points of a curve to pixel columns.
class ColumnGrid {
public:
    ColumnGrid(const Curve& curve, double low, double high, int columns, bool log_x)
        : curve_(curve), low_(low), high_(high), columns_(columns), log_x_(log_x), origin_(scaled(low)) {
        per_unit_ = columns / (scaled(high) - origin_);
    }

    // Neighbours outside the range have separate columns.
    double columnOf(std::size_t i) const {
        const double x = curve_.x[i];
        if (x < low_) return -1;
        if (x > high_) return columns_;
        return std::min<double>(std::floor((scaled(x) - origin_) * per_unit_), columns_ - 1);
    }

    // The first point after i and before `end` that is not in the column of i. Searches with increasing
    // steps, starting with the length of the previous column.
    std::size_t columnEnd(std::size_t i, std::size_t end) {
        const double column = columnOf(i);
        std::size_t inside = i;
        std::size_t beyond = std::min(end, i + length_);
        for (std::size_t step = 1; beyond < end && columnOf(beyond) == column; step *= 2) {
            inside = beyond;
            beyond = std::min(end, beyond + step);
        }
        // Searches backwards from `beyond`, which is usually near the end of the column.
        for (std::size_t step = 1; beyond - inside > 1; step *= 2) {
            const std::size_t probe =
                std::max(inside + (beyond - inside) / 2, beyond - std::min(step, beyond - inside - 1));
            if (columnOf(probe) == column) {
                inside = probe;
                step = 1;
            } else {
                beyond = probe;
            }
        }
        length_ = beyond - i;
        return beyond;
    }

private:
    double scaled(double x) const { return log_x_ ? std::log10(x) : x; }

    const Curve& curve_;
    double low_, high_;
    int columns_;
    bool log_x_;
    double origin_;
    double per_unit_ = 1;
    std::size_t length_ = 1;
};

struct Extremes {
    double low, high;
    std::size_t low_at, high_at;

    void add(double least, std::size_t least_at, double most, std::size_t most_at) {
        if (least < low) {
            low = least;
            low_at = least_at;
        }
        if (most > high) {
            high = most;
            high_at = most_at;
        }
    }
};

void appendPoint(Curve& out, double x, double y) {
    out.x.push_back(x);
    out.y.push_back(y);
}

}  // namespace

Curve CurveIndex::reduce(double low, double high, int columns, bool log_x) const {
    SEEDBED_CHECK(low < high && columns >= 1 && (!log_x || low > 0));
    const auto& x = curve_.x;
    const auto& y = curve_.y;
    auto begin = static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), low) - x.begin());
    auto end = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), high) - x.begin());
    // Includes the neighbours outside the range, to draw the lines that lead to them.
    if (begin > 0 && (!log_x || x[begin - 1] > 0)) --begin;
    if (end < curve_.size()) ++end;

    ColumnGrid grid(curve_, low, high, columns, log_x);
    Curve out;
    for (std::size_t i = begin; i < end;) {
        if (!std::isfinite(y[i])) {
            if (out.size() > 0 && std::isfinite(out.y.back())) appendPoint(out, x[i], kGap);
            ++i;
            continue;
        }
        // The first, lowest, highest and last point of the column, or of its part before a gap.
        const std::size_t stop = grid.columnEnd(i, end);
        const std::size_t first = i;
        Extremes extremes{y[i], y[i], i, i};
        while (i < stop) {
            if (i % kLarge == 0 && i + kLarge <= stop && !large_[i / kLarge].gap) {
                const Bucket& bucket = large_[i / kLarge];
                extremes.add(bucket.low, bucket.low_at, bucket.high, bucket.high_at);
                i += kLarge;
            } else if (i % kSmall == 0 && i + kSmall <= stop && !small_[i / kSmall].gap) {
                const Bucket& bucket = small_[i / kSmall];
                extremes.add(bucket.low, bucket.low_at, bucket.high, bucket.high_at);
                i += kSmall;
            } else if (std::isfinite(y[i])) {
                extremes.add(y[i], i, y[i], i);
                ++i;
            } else {
                break;
            }
        }
        std::array<std::size_t, 4> points{first, extremes.low_at, extremes.high_at, i - 1};
        std::sort(points.begin(), points.end());
        for (std::size_t k = 0; k < points.size(); ++k)
            if (k == 0 || points[k] != points[k - 1]) appendPoint(out, x[points[k]], y[points[k]]);
    }
    return out;
}

std::size_t CurveIndex::nearest(double at) const {
    const auto& x = curve_.x;
    const auto from = static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), at) - x.begin());
    std::size_t right = from, left = from;
    while (right < curve_.size() && !std::isfinite(curve_.y[right])) ++right;
    while (left > 0 && !std::isfinite(curve_.y[left - 1])) --left;
    if (left == 0) return right;
    if (right == curve_.size() || at - x[left - 1] <= x[right] - at) return left - 1;
    return right;
}

}  // namespace seedbed
