// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/charts/curve_raster.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/base/error.hpp"

namespace seedbed::ui {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
// Maximum length of a dashed segment in pixels; longer segments are drawn solid.
constexpr double kLongestDashed = 20000;

// The colour of a partly covered pixel.
QRgb weaker(QRgb premultiplied, double share) {
    const auto part = static_cast<unsigned>(std::lround(256 * std::clamp(share, 0.0, 1.0)));
    return (((premultiplied & 0xff00ffU) * part >> 8) & 0xff00ffU) |
           (((premultiplied >> 8) & 0xff00ffU) * part & 0xff00ff00U);
}

// Source-over blending of `count` pixels in 16-bit lanes, which compilers vectorize. The few pixels of a thin
// line are faster one by one, with the same result.
void blend(std::uint32_t* to, std::ptrdiff_t count, QRgb premultiplied) {
    const unsigned alpha = qAlpha(premultiplied);
    if (alpha == 0) return;
    if (alpha == 255) {
        std::fill(to, to + count, premultiplied);
        return;
    }
    constexpr std::ptrdiff_t kBlock = 8;
    if (count < kBlock) {
        const std::uint32_t left = 256 - alpha;
        for (std::ptrdiff_t i = 0; i < count; ++i)
            to[i] = premultiplied + (((to[i] & 0xff00ffU) * left >> 8 & 0xff00ffU) |
                                     ((to[i] >> 8 & 0xff00ffU) * left & 0xff00ff00U));
        return;
    }
    const auto rest = static_cast<std::uint16_t>(256 - alpha);
    std::array<std::uint16_t, 2 * kBlock> source{}, lanes{};
    for (std::size_t k = 0; k < source.size(); ++k)
        source[k] = static_cast<std::uint16_t>(premultiplied >> (16 * (k % 2)));
    for (std::ptrdiff_t i = 0; i < count; i += kBlock) {
        const std::size_t bytes = 4 * static_cast<std::size_t>(std::min(kBlock, count - i));
        // The constant size allows the compiler to inline the copy.
        if (bytes == 4 * kBlock) std::memcpy(lanes.data(), to + i, 4 * kBlock);
        else std::memcpy(lanes.data(), to + i, bytes);
        for (std::size_t k = 0; k < lanes.size(); ++k) {
            const auto low =
                static_cast<std::uint16_t>(static_cast<std::uint16_t>((lanes[k] & 0xff) * rest) >> 8);
            const auto high =
                static_cast<std::uint16_t>(static_cast<std::uint16_t>((lanes[k] >> 8) * rest) & 0xff00);
            lanes[k] = static_cast<std::uint16_t>(source[k] + (low | high));
        }
        if (bytes == 4 * kBlock) std::memcpy(to + i, lanes.data(), 4 * kBlock);
        else std::memcpy(to + i, lanes.data(), bytes);
    }
}

// The lowest (or highest) y of each column, at the column's centre and at the curve's points.
std::vector<double> extremes(const PixelCurve& curve, int columns, bool lowest) {
    std::vector<double> out(static_cast<std::size_t>(columns), kNone);
    const auto put = [&](double column, double y) {
        if (!(column >= 0 && column < columns)) return;
        double& known = out[static_cast<std::size_t>(column)];
        if (std::isnan(known) || (lowest ? y < known : y > known)) known = y;
    };
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
        if (!std::isfinite(curve.y[i])) continue;
        put(curve.x[i] == columns ? columns - 1 : std::floor(curve.x[i]), curve.y[i]);
        if (i + 1 == curve.x.size() || !std::isfinite(curve.y[i + 1]) || !(curve.x[i + 1] > curve.x[i]))
            continue;
        const double slope = (curve.y[i + 1] - curve.y[i]) / (curve.x[i + 1] - curve.x[i]);
        const double end = std::min<double>(curve.x[i + 1], columns);
        for (double column = std::max(0.0, std::ceil(curve.x[i] - 0.5)); column + 0.5 <= end; ++column)
            put(column, curve.y[i] + slope * (column + 0.5 - curve.x[i]));
    }
    return out;
}

}  // namespace

CurveRaster::CurveRaster(int width, int height)
    : width_(std::max(1, width)),
      height_(std::max(1, height)),
      pixels_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), 0U) {}

void CurveRaster::paint(const Span& span, QRgb premultiplied) {
    const double top = std::clamp<double>(span.top, 0, height_),
                 bottom = std::clamp<double>(span.bottom, 0, height_);
    if (!(bottom > top)) return;
    std::uint32_t* column = pixels_.data() + static_cast<std::ptrdiff_t>(span.column) * height_;
    const auto first = static_cast<std::ptrdiff_t>(top), last = static_cast<std::ptrdiff_t>(bottom);
    if (first == last) return blend(column + first, 1, weaker(premultiplied, bottom - top));
    blend(column + first, 1, weaker(premultiplied, static_cast<double>(first) + 1 - top));
    blend(column + first + 1, last - first - 1, premultiplied);
    if (last < height_) blend(column + last, 1, weaker(premultiplied, bottom - static_cast<double>(last)));
}

void CurveRaster::finishSpan() {
    if (open_.column >= 0) spans_.push_back(open_);
    open_.column = -1;
}

