// SPDX-License-Identifier: Apache-2.0
// Buckets of a curve, and reduction by them.
#include "core/analysis/curve_index.hpp"

#include <algorithm>
#include <array>
#include <cmath>

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
        if (++s.points == 1)
            s.first_x = curve.x[i], s.first = s.min = s.max = y, s.min_x = s.max_x = curve.x[i];
        s.last_x = curve.x[i], s.last = y;
        if (y < s.min) s.min = y, s.min_x = curve.x[i];
        if (y > s.max) s.max = y, s.max_x = curve.x[i];
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
            if (y < bucket.low) bucket.low = y, bucket.low_at = i;
            if (y > bucket.high) bucket.high = y, bucket.high_at = i;
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

Curve CurveIndex::reduce(double low, double high, int columns, bool log_x) const {
    SEEDBED_CHECK(low < high && columns >= 1 && (!log_x || low > 0));
    const auto& x = curve_.x;
    const auto& y = curve_.y;
    auto begin = static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), low) - x.begin());
    auto end = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), high) - x.begin());
    // The line from outside into the range.
    if (begin > 0 && (!log_x || x[begin - 1] > 0)) --begin;
    if (end < curve_.size()) ++end;

    const double origin = log_x ? std::log10(low) : low;
    const double per_x = columns / ((log_x ? std::log10(high) : high) - origin);
    // Neighbours outside the range have columns of their own.
    const auto columnOf = [&](std::size_t i) -> double {
        if (x[i] < low) return -1;
        if (x[i] > high) return columns;
        return std::min<double>(std::floor(((log_x ? std::log10(x[i]) : x[i]) - origin) * per_x),
                                columns - 1);
    };

    // The first point after i, of the same column, that is of another one. Columns are about as long as the
    // one before.
    std::size_t length = 1;
    const auto columnEnd = [&](std::size_t i, double column) {
        std::size_t inside = i, beyond = std::min(end, i + length);
        for (std::size_t step = 1; beyond < end && columnOf(beyond) == column; step *= 2)
            inside = beyond, beyond = std::min(end, beyond + step);
        // From its end backwards.
        for (std::size_t step = 1; beyond - inside > 1; step *= 2) {
            const std::size_t probe =
                std::max(inside + (beyond - inside) / 2, beyond - std::min(step, beyond - inside - 1));
            if (columnOf(probe) == column) inside = probe, step = 1;
            else beyond = probe;
        }
        length = beyond - i;
        return beyond;
    };

    Curve out;
    for (std::size_t i = begin; i < end;) {
        if (!std::isfinite(y[i])) {
            if (out.size() > 0 && std::isfinite(out.y.back())) out.x.push_back(x[i]), out.y.push_back(kGap);
            ++i;
            continue;
        }
        // First, lowest, highest and last of the column, or of the part of it before a gap.
        const std::size_t stop = columnEnd(i, columnOf(i)), first = i;
        std::size_t lowest = i, highest = i;
        double low_y = y[i], high_y = y[i];
        const auto take = [&](double least, std::size_t least_at, double most, std::size_t most_at) {
            if (least < low_y) low_y = least, lowest = least_at;
            if (most > high_y) high_y = most, highest = most_at;
        };
        while (i < stop) {
            if (i % kLarge == 0 && i + kLarge <= stop && !large_[i / kLarge].gap) {
                const Bucket& bucket = large_[i / kLarge];
                take(bucket.low, bucket.low_at, bucket.high, bucket.high_at);
                i += kLarge;
            } else if (i % kSmall == 0 && i + kSmall <= stop && !small_[i / kSmall].gap) {
                const Bucket& bucket = small_[i / kSmall];
                take(bucket.low, bucket.low_at, bucket.high, bucket.high_at);
                i += kSmall;
            } else if (std::isfinite(y[i])) {
                take(y[i], i, y[i], i);
                ++i;
            } else {
                break;
            }
        }
        std::array<std::size_t, 4> points{first, lowest, highest, i - 1};
        std::sort(points.begin(), points.end());
        for (std::size_t k = 0; k < points.size(); ++k)
            if (k == 0 || points[k] != points[k - 1])
                out.x.push_back(x[points[k]]), out.y.push_back(y[points[k]]);
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
