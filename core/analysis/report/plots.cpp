// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/report/plots.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "core/base/text.hpp"

namespace seedbed {
namespace {

using Anchor = VectorPicture::Anchor;

// The colours of Okabe and Ito, which people with colour blindness can distinguish.
constexpr std::array<std::uint32_t, 7> kColours{0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7,
                                                0xB8860B, 0x000000, 0x56B4E9};
constexpr std::uint32_t kAxis = 0x404040, kGrid = 0xE0E0E0;
constexpr double kSize = 8;  // of texts, in points
constexpr double kBandOpacity = 0.2;
constexpr double kRow = 1.5 * kSize;

Ink inkOf(std::size_t number, double opacity = 1) { return {kColours[number % kColours.size()], opacity}; }

struct Extent {
    double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
    void add(double value) {
        if (!std::isfinite(value)) return;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    // Never empty.
    void close() {
        if (low > high) {
            low = 0;
            high = 1;
        }
        // Equal values can differ by rounding after they were averaged.
        if (const double size = std::max(std::abs(low), std::abs(high)); high - low <= 1e-9 * size) {
            const double margin = size == 0 ? 1 : size / 2;
            low -= margin;
            high += margin;
        }
    }
    double share(double value) const { return (value - low) / (high - low); }
};

struct AxisFrame {
    double left, top, right, bottom;
    Extent x, y;
    VectorPicture::Point at(double px, double py) const {
        return {left + x.share(px) * (right - left), bottom - y.share(py) * (bottom - top)};
    }
};

void drawAxes(VectorPicture& picture, const AxisFrame& frame, bool with_y) {
    for (const double tick : ticksWithin(frame.x.low, frame.x.high, 5)) {
        const double x = frame.at(tick, frame.y.low).first;
        picture.line({{x, frame.top}, {x, frame.bottom}}, {kGrid}, 0.5);
        picture.text(x, frame.bottom + kSize + 3, tickText(tick), kSize, Anchor::middle, {kAxis});
    }
    for (const double tick : with_y ? ticksWithin(frame.y.low, frame.y.high, 5) : std::vector<double>()) {
        const double y = frame.at(frame.x.low, tick).second;
        picture.line({{frame.left, y}, {frame.right, y}}, {kGrid}, 0.5);
        picture.text(frame.left - 4, y + kSize / 3, tickText(tick), kSize, Anchor::end, {kAxis});
    }
    picture.line({{frame.left, frame.top}, {frame.left, frame.bottom}, {frame.right, frame.bottom}}, {kAxis},
                 0.8);
}

// The names with their colours in rows. Returns their height.
double drawLegend(VectorPicture& picture, const PlotArea& area, const std::vector<PlotCurve>& curves) {
    if (curves.size() < 2) return 0;
    const double left = area.left + kSize;
    double x = left, y = area.top + kSize + 2;
    for (std::size_t i = 0; i < curves.size(); ++i) {
        const double width = 22 + VectorPicture::widthOf(curves[i].name, kSize);
        if (x > left && x + width > area.left + area.width) {
            x = left;
            y += kRow;
        }
        picture.line({{x, y - kSize / 3}, {x + 12, y - kSize / 3}}, inkOf(i), 1.6);
        picture.text(x + 15, y, curves[i].name, kSize, Anchor::start, {kAxis});
        x += width;
    }
    return y - area.top + kSize;
}

// Calls draw(begin, end) for each range of neighbouring points for which `has` is true.
template <class Has, class Draw>
void forStretches(std::size_t count, Has has, Draw draw) {
    for (std::size_t begin = 0; begin < count;) {
        std::size_t end = begin;
        while (end < count && has(end)) ++end;
        if (end > begin) draw(begin, end);
        begin = end + 1;
    }
}

}  // namespace

std::vector<double> ticksWithin(double low, double high, int count) {
    if (!(low < high)) return {low};
    const double raw = (high - low) / std::max(1, count), power = std::pow(10, std::floor(std::log10(raw)));
    double step = 10 * power;
    for (const double multiple : {5.0, 2.0, 1.0})
        if (multiple * power >= raw) step = multiple * power;
    std::vector<double> ticks;
    const double slack = step * 1e-9;
    // Multiples of `step` beyond 2^53 cannot be counted; the number of ticks is at most 5 / 2 of `count`.
    const double first = std::ceil((low - slack) / step);
    for (int i = 0; i <= 4 * std::max(1, count) && (first + i) * step <= high + slack; ++i)
        ticks.push_back(first + i == 0 ? 0 : (first + i) * step);
    return ticks;
}

std::string tickText(double value) {
    const double size = std::abs(value);
    const double unit = size >= 1e9 ? 1e9 : size >= 1e6 ? 1e6 : size >= 1e4 ? 1e3 : 1;
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value / unit);
    std::string out = text;
    if (out.starts_with("-")) out = "\xE2\x88\x92" + out.substr(1);
    return out + (unit == 1e9 ? " G" : unit == 1e6 ? " M" : unit == 1e3 ? " k" : "");
}

void drawCurves(VectorPicture& picture, const PlotArea& area, const Plot& plot) {
    Extent x, y;
    for (const PlotCurve& curve : plot.curves) {
        for (std::size_t i = 0; i < curve.x.size(); ++i) {
            if (!std::isfinite(curve.y[i])) continue;
            x.add(curve.x[i]);
            y.add(curve.y[i]);
            if (i < curve.low.size()) y.add(curve.low[i]);
            if (i < curve.high.size()) y.add(curve.high[i]);
        }
    }
    x.close();
    y.close();
    double labels = 0;
    for (const double tick : ticksWithin(y.low, y.high, 5))
        labels = std::max(labels, VectorPicture::widthOf(tickText(tick), kSize));
    const double legend = drawLegend(picture, area, plot.curves);
    const AxisFrame frame{area.left + labels + kRow + 6,
                          area.top + legend + 4,
                          area.left + area.width - 8,
                          area.top + area.height - 2 * kRow - 4,
                          x,
                          y};
    drawAxes(picture, frame, true);
    for (std::size_t c = 0; c < plot.curves.size(); ++c) {
        const PlotCurve& curve = plot.curves[c];
        const std::size_t count = std::min({curve.x.size(), curve.low.size(), curve.high.size()});
        const auto banded = [&](std::size_t i) {
            return std::isfinite(curve.low[i]) && std::isfinite(curve.high[i]);
        };
        forStretches(count, banded, [&](std::size_t begin, std::size_t end) {
            std::vector<VectorPicture::Point> outline;
            for (std::size_t i = begin; i < end; ++i) outline.push_back(frame.at(curve.x[i], curve.high[i]));
            for (std::size_t i = end; i > begin; --i)
                outline.push_back(frame.at(curve.x[i - 1], curve.low[i - 1]));
            picture.area(std::move(outline), inkOf(c, kBandOpacity));
        });
    }
    for (std::size_t c = 0; c < plot.curves.size(); ++c) {
        const PlotCurve& curve = plot.curves[c];
        const auto known = [&](std::size_t i) { return std::isfinite(curve.y[i]); };
        forStretches(curve.x.size(), known, [&](std::size_t begin, std::size_t end) {
            std::vector<VectorPicture::Point> points;
            for (std::size_t i = begin; i < end; ++i) points.push_back(frame.at(curve.x[i], curve.y[i]));
            picture.line(std::move(points), inkOf(c), 1.2);
        });
    }
    picture.text((frame.left + frame.right) / 2, area.top + area.height - 4, plot.x_title, kSize,
                 Anchor::middle, {kAxis});
    picture.text(area.left + kSize, (frame.top + frame.bottom) / 2, plot.y_title, kSize, Anchor::middle,
                 {kAxis}, true);
}

void drawIntervals(VectorPicture& picture, const PlotArea& area, const std::vector<PlotInterval>& intervals,
                   const std::string& title) {
    Extent x;
    double names = 0;
    for (const PlotInterval& row : intervals) {
        for (const double value : {row.estimate.value, row.estimate.low, row.estimate.high}) x.add(value);
        names = std::max(names, VectorPicture::widthOf(row.name, kSize));
    }
    x.close();
    const double margin = (x.high - x.low) / 20;
    x.low -= margin;
    x.high += margin;
    const AxisFrame frame{area.left + std::min(names, area.width / 2) + 6,
                          area.top + 4,
                          area.left + area.width - 8,
                          area.top + area.height - 2 * kRow - 4,
                          x,
                          {0, static_cast<double>(intervals.size())}};
    drawAxes(picture, frame, false);
    for (std::size_t i = 0; i < intervals.size(); ++i) {
        const Estimate& estimate = intervals[i].estimate;
        const double place = static_cast<double>(intervals.size() - i) - 0.5;
        const auto [centre, y] = frame.at(estimate.value, place);
        picture.text(frame.left - 4, y + kSize / 3, intervals[i].name, kSize, Anchor::end, {kAxis});
        if (std::isfinite(estimate.low) && std::isfinite(estimate.high)) {
            const double left = frame.at(estimate.low, place).first,
                         right = frame.at(estimate.high, place).first;
            picture.area({{left, y - 4}, {right, y - 4}, {right, y + 4}, {left, y + 4}},
                         inkOf(i, 2 * kBandOpacity));
        }
        if (std::isfinite(estimate.value)) picture.line({{centre, y - 5}, {centre, y + 5}}, inkOf(i), 1.6);
    }
    picture.text((frame.left + frame.right) / 2, area.top + area.height - 4, title, kSize, Anchor::middle,
                 {kAxis});
}

}  // namespace seedbed