// Adds a line segment; its spans extend by `beyond` above and below.
void CurveRaster::add(double x0, double y0, double x1, double y1, double beyond) {
    if (x1 < 0 || x0 > width_) return;
    const double slope = x1 > x0 ? (y1 - y0) / (x1 - x0) : 0;
    const int begin = std::min(width_ - 1, static_cast<int>(std::max(0.0, x0)));
    const int end = std::max(begin, static_cast<int>(std::ceil(std::min<double>(x1, width_))) - 1);
    for (int column = begin; column <= end; ++column) {
        const double from = column <= x0 ? y0 : y0 + slope * (column - x0);
        const double to = column + 1 >= x1 ? y1 : y0 + slope * (column + 1 - x0);
        const double top = std::min(from, to) - beyond, bottom = std::max(from, to) + beyond;
        if (open_.column == column) {
            open_.top = std::min(open_.top, top);
            open_.bottom = std::max(open_.bottom, bottom);
        } else {
            finishSpan();
            open_ = {column, top, bottom};
        }
    }
}

// Paints each column with the union of its own and its neighbours' spans.
void CurveRaster::paintWidened(int columns, QRgb premultiplied) {
    const int before = (columns - 1) / 2, after = columns - 1 - before;
    std::vector<Span> near;
    std::size_t first = 0, end = 0;
    for (int column = 0; column < width_; ++column) {
        while (first < spans_.size() && spans_[first].column < column - after) ++first;
        end = std::max(end, first);
        while (end < spans_.size() && spans_[end].column <= column + before) ++end;
        if (first == end) continue;
        near.assign(spans_.begin() + static_cast<std::ptrdiff_t>(first),
                    spans_.begin() + static_cast<std::ptrdiff_t>(end));
        std::sort(near.begin(), near.end(), [](const Span& a, const Span& b) { return a.top < b.top; });
        Span whole = near[0];
        whole.column = column;
        for (const Span& span : near) {
            if (span.top > whole.bottom) {
                paint(whole, premultiplied);
                whole.top = span.top;
                whole.bottom = span.bottom;
            }
            whole.bottom = std::max(whole.bottom, span.bottom);
        }
        paint(whole, premultiplied);
    }
}

void CurveRaster::line(const PixelCurve& curve, double width, QRgb colour, std::span<const double> dashes) {
    SEEDBED_CHECK(width >= 1 && curve.x.size() == curve.y.size());
    const QRgb premultiplied = qPremultiply(colour);
    const int columns = static_cast<int>(std::lround(width));
    spans_.clear();
    open_.column = -1;
    std::size_t dash = 0;
    double left = dashes.empty() ? 0 : dashes[0];  // remaining length of the current dash or gap
    for (std::size_t i = 0; i + 1 < curve.x.size(); ++i) {
        const double x0 = curve.x[i], x1 = curve.x[i + 1], y0 = curve.y[i], y1 = curve.y[i + 1];
        if (!std::isfinite(y0) || !std::isfinite(y1)) {
            finishSpan();
            continue;
        }
        // The vertical extent that makes the line `width` thick perpendicular to its direction. The width of
        // the columns contributes part of this extent.
        const double dx = x1 - x0, dy = y1 - y0, slope = dx > 0 ? std::min(1e4, std::abs(dy) / dx) : 1e4;
        const double beyond =
            std::clamp((width * std::sqrt(1 + slope * slope) - columns * slope) / 2, 0.0, width / 2);
        const double length = dashes.empty() ? 0 : std::hypot(dx, dy);
        if (dashes.empty() || length > kLongestDashed) {
            add(x0, y0, x1, y1, beyond);
            continue;
        }
        for (double at = 0; at < length;) {
            const double to = std::min(length, at + left);
            if (dash % 2 == 0)
                add(x0 + dx * at / length, y0 + dy * at / length, x0 + dx * to / length,
                    y0 + dy * to / length, beyond);
            left -= to - at;
            at = to;
            if (left > 0) break;
            if (dash % 2 == 0) finishSpan();
            dash = (dash + 1) % dashes.size();
            left = std::max(0.1, dashes[dash]);
        }
    }
    finishSpan();
    if (columns > 1) return paintWidened(columns, premultiplied);
    for (const Span& span : spans_) paint(span, premultiplied);
}

void CurveRaster::band(const PixelCurve& low, const PixelCurve& high, QRgb colour) {
    const std::vector<double> top = extremes(high, width_, true), bottom = extremes(low, width_, false);
    const QRgb premultiplied = qPremultiply(colour);
    for (int column = 0; column < width_; ++column) {
        const auto c = static_cast<std::size_t>(column);
        if (top[c] <= bottom[c]) paint({column, top[c], bottom[c]}, premultiplied);
    }
}

QImage CurveRaster::image() const {
    QImage image(width_, height_, QImage::Format_ARGB32_Premultiplied);
    constexpr int kTile = 32;
    auto* out = reinterpret_cast<std::uint32_t*>(image.bits());
    const std::ptrdiff_t stride = image.bytesPerLine() / 4;
    for (int column = 0; column < width_; column += kTile) {
        const int columns = std::min(kTile, width_ - column);
        const std::uint32_t* from = pixels_.data() + static_cast<std::ptrdiff_t>(column) * height_;
        const auto copyRow = [&](int row, int count) {
            for (int c = 0; c < count; ++c)
                out[row * stride + column + c] = from[c * static_cast<std::ptrdiff_t>(height_) + row];
        };
        // The constant number of columns allows the compiler to unroll the copy.
        if (columns == kTile)
            for (int row = 0; row < height_; ++row) copyRow(row, kTile);
        else
            for (int row = 0; row < height_; ++row) copyRow(row, columns);
    }
    return image;
}

}  // namespace seedbed::ui
