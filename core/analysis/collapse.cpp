// SPDX-License-Identifier: Apache-2.0
// A collapse meets three criteria:
// - training had improved the return: in 90 % of all pairs of a point of the best window and a point of
//   `floor`, the point of the best window is higher;
// - at least half of the improvement has been lost: now <= (best + mean of floor) / 2;
// - noise is not the cause: the same holds for pairs of a point of the best window and a point of the last
//   window (ties count half; this probability of superiority is robust to outliers and independent of scale).
//   With 20 points or more, this share is at least four standard deviations away from chance.
#include "core/analysis/collapse.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.hpp"

namespace seedbed {
namespace {

constexpr double kInOrder = 0.9;
constexpr std::size_t kMinWindows = 4;
constexpr std::size_t kEvaluations = 3;
constexpr double kStandardErrors = 5;

using Points = std::span<const double>;

double meanOf(Points points) {
    return std::accumulate(points.begin(), points.end(), 0.0) / static_cast<double>(points.size());
}

// Share of pairs in which a point of `high` is above a point of `low`; ties count half.
double superiority(Points high, Points low) {
    std::vector<double> sorted(low.begin(), low.end());
    std::sort(sorted.begin(), sorted.end());
    double pairs = 0;
    for (const double y : high) {
        const auto [equal, above] = std::equal_range(sorted.begin(), sorted.end(), y);
        pairs += static_cast<double>(equal - sorted.begin()) + 0.5 * static_cast<double>(above - equal);
    }
    return pairs / (static_cast<double>(high.size()) * static_cast<double>(low.size()));
}

// First index of the window with the highest mean among the windows that end before the last one.
std::size_t bestWindow(Points y, std::size_t window) {
    double sum = std::accumulate(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(window), 0.0);
    double highest = sum;
    std::size_t best = 0;
    for (std::size_t begin = 1; begin + 2 * window <= y.size(); ++begin) {
        sum += y[begin + window - 1] - y[begin - 1];
        if (sum > highest) {
            highest = sum;
            best = begin;
        }
    }
    return best;
}

}  // namespace

std::optional<Collapse> findCollapse(const Curve& returns, std::size_t window,
                                     std::span<const double> floor) {
    SEEDBED_CHECK(window >= 1);
    std::vector<double> x;
    std::vector<double> y;
    for (std::size_t i = 0; i < returns.size(); ++i) {
        if (!std::isfinite(returns.y[i])) continue;
        x.push_back(returns.x[i]);
        y.push_back(returns.y[i]);
    }
    if (y.size() < kMinWindows * window) return std::nullopt;
    const std::size_t begin = bestWindow(y, window);
    const Points best = Points(y).subspan(begin, window), last = Points(y).last(window);
    if (floor.empty()) floor = Points(y).first(window);
    const double high = meanOf(best), now = meanOf(last), low = meanOf(floor), half = (high + low) / 2;
    if (high <= low || now > half) return std::nullopt;
    if (superiority(best, floor) < kInOrder || superiority(best, last) < kInOrder) return std::nullopt;
    return Collapse{high, now, half, x[begin + window / 2], window};
}

std::optional<Collapse> findCollapse(std::span<const EvaluationPoint> evaluations,
                                     std::optional<double> floor) {
    Curve means;
    std::vector<double> variances;  // variances of the means
    for (const EvaluationPoint& one : evaluations) {
        if (!std::isfinite(one.mean) || !std::isfinite(one.std) || one.episodes == 0) continue;
        means.x.push_back(one.step);
        means.y.push_back(one.mean);
        variances.push_back(one.std * one.std / static_cast<double>(one.episodes));
    }
    const auto fall = findCollapse(means, kEvaluations, floor ? Points(&*floor, 1) : Points());
    if (!fall || *std::max_element(means.y.end() - kEvaluations, means.y.end()) > fall->half)
        return std::nullopt;
    const std::size_t begin = bestWindow(means.y, kEvaluations);
    const double error = std::sqrt(meanOf(Points(variances).subspan(begin, kEvaluations)) / kEvaluations +
                                   meanOf(Points(variances).last(kEvaluations)) / kEvaluations);
    return fall->best - fall->now >= kStandardErrors * error ? fall : std::nullopt;
}

}  // namespace seedbed
