// SPDX-License-Identifier: Apache-2.0
// Buckets of a curve, and reduction by them.
#include "core/analysis/curve_index.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace seedbed {
namespace {

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

CurveStatistics statisticsOf(const Curve& curve) {
    CurveStatistics s{0, 0, kGap, kGap, kGap, kGap, kGap, kGap, kGap, kGap, kGap};
    double mean = 0;
    for (std::size_t i = 0; i < curve.size(); ++i) {
        const double y = curve.y[i];
        if (!std::isfinite(y)) {
            ++s.gaps;
            continue;
        }
        if (++s.points == 1) s.first_x = curve.x[i], s.first = s.min = s.max = y, s.min_x = s.max_x = curve.x[i];
        s.last_x = curve.x[i], s.last = y;
        if (y < s.min) s.min = y, s.min_x = curve.x[i];
        if (y > s.max) s.max = y, s.max_x = curve.x[i];
        mean += (y - mean) / static_cast<double>(s.points);
    }
    if (s.points > 0) s.mean = mean;
    return s;
}

}  // namespace

CurveIndex::CurveIndex(Curve curve) : curve_(std::move(curve)), statistics_(statisticsOf(curve_)) {
    buckets_.resize(curve_.size() / kBucket);
    for (std::size_t b = 0; b < buckets_.size(); ++b) {
        const double* y = curve_.y.data() + b * kBucket;
        Bucket& bucket = buckets_[b];
        for (std::size_t k = 0; k < kBucket; ++k) {
            if (!std::isfinite(y[k])) bucket.gap = true;
            if (y[k] < y[bucket.low]) bucket.low = static_cast<std::uint8_t>(k);
            if (y[k] > y[bucket.high]) bucket.high = static_cast<std::uint8_t>(k);
        }
    }
}

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
        return std::min<double>(std::floor(((log_x ? std::log10(x[i]) : x[i]) - origin) * per_x), columns - 1);
    };

    Curve out;
    std::array<std::size_t, 4> kept{};  // first, lowest, highest, last of the column
    bool empty = true;
    double current = 0;
    const auto flush = [&] {
        if (empty) return;
        std::array<std::size_t, 4> points = kept;
        std::sort(points.begin(), points.end());
        for (std::size_t k = 0; k < points.size(); ++k)
            if (k == 0 || points[k] != points[k - 1]) out.x.push_back(x[points[k]]), out.y.push_back(y[points[k]]);
        empty = true;
    };
    // A stretch of points of one column, given by its first, extremes and last.
    const auto add = [&](double column, std::size_t first, std::size_t lowest, std::size_t highest, std::size_t last) {
        if (column != current) flush();
        current = column;
        if (empty) kept = {first, lowest, highest, last};
        if (y[lowest] < y[kept[1]]) kept[1] = lowest;
        if (y[highest] > y[kept[2]]) kept[2] = highest;
        kept[3] = last, empty = false;
    };
    for (std::size_t i = begin; i < end;) {
        if (i % kBucket == 0 && i + kBucket <= end && !buckets_[i / kBucket].gap) {
            const double column = columnOf(i);
            if (column == columnOf(i + kBucket - 1)) {
                const Bucket& bucket = buckets_[i / kBucket];
                add(column, i, i + bucket.low, i + bucket.high, i + kBucket - 1);
                i += kBucket;
                continue;
            }
        }
        if (std::isfinite(y[i])) {
            add(columnOf(i), i, i, i, i);
        } else {
            flush();
            if (out.size() > 0 && std::isfinite(out.y.back())) out.x.push_back(x[i]), out.y.push_back(kGap);
        }
        ++i;
    }
    flush();
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
