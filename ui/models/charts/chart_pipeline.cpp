// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/charts/chart_pipeline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/reduction.hpp"

namespace seedbed::ui {
namespace {

std::shared_ptr<const CurveIndex> indexed(Curve curve) {
    return std::make_shared<const CurveIndex>(std::move(curve));
}

Curve filtered(const Curve& curve, const ChartOptions& options) {
    return options.filter ? withinRange(curve, options.filter->first, options.filter->second) : curve;
}

bool hasPoints(const LoadedCurve& run) { return run.curve && run.curve->statistics().points > 0; }

// The points that have no neighbour on either side; with `all`, all points.
Curve isolatedPoints(const Curve& curve, bool all) {
    Curve lonely;
    const auto there = [&](std::size_t i) { return i < curve.size() && std::isfinite(curve.y[i]); };
    for (std::size_t i = 0; i < curve.size(); ++i)
        if (there(i) && (all || (!there(i - 1) && !there(i + 1)))) {
            lonely.x.push_back(curve.x[i]);
            lonely.y.push_back(curve.y[i]);
        }
    return lonely;
}

// Turns values that a logarithmic axis cannot show into gaps.
void removeNonPositive(Curve& curve) {
    for (double& y : curve.y)
        if (!(y > 0)) y = kGap;
}

}  // namespace

PreparedSeries prepareSeries(const SeriesSpec& spec, const std::vector<LoadedCurve>& runs,
                             const ChartOptions& options, const std::stop_token& stop) {
    PreparedSeries series;
    series.spec = spec;
    series.runs = runs;
    series.run_count = static_cast<std::size_t>(std::count_if(runs.begin(), runs.end(), hasPoints));
    const bool smoothed = options.smoothing.kind != Smoothing::none && !spec.points;
    if (runs.size() <= 1) {
        if (runs.empty() || !runs[0].curve) {
            series.raw = indexed({});
        } else {
            series.raw = options.filter ? indexed(filtered(runs[0].curve->curve(), options)) : runs[0].curve;
        }
        series.line = smoothed ? indexed(smooth(series.raw->curve(), options.smoothing, stop)) : series.raw;
        return series;
    }
    std::vector<Curve> curves;
    for (const LoadedCurve& run : runs)
        if (hasPoints(run)) curves.push_back(filtered(run.curve->curve(), options));
    Aggregate group = aggregate(curves, {}, stop);
    series.n = std::move(group.n);
    const auto line = [&](const std::shared_ptr<const CurveIndex>& curve) {
        return smoothed ? indexed(smooth(curve->curve(), options.smoothing, stop)) : curve;
    };
    series.raw = indexed({group.x, std::move(group.centre)});
    series.line = line(series.raw);
    if (options.bands && curves.size() >= 2) {
        series.low = indexed({group.x, std::move(group.low)});
        series.high = indexed({std::move(group.x), std::move(group.high)});
        series.band_low = line(series.low);
        series.band_high = line(series.high);
    }
    return series;
}

DrawnSeries drawSeries(const PreparedSeries& series, const ChartView& view, bool log_x, bool log_y) {
    DrawnSeries drawn;
    if (!(view.low < view.high) || (log_x && view.low <= 0)) return drawn;
    const auto reduced = [&](const CurveIndex& curve) {
        Curve out = curve.reduce(view.low, view.high, view.columns, log_x);
        if (log_y) removeNonPositive(out);
        return out;
    };
    drawn.line = reduced(*series.line);
    drawn.dots = isolatedPoints(drawn.line, series.spec.points);
    if (series.raw != series.line) drawn.raw = reduced(*series.raw);
    if (series.low) {
        drawn.low = reduced(*series.band_low);
        drawn.high = reduced(*series.band_high);
        // A band that extends below the logarithmic axis is cut off at the lower end of the axis instead of
        // leaving a gap.
        if (log_y)
            for (std::size_t i = 0; i < drawn.low.size() && i < drawn.high.size(); ++i)
                if (std::isnan(drawn.low.y[i]) && std::isfinite(drawn.high.y[i]))
                    drawn.low.y[i] = std::numeric_limits<double>::min();
    }
    return drawn;
}

}  // namespace seedbed::ui
