// SPDX-License-Identifier: GPL-3.0-or-later
// Filters, groups, smooths and reduces the series of a chart. Stateless.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <QString>

#include "core/analysis/aggregate.hpp"
#include "core/analysis/curve_index.hpp"
#include "core/analysis/smoothing.hpp"
#include "ui/models/charts/curve_loader.hpp"

namespace seedbed::ui {

// A line of the chart: one metric of one run or of a group of runs.
struct SeriesSpec {
    QString key{};    // identifies the series; must stay the same when others are added or removed
    QString label{};  // for the legend, which appends the number of runs
    std::vector<RunId> runs{};
    std::string metric{};
    int style = 0;        // argument of Theme::seriesColour and seriesStyle
    bool points = false;  // the points are sparse (evaluations), so each is drawn as a dot
    bool visible = true;  // hidden series are also computed
    bool operator==(const SeriesSpec&) const = default;
};

struct ChartOptions {
    XAxis x = XAxis::steps;
    bool log_x = false, log_y = false;
    SmoothingSpec smoothing;
    // Range of x. In contrast to zooming, points outside are excluded from all computations.
    std::optional<std::pair<double, double>> filter;
    bool bands = true;  // 95 % bootstrap interval over the runs of a group
};

// A series that can be drawn at any zoom. Immutable. Statistics cover all points, not only the visible ones.
struct PreparedSeries {
    SeriesSpec spec;
    std::vector<LoadedCurve> runs;           // as read; for marks and steps of points
    std::shared_ptr<const CurveIndex> raw;   // the run's points or the group's centre, not smoothed
    std::shared_ptr<const CurveIndex> line;  // smoothed; the same object as raw if smoothing is off
    // Interval of `raw`, for labels and files. Null without bands.
    std::shared_ptr<const CurveIndex> low, high;
    std::shared_ptr<const CurveIndex> band_low, band_high;  // smoothed like `line`, for drawing
    std::vector<int> n;                                     // number of runs at each point of raw; empty for
                                                            // a single run
    std::size_t run_count = 0;                              // number of runs with at least one point
};

// The part of a series within a view.
struct DrawnSeries {
    std::size_t index = 0;  // index into ChartModel::series()
    Curve raw, line, low, high;
    Curve dots;  // points without neighbours, which a line would not show; all points if spec.points
};

struct ChartView {
    double low = 0, high = 1;  // range of x
    int columns = 1;
    bool operator==(const ChartView&) const = default;
};

using Prepared = std::shared_ptr<const std::vector<PreparedSeries>>;

struct DrawnChart {
    Prepared series;  // the series that were drawn
    ChartView view;
    std::vector<DrawnSeries> drawn;  // the visible series
};

// Filters, groups and smooths. Thread: any. The result is incomplete after a stop request.
PreparedSeries prepareSeries(const SeriesSpec& spec, const std::vector<LoadedCurve>& runs,
                             const ChartOptions& options, const std::stop_token& stop = {});

// Reduces a series to a view. Thread: any. Values that a logarithmic y axis cannot show become gaps.
DrawnSeries drawSeries(const PreparedSeries& series, const ChartView& view, bool log_x, bool log_y);

}  // namespace seedbed::ui
