// SPDX-License-Identifier: Apache-2.0
// Common grid, centre and bootstrap band of several runs.
#include "core/analysis/aggregate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "core/base/rng.hpp"

namespace seedbed {
namespace {

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

// Every x that occurs, or evenly spaced points from the first to the last when there are too many.
std::vector<double> commonGrid(std::span<const Curve> runs, int max_points) {
    std::vector<double> grid;
    for (const Curve& run : runs)
        for (std::size_t i = 0; i < run.size(); ++i)
            if (std::isfinite(run.y[i])) grid.push_back(run.x[i]);
    std::sort(grid.begin(), grid.end());
    grid.erase(std::unique(grid.begin(), grid.end()), grid.end());
    const auto limit = static_cast<std::size_t>(std::max(2, max_points));
    if (grid.size() <= limit) return grid;
    const double first = grid.front(), width = (grid.back() - first) / static_cast<double>(limit - 1);
    std::vector<double> even(limit);
    for (std::size_t k = 0; k < limit; ++k) even[k] = first + width * static_cast<double>(k);
    even.back() = grid.back();
    return even;
}

// The run's value at every grid point: cells reach half way to the neighbours.
std::vector<double> onGrid(const Curve& run, const std::vector<double>& grid) {
    Curve points;
    for (std::size_t i = 0; i < run.size(); ++i)
        if (std::isfinite(run.y[i])) points.x.push_back(run.x[i]), points.y.push_back(run.y[i]);
    std::vector<double> values(grid.size(), kGap);
    if (points.size() == 0) return values;
    std::size_t next = 0;
    for (std::size_t k = 0; k < grid.size(); ++k) {
        const double end = k + 1 < grid.size() ? grid[k] + (grid[k + 1] - grid[k]) / 2 : std::numeric_limits<double>::infinity();
        double sum = 0;
        std::size_t count = 0;
        for (; next < points.size() && points.x[next] < end; ++next) sum += points.y[next], ++count;
        if (count > 0) {
            values[k] = sum / static_cast<double>(count);
        } else if (next > 0 && next < points.size()) {
            const double dx = points.x[next] - points.x[next - 1], part = (grid[k] - points.x[next - 1]) / dx;
            values[k] = points.y[next - 1] + part * (points.y[next] - points.y[next - 1]);
        }
    }
    return values;
}

// Linear interpolation between order statistics, which are found without sorting the rest.
double quantile(std::vector<double>& values, double q) {
    const double at = q * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::ptrdiff_t>(at);
    std::nth_element(values.begin(), values.begin() + below, values.end());
    const double value = values[static_cast<std::size_t>(below)];
    const double next =
        static_cast<std::size_t>(below) + 1 < values.size() ? *std::min_element(values.begin() + below + 1, values.end()) : value;
    return value + (at - static_cast<double>(below)) * (next - value);
}

// The centre of values that are sorted when there are four or more.
double centreOfSorted(std::span<const double> values) {
    const std::size_t count = values.size();
    if (count == 0) return 0;
    if (count < 4) return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(count);
    // Sample i covers [i, i + 1); [n/4, 3n/4) counts, partly at its two edges.
    const double n = static_cast<double>(count), low = n / 4;
    const auto first = static_cast<std::size_t>(low);
    const double edge = 1 - (low - static_cast<double>(first));
    double sum = edge * (values[first] + values[count - 1 - first]);
    for (std::size_t i = first + 1; i + 1 < count - first; ++i) sum += values[i];
    return sum / (n / 2);
}

// Which of `count` runs are drawn, resample after resample: the same at every point, which keeps the band smooth.
std::vector<std::uint32_t> drawRuns(std::size_t count, std::size_t resamples, std::uint64_t seed) {
    Rng rng(seed, RngPurpose::analysis);
    std::vector<std::uint32_t> runs(count * resamples);
    for (std::uint32_t& run : runs) run = rng.below(static_cast<std::uint32_t>(count));
    return runs;
}

// The centre of each resample of these values.
void resampledCentres(const std::vector<double>& values, const std::vector<std::uint32_t>& draws, std::vector<double>& centres) {
    const std::size_t count = values.size();
    std::vector<std::uint32_t> order(count), rank(count), times(count);
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; });
    for (std::uint32_t r = 0; r < count; ++r) rank[order[r]] = r;
    std::vector<double> drawn(count);
    for (std::size_t s = 0; s < centres.size(); ++s) {
        const std::span<const std::uint32_t> runs(draws.data() + s * count, count);
        if (count < 4) {
            for (std::size_t i = 0; i < count; ++i) drawn[i] = values[runs[i]];
        } else {
            // Sorted by how often each rank was drawn.
            std::fill(times.begin(), times.end(), 0U);
            for (const std::uint32_t run : runs) ++times[rank[run]];
            for (std::size_t r = 0, to = 0; r < count; ++r)
                for (std::uint32_t k = 0; k < times[r]; ++k) drawn[to++] = values[order[r]];
        }
        centres[s] = centreOfSorted(drawn);
    }
}

}  // namespace

double centreOf(std::span<double> values) {
    if (values.size() >= 4) std::sort(values.begin(), values.end());
    return centreOfSorted(values);
}

Aggregate aggregate(std::span<const Curve> runs, const AggregateOptions& options) {
    Aggregate result;
    result.x = commonGrid(runs, options.max_points);
    std::vector<std::vector<double>> values;
    for (const Curve& run : runs) values.push_back(onGrid(run, result.x));
    // Sorted, so that the order in which runs are given changes nothing.
    std::sort(values.begin(), values.end(), [](const auto& a, const auto& b) {
        for (std::size_t k = 0; k < a.size(); ++k) {
            if (std::isnan(a[k]) != std::isnan(b[k])) return std::isnan(b[k]);
            if (a[k] != b[k] && !std::isnan(a[k])) return a[k] < b[k];
        }
        return false;
    });

    std::map<std::size_t, std::vector<std::uint32_t>> draws;  // by number of runs
    std::vector<double> present, drawn, centres(static_cast<std::size_t>(std::max(1, options.resamples)));
    for (std::size_t k = 0; k < result.x.size(); ++k) {
        present.clear();
        for (const auto& run : values)
            if (!std::isnan(run[k])) present.push_back(run[k]);
        result.n.push_back(static_cast<int>(present.size()));
        drawn = present;
        result.centre.push_back(present.empty() ? kGap : centreOf(drawn));
        if (present.size() < 2) {
            result.low.push_back(kGap), result.high.push_back(kGap);
            continue;
        }
        auto& drawn_runs = draws[present.size()];
        if (drawn_runs.empty()) drawn_runs = drawRuns(present.size(), centres.size(), options.seed);
        resampledCentres(present, drawn_runs, centres);
        result.low.push_back(quantile(centres, (1 - options.confidence) / 2));
        result.high.push_back(quantile(centres, (1 + options.confidence) / 2));
    }
    return result;
}

}  // namespace seedbed
