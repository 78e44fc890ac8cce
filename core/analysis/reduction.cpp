// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/reduction.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.hpp"

namespace seedbed {
namespace {

// The points of one pixel column that determine what is drawn.
class Column {
public:
    void add(const Curve& curve, std::size_t i) {
        if (empty_) first_ = low_ = high_ = i;
        if (curve.y[i] < curve.y[low_]) low_ = i;
        if (curve.y[i] > curve.y[high_]) high_ = i;
        last_ = i;
        empty_ = false;
    }

    void flush(const Curve& curve, Curve& out) {
        if (empty_) return;
        std::array<std::size_t, 4> points{first_, low_, high_, last_};
        std::sort(points.begin(), points.end());
        for (std::size_t k = 0; k < points.size(); ++k)
            if (k == 0 || points[k] != points[k - 1]) {
                out.x.push_back(curve.x[points[k]]);
                out.y.push_back(curve.y[points[k]]);
            }
        empty_ = true;
    }

private:
    bool empty_ = true;
    std::size_t first_ = 0, low_ = 0, high_ = 0, last_ = 0;
};

}  // namespace

Curve withinRange(const Curve& curve, double low, double high) {
    const auto begin = std::lower_bound(curve.x.begin(), curve.x.end(), low) - curve.x.begin();
    const auto end =
        std::max(begin, std::upper_bound(curve.x.begin(), curve.x.end(), high) - curve.x.begin());
    return {{curve.x.begin() + begin, curve.x.begin() + end},
            {curve.y.begin() + begin, curve.y.begin() + end}};
}

Curve reduceToColumns(const Curve& curve, double low, double high, int columns) {
    SEEDBED_CHECK(low < high && columns >= 1);
    auto begin =
        static_cast<std::size_t>(std::lower_bound(curve.x.begin(), curve.x.end(), low) - curve.x.begin());
    auto end =
        static_cast<std::size_t>(std::upper_bound(curve.x.begin(), curve.x.end(), high) - curve.x.begin());
    // Includes the neighbours outside the range, to draw the lines that lead to them.
    if (begin > 0) --begin;
    if (end < curve.size()) ++end;

    Curve out;
    Column column;
    double current = 0;
    const double per_x = columns / (high - low);
    for (std::size_t i = begin; i < end; ++i) {
        if (!std::isfinite(curve.y[i])) {
            column.flush(curve, out);
            if (out.size() > 0 && std::isfinite(out.y.back())) {
                out.x.push_back(curve.x[i]);
                out.y.push_back(kGap);
            }
            continue;
        }
        // Neighbours outside the range have separate columns.
        const double at = std::floor((curve.x[i] - low) * per_x);
        const double mine = curve.x[i] < low    ? -1
                            : curve.x[i] > high ? columns
                                                : std::min<double>(at, columns - 1);
        if (mine != current) column.flush(curve, out);
        current = mine;
        column.add(curve, i);
    }
    column.flush(curve, out);
    return out;
}

}  // namespace seedbed
