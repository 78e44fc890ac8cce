// SPDX-License-Identifier: Apache-2.0
// A run's value in a cell is the mean of its points there, or the linear interpolation of its neighbouring
// points unless one of them is a gap; there is no value before its first or after its last point. Cells are
// fixed (each doubling of x is divided evenly), so later points never change earlier values. The x of a cell
// is the middle of the x values in it; for the first and last cell it is the first and last x value.
//
// Band: Agarwal et al., "Deep Reinforcement Learning at the Edge of the Statistical Precipice", 2021.
#include "core/analysis/aggregate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "core/base/rng.hpp"

namespace seedbed {
namespace {

// The points of a curve in one cell.
struct Cell {
    std::int64_t key = 0;            // increases with x
    double first = 0, last = 0;      // x of the first and the last finite point
    double sum = 0;                  // sum of the finite y
    std::size_t count = 0;           // number of finite points
    std::size_t begin = 0, end = 0;  // all points
};

// x = +-m 2^e with m in [0.5, 1): each e has `cells` cells of equal width. Depends on x only. Powers of two
// and their simple multiples, which are frequent steps, are in the middle of a cell.
std::int64_t cellOf(double x, int cells) {
    if (x == 0) return 0;
    constexpr std::int64_t kLeastExponent = -1100;
    int exponent = 0;
    const double mantissa = std::frexp(std::abs(x), &exponent);
    const std::int64_t key =
        (exponent - kLeastExponent) * cells + static_cast<std::int64_t>((2 * mantissa - 1) * cells + 0.5);
    return x > 0 ? key : -key;
}

std::vector<Cell> cellsOf(const Curve& run, int cells) {
    std::vector<Cell> list;
    for (std::size_t i = 0; i < run.size(); ++i) {
        const std::int64_t key = cellOf(run.x[i], cells);
        if (list.empty() || list.back().key != key) list.push_back({.key = key, .begin = i});
        Cell& cell = list.back();
        cell.end = i + 1;
        if (!std::isfinite(run.y[i])) continue;
        if (cell.count++ == 0) cell.first = run.x[i];
        cell.last = run.x[i];
        cell.sum += run.y[i];
    }
    return list;
}

// Keys and x of all cells in which any run has a value.
void commonGrid(const std::vector<std::vector<Cell>>& runs, std::vector<std::int64_t>& keys,
                std::vector<double>& x) {
    std::vector<Cell> all;
    for (const auto& run : runs)
        for (const Cell& cell : run)
            if (cell.count > 0) all.push_back(cell);
    std::sort(all.begin(), all.end(), [](const Cell& a, const Cell& b) { return a.key < b.key; });
    std::vector<std::pair<double, double>> ranges;
    for (const Cell& cell : all) {
        if (keys.empty() || keys.back() != cell.key) {
            keys.push_back(cell.key);
            ranges.emplace_back(cell.first, cell.last);
        }
        ranges.back() = {std::min(ranges.back().first, cell.first),
                         std::max(ranges.back().second, cell.last)};
    }
    for (const auto& [first, last] : ranges) x.push_back(first == last ? first : first + (last - first) / 2);
    if (x.empty()) return;
    x.front() = ranges.front().first;
    x.back() = ranges.back().second;
}

// The run's value in every cell.
std::vector<double> onGrid(const Curve& run, const std::vector<Cell>& cells,
                           const std::vector<std::int64_t>& keys, const std::vector<double>& x) {
    std::vector<double> values(keys.size(), kGap);
    std::size_t next = 0;
    for (std::size_t k = 0; k < keys.size(); ++k) {
        while (next < cells.size() && cells[next].key < keys[k]) ++next;
        if (next < cells.size() && cells[next].key == keys[k]) {
            if (cells[next].count > 0) values[k] = cells[next].sum / static_cast<double>(cells[next].count);
        } else if (next > 0 && next < cells.size()) {
            const std::size_t before = cells[next - 1].end - 1, after = cells[next].begin;
            const double part = (x[k] - run.x[before]) / (run.x[after] - run.x[before]);
            // NaN if either end is a gap.
            const double y = run.y[before] + part * (run.y[after] - run.y[before]);
            if (std::isfinite(y)) values[k] = y;
        }
    }
    return values;
}

// Weight of each of `count` sorted values in the centre of each resample, [count][resamples]. The same
// resamples are used at every point, which keeps the band smooth.
std::vector<std::vector<double>> resampleWeights(std::size_t count, const AggregateOptions& options) {
    const auto resamples = static_cast<std::size_t>(std::max(1, options.resamples));
    std::vector<std::vector<double>> weights(count, std::vector<double>(resamples, 0));
    const std::vector<double> of_rank = centreWeights(count);
    std::vector<std::uint32_t> drawn(count);
    Rng rng(options.seed, RngPurpose::analysis);
    for (std::size_t r = 0; r < resamples; ++r) {
        for (std::uint32_t& value : drawn) value = rng.below(static_cast<std::uint32_t>(count));
        std::sort(drawn.begin(), drawn.end());
        for (std::size_t i = 0; i < count; ++i) weights[drawn[i]][r] += of_rank[i];
    }
    return weights;
}

// Returns the `q` quantile of the values and reorders them.
double quantile(std::vector<double>& values, double q) {
    const double at = q * static_cast<double>(values.size() - 1);
    const auto below = values.begin() + static_cast<std::ptrdiff_t>(at);
    std::nth_element(values.begin(), below, values.end());
    if (below + 1 == values.end()) return *below;
    return *below + (at - std::floor(at)) * (*std::min_element(below + 1, values.end()) - *below);
}

}  // namespace

double bandCoverage(std::size_t runs) {
    // For two or three runs, the band is the range of the runs, which excludes the centre if all are on one
    // side of it. Other values were simulated with a standard error of 0.4 %.
    static constexpr std::array<double, 10> kCoverage{0, 0, 0.5, 0.75, 0.88, 0.89, 0.91, 0.92, 0.93, 0.93};
    return runs < kCoverage.size() ? kCoverage[runs] : 0.95;
}

double centreOf(std::span<double> values) {
    const std::size_t count = values.size();
    if (count == 0) return 0;
    if (count < 4) return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(count);
    std::sort(values.begin(), values.end());
    // Sample i covers [i, i + 1); only [n/4, 3n/4) counts, so samples at its edges have fractional weights.
    const double n = static_cast<double>(count), low = n / 4;
    const auto first = static_cast<std::size_t>(low);
    const double edge = 1 - (low - static_cast<double>(first));
    double sum = edge * (values[first] + values[count - 1 - first]);
    for (std::size_t i = first + 1; i + 1 < count - first; ++i) sum += values[i];
    return sum / (n / 2);
}

std::vector<double> centreWeights(std::size_t count) {
    std::vector<double> weights(count, 0);
    const double n = static_cast<double>(count), cut = count < 4 ? 0 : n / 4;
    // Sample i covers [i, i + 1); its part in [cut, n - cut) counts.
    for (std::size_t i = 0; i < count; ++i) {
        const auto at = static_cast<double>(i);
        weights[i] = std::max(0.0, std::min(at + 1, n - cut) - std::max(at, cut)) / (n - 2 * cut);
    }
    return weights;
}

Aggregate aggregate(std::span<const Curve> runs, const AggregateOptions& options,
                    const std::stop_token& stop) {
    Aggregate result;
    std::vector<std::vector<Cell>> cells;
    for (const Curve& run : runs) cells.push_back(cellsOf(run, std::max(1, options.cells_per_doubling)));
    std::vector<std::int64_t> keys;
    commonGrid(cells, keys, result.x);
    std::vector<std::vector<double>> values;
    for (std::size_t run = 0; run < runs.size(); ++run)
        values.push_back(onGrid(runs[run], cells[run], keys, result.x));

    std::map<std::size_t, std::vector<std::vector<double>>> weights;  // keyed by the number of runs
    std::vector<double> present, centres;
    for (std::size_t k = 0; k < result.x.size(); ++k) {
        present.clear();
        for (const auto& run : values)
            if (!std::isnan(run[k])) present.push_back(run[k]);
        // Sorted, so that the order of runs has no effect.
        std::sort(present.begin(), present.end());
        result.n.push_back(static_cast<int>(present.size()));
        result.centre.push_back(present.empty() ? kGap : centreOf(present));
        result.low.push_back(kGap);
        result.high.push_back(kGap);
        if (present.size() < 2 || stop.stop_requested()) continue;
        auto& of_count = weights[present.size()];
        if (of_count.empty()) of_count = resampleWeights(present.size(), options);
        // Sums of differences keep equal values exactly equal.
        centres.assign(of_count.front().size(), present.front());
        for (std::size_t i = 1; i < present.size(); ++i) {
            const double more = present[i] - present.front();
            for (std::size_t r = 0; r < centres.size(); ++r) centres[r] += more * of_count[i][r];
        }
        result.low.back() = quantile(centres, (1 - options.confidence) / 2);
        result.high.back() = quantile(centres, (1 + options.confidence) / 2);
    }
    return result;
}

}  // namespace seedbed
